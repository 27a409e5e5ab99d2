import type { ComponentChildren } from 'preact';
import { readAmount } from '../amount.ts';
import type { CheckGroup } from './checks-field.tsx';
import type { RowField } from './rows-field.tsx';

// A field of a form is declared once: its words and its kind. The values of the form, the body of a request and the control follow from it.

/** The control of a field, with its own settings. */
export type Control =
  | {
      control: 'line';
      type?: 'text' | 'email' | 'url' | 'tel';
      inputMode?: 'decimal' | 'numeric';
      placeholder?: string;
    }
  /** An amount; its decimals are those of the shop's currency by default. */
  | { control: 'money'; decimals?: number }
  | { control: 'area'; rows: number }
  | { control: 'choice'; options: Options }
  | { control: 'check' }
  | { control: 'time' }
  | { control: 'checks'; groups: readonly CheckGroup[] }
  | {
      control: 'rows';
      one: string;
      fields: readonly RowField[];
      blank: Row;
      titleOf(row: Row): string;
      ordered?: boolean;
    }
  /** The screen renders it. */
  | { control: 'own' };

export type Options = readonly (readonly [value: string, label: string])[];
type Row = Record<string, unknown>;

export type FieldKind<T> = Control & {
  label: string;
  hint?: ComponentChildren;
  /** The value in the form. @param stored value of the item; undefined for a new one */
  read(stored: unknown): T;
  /** The value in the body of a request; undefined omits it. */
  sent(value: T): unknown;
};

// biome-ignore lint/suspicious/noExplicitAny: fields of all kinds together
export type FieldKinds = Record<string, FieldKind<any>>;

/** The values of a form with these fields. */
export type ValuesOf<F extends FieldKinds> = { [K in keyof F]: F[K] extends FieldKind<infer T> ? T : never };

interface Words {
  hint?: ComponentChildren;
}

/** `isRequired`: an empty text is sent unchanged, so that the service refuses it. Otherwise it becomes null, which clears the field. */
interface TextWords extends Words {
  isRequired?: boolean;
}

const textOf = (stored: unknown) => (stored === undefined || stored === null ? '' : String(stored));
const orNull = (isRequired: boolean) => (value: string) => (value === '' && !isRequired ? null : value);

/** A line of text. */
export function line(
  label: string,
  { isRequired = false, ...rest }: TextWords & Omit<Extract<Control, { control: 'line' }>, 'control'> = {},
): FieldKind<string> {
  return { control: 'line', label, ...rest, read: textOf, sent: orNull(isRequired) };
}

/** A text of several lines. */
export function area(
  label: string,
  { isRequired = false, rows = 4, ...rest }: TextWords & { rows?: number } = {},
): FieldKind<string> {
  return { control: 'area', label, rows, ...rest, read: textOf, sent: orNull(isRequired) };
}

/** An amount in the currency of the shop: typed in the language, sent as a decimal string. */
export function money(
  label: string,
  { isRequired = false, ...rest }: TextWords & { decimals?: number } = {},
): FieldKind<string> {
  const sent = (value: string) => orNull(isRequired)(value.trim());
  return { control: 'money', label, ...rest, read: textOf, sent };
}

/** A whole number. Other texts are sent as typed, so that the service reports them. */
export function count(label: string, words: Words = {}): FieldKind<string> {
  return { control: 'line', inputMode: 'numeric', label, ...words, read: textOf, sent: wholeNumber };
}

/** A choice of one. `start` is the choice for a new item. */
export function choice<V extends string>(
  label: string,
  options: Options,
  { start, sent = (value) => value, ...words }: Words & { start: V; sent?: (value: V) => unknown },
): FieldKind<V> {
  return {
    control: 'choice',
    label,
    options,
    ...words,
    read: (stored) => (stored === undefined ? start : (textOf(stored) as V)),
    sent,
  };
}

/** Yes or no. */
export function check(
  label: string,
  { start = false, ...words }: Words & { start?: boolean } = {},
): FieldKind<boolean> {
  return {
    control: 'check',
    label,
    ...words,
    read: (stored) => (stored as boolean | undefined) ?? start,
    sent: (value) => value,
  };
}

/** A time, as ISO 8601. */
export function time(label: string, words: Words = {}): FieldKind<string | null> {
  return {
    control: 'time',
    label,
    ...words,
    read: (stored) => (stored as string | undefined) ?? null,
    sent: (value) => value,
  };
}

/** A value with a control that the screen renders. */
export function own<T>(label: string, start: T, sent: (value: T) => unknown = (value) => value): FieldKind<T> {
  return { control: 'own', label, read: (stored) => (stored as T | undefined) ?? start, sent };
}

/** Names of the fields, for the choice between two versions. */
export function labelsOf<F extends FieldKinds>(fields: F): Record<keyof F & string, string> {
  return mapped(fields, (_, { label }) => label) as Record<keyof F & string, string>;
}

/** The form values of an item; for a new item, the initial values. */
export function readValues<F extends FieldKinds>(fields: F, item?: object): ValuesOf<F> {
  const stored = item as Record<string, unknown> | undefined;
  return mapped(fields, (name, kind) => kind.read(stored?.[name])) as ValuesOf<F>;
}

/** The body of a request with these values; a field without a value is absent. */
export function bodyOf<F extends FieldKinds>(fields: F, values: Partial<ValuesOf<F>>): Record<string, unknown> {
  return mapped(fields, (name, kind) => (values[name] === undefined ? undefined : kind.sent(values[name])));
}

function mapped(fields: FieldKinds, make: (name: string, kind: FieldKinds[string]) => unknown) {
  const entries = Object.entries(fields).map(([name, kind]) => [name, make(name, kind)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** The number in a text; null for an empty text. Any other text is kept, so that the service reports it. */
export function wholeNumber(text: string): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  const whole = /^-/.test(typed) ? typed : (readAmount(typed, 0) ?? typed);
  return /^-?\d{1,15}$/.test(whole) ? Number(whole) : typed;
}
