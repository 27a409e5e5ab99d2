import { Field, type Form } from '../../kit/index.ts';
import { t } from '../../words/words.ts';

const zones = typeof Intl.supportedValuesOf === 'function' ? Intl.supportedValuesOf('timeZone') : [];

/** A time zone, with those that the browser knows as suggestions. */
export function ZoneField<T extends { timeZone: string }>({ form, label }: { form: Form<T>; label: string }) {
  return (
    <Field form={form} name="timeZone" label={label} hint={t.settings.shop.zoneHint}>
      {(control) => (
        <>
          <input
            {...control}
            list="time-zones"
            autoComplete="off"
            spellcheck={false}
            value={form.values.value.timeZone}
            onInput={({ currentTarget }) => form.set('timeZone', currentTarget.value as T['timeZone'])}
          />
          <datalist id="time-zones">
            {zones.map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}
