import { type ComponentChildren, Fragment } from 'preact';
import { ChecksField } from './checks-field.tsx';
import { AreaField, CheckField, type FieldProps, MoneyField, SelectField, TextField } from './fields.tsx';
import type { Control, FieldKind, Options } from './kinds.ts';
import type { Values } from './merge.ts';
import { RowsField } from './rows-field.tsx';
import { TimeField } from './time-field.tsx';
import type { Form } from './use-form.ts';

/** The control of each kind of field. */
const controls: {
  [C in Control['control']]: (field: FieldProps<Values>, kind: Extract<Control, { control: C }>) => ComponentChildren;
} = {
  line: (field, { type, inputMode, placeholder }) => (
    <TextField {...field} type={type} inputMode={inputMode} placeholder={placeholder} />
  ),
  money: (field, { decimals }) => <MoneyField {...field} decimals={decimals} />,
  area: (field, { rows }) => <AreaField {...field} rows={rows} />,
  choice: (field, { options }) => <SelectField {...field} options={options} />,
  check: (field) => <CheckField {...field} />,
  time: (field) => <TimeField {...field} />,
  checks: (field, { groups }) => <ChecksField {...field} groups={groups} />,
  rows: (field, { one, fields, blank, titleOf, ordered }) => (
    <RowsField {...field} one={one} fields={fields} blank={blank} titleOf={titleOf} ordered={ordered} />
  ),
  own: () => null,
};

/**
 * Fields in their order, each with the control of its kind.
 * @param but replaces words, choices or decimals that only the screen knows
 */
export function Fields<T extends Values>({
  form,
  of,
  but = {},
}: {
  form: Form<T>;
  // biome-ignore lint/suspicious/noExplicitAny: fields of all kinds together
  of: { readonly [K in keyof T]?: FieldKind<any> };
  but?: {
    readonly [K in keyof T]?: Partial<Pick<FieldKind<unknown>, 'label' | 'hint'>> & {
      options?: Options;
      decimals?: number;
    };
  };
}) {
  return (
    <>
      {Object.entries<FieldKind<unknown> | undefined>(of).map(([name, said]) => {
        const kind = { ...said, ...but[name] } as FieldKind<unknown>;
        const draw = controls[kind.control] as (field: FieldProps<Values>, kind: Control) => ComponentChildren;
        const field = { form: form as unknown as Form<Values>, name, label: kind.label, hint: kind.hint };
        return <Fragment key={name}>{draw(field, kind)}</Fragment>;
      })}
    </>
  );
}
