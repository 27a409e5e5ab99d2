import type { Schemas } from '../../api/types.ts';
import type { Values } from '../../kit/form/merge.ts';
import { Field, type Form } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import type { Setting, SettingName } from './setups.ts';

const words = t.payments.providers;

type Provider = Schemas['PaymentProvider'];

/** A secret: only the end of the stored one is shown, and it is kept unless another is typed. */
export function SecretField<T extends Values & Partial<Record<SettingName, string>>>({
  form,
  setting: { name, label, where, isRequired },
  stored,
}: {
  form: Form<T>;
  setting: Setting;
  stored: string | { lastFour: string | null } | undefined;
}) {
  const kept = endOf(stored);
  return (
    <Field
      form={form}
      name={name}
      label={label}
      hint={
        <>
          {kept && filled(words.stored, { end: <code>{kept}</code> })}
          {isRequired || kept ? where : words.optional(where)}
        </>
      }
    >
      {(control) => (
        <input
          {...control}
          type="password"
          autoComplete="new-password"
          spellcheck={false}
          placeholder={kept}
          value={form.values.value[name] ?? ''}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value.trim() as T[typeof name])}
        />
      )}
    </Field>
  );
}

/** A stored setting, if it is a secret. */
export function secretOf(stored: NonNullable<Provider['settings']>[string] | undefined) {
  return typeof stored === 'object' && !Array.isArray(stored) ? stored : undefined;
}

/** Shown part of a stored secret, such as `… 9xYz`. */
export function endOf(stored: string | { lastFour: string | null } | undefined): string | undefined {
  if (stored === undefined || typeof stored === 'string') return undefined;
  return stored.lastFour === null ? '…' : `… ${stored.lastFour}`;
}
