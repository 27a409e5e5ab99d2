import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Failed } from '../states.tsx';
import { Time } from '../text.tsx';
import { AmountInput, amountRefusal, shopDecimals, useGuard } from './amount-input.tsx';
import { ConflictDialog } from './conflict.tsx';
import type { Values } from './merge.ts';
import type { Form } from './use-form.ts';

/** A form around its fields: refusals, an earlier draft, and the bar with Save, which is never disabled. */
export function FormView<T extends Values>({
  form,
  children,
  saveLabel = t.kit.form.save,
  actions,
}: {
  form: Form<T>;
  children: ComponentChildren;
  saveLabel?: string;
  actions?: ComponentChildren;
}) {
  const { draft, refusal, conflict } = form;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void form.save();
      }}
    >
      {draft.value && (
        <div class="notice" role="status">
          <p>{filled(t.kit.form.draft, { time: <Time at={draft.value.at} /> })}</p>
          <Button onClick={form.restore}>{t.kit.form.restore}</Button>
          <Button kind="quiet" onClick={form.dropDraft}>
            {t.kit.form.dropDraft}
          </Button>
        </div>
      )}
      {refusal.value && <Failed error={refusal.value} />}
      {children}
      <div class="save-bar">
        <p class="quiet">{form.dirty.value ? t.kit.form.unsaved : ''}</p>
        {actions}
        {form.dirty.value && (
          <Button kind="quiet" onClick={form.reset}>
            {t.kit.form.discard}
          </Button>
        )}
        <Button kind="primary" type="submit" busy={form.busy.value}>
          {form.busy.value ? t.kit.form.saving : saveLabel}
        </Button>
      </div>
      {conflict.value && <ConflictDialog form={form} />}
    </form>
  );
}

export interface FieldProps<T extends Values> {
  form: Form<T>;
  name: keyof T & string;
  label: string;
  /** Help below the field. */
  hint?: ComponentChildren;
}

/** Attributes that tie a control to its label, hint and error. */
interface Control {
  id: string;
  name: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}

/** Label, hint and error around a control of any kind. */
export function Field<T extends Values>({
  form,
  name,
  label,
  hint,
  children,
}: FieldProps<T> & { children: (control: Control) => ComponentChildren }) {
  const id = useId();
  const reason = form.errors.value[name];
  const described = [hint && `${id}-hint`, reason && `${id}-reason`].filter(Boolean).join(' ') || undefined;
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, name, 'aria-describedby': described, 'aria-invalid': reason ? 'true' : undefined })}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {reason && (
        <p class="reason" id={`${id}-reason`} dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
}

type TextProps<T extends Values> = FieldProps<T> & {
  type?: 'text' | 'email' | 'url' | 'tel' | 'password' | 'number' | 'date';
  autoComplete?: string;
  inputMode?: 'decimal' | 'numeric';
  placeholder?: string;
};

/** A line of text; an empty text is null if null was read. */
export function TextField<T extends Values>({
  type = 'text',
  autoComplete = 'off',
  inputMode,
  placeholder,
  ...field
}: TextProps<T>) {
  const { form, name } = field;
  const value = form.values.value[name] as string | null;
  return (
    <Field {...field}>
      {(control) => (
        <input
          {...control}
          type={type as 'text'}
          dir="auto"
          autoComplete={autoComplete}
          inputMode={inputMode}
          placeholder={placeholder}
          value={value ?? ''}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value as T[typeof name])}
        />
      )}
    </Field>
  );
}

/**
 * An amount, typed in the language; its value is a decimal string.
 * @param decimals most decimals; those of the currency of the shop by default
 */
export function MoneyField<T extends Values>({
  decimals = shopDecimals(),
  ...field
}: FieldProps<T> & { decimals?: number | undefined }) {
  const { form, name } = field;
  const value = String(form.values.value[name] ?? '');
  useGuard(form, () => ({ [name]: amountRefusal(String(form.values.value[name] ?? ''), decimals) }));
  return (
    <Field {...field}>
      {(control) => (
        <AmountInput
          {...control}
          value={value}
          decimals={decimals}
          onValue={(next) => form.set(name, next as T[typeof name])}
        />
      )}
    </Field>
  );
}

export function AreaField<T extends Values>({ rows = 4, ...field }: FieldProps<T> & { rows?: number }) {
  const { form, name } = field;
  return (
    <Field {...field}>
      {(control) => (
        <textarea
          {...control}
          dir="auto"
          rows={rows}
          value={(form.values.value[name] as string | null) ?? ''}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value as T[typeof name])}
        />
      )}
    </Field>
  );
}

export function SelectField<T extends Values>({
  options,
  ...field
}: FieldProps<T> & { options: readonly (readonly [value: string, label: string])[] }) {
  const { form, name } = field;
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          value={(form.values.value[name] as string | null) ?? ''}
          onChange={({ currentTarget }) => form.set(name, currentTarget.value as T[typeof name])}
        >
          {options.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox. */
export function CheckField<T extends Values>({ form, name, label, hint }: FieldProps<T>) {
  const id = useId();
  const reason = form.errors.value[name];
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          name={name}
          checked={Boolean(form.values.value[name])}
          aria-describedby={hint || reason ? id : undefined}
          onChange={({ currentTarget }) => form.set(name, currentTarget.checked as T[typeof name])}
        />
        {label}
      </label>
      {(hint || reason) && (
        <p class={reason ? 'reason' : 'hint'} id={id}>
          {reason ?? hint}
        </p>
      )}
    </div>
  );
}
