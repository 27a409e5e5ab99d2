import { t } from '../../words/words.ts';
import { timeZone } from '../text.tsx';
import { Field, type FieldProps } from './fields.tsx';
import type { Values } from './merge.ts';
import { fromWallTime, toWallTime } from './zoned.ts';

/** A time in the shop's zone, shown and typed; an ISO 8601 text, or null. */
export function TimeField<T extends Values>({ hint, ...field }: FieldProps<T>) {
  const { form, name } = field;
  const value = form.values.value[name] as string | null;
  return (
    <Field {...field} hint={hint ?? t.kit.form.zone(timeZone())}>
      {(control) => (
        <input
          {...control}
          type="datetime-local"
          value={value ? toWallTime(value, timeZone()) : ''}
          onInput={({ currentTarget }) =>
            form.set(name, (fromWallTime(currentTarget.value, timeZone()) ?? null) as T[typeof name])
          }
        />
      )}
    </Field>
  );
}
