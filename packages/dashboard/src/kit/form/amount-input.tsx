import { useLayoutEffect, useState } from 'preact/hooks';
import { reasonOf } from '../../api/explain.ts';
import { who } from '../../api/session.ts';
import { amountText, readAmount } from '../amount.ts';
import { decimalsOf } from '../money.ts';
import type { Values } from './merge.ts';
import type { Form } from './use-form.ts';

/** Decimals of the currency of the shop. */
export const shopDecimals = (): number => decimalsOf(who.value?.store.currency ?? 'USD');

/**
 * An amount, typed in the language. Its value is the decimal string; a text that is no amount remains as typed, and `amountRefusal` tells.
 */
export function AmountInput({
  value,
  decimals,
  onValue,
  ...control
}: {
  value: string;
  decimals: number;
  onValue(value: string): void;
  id: string;
  name?: string;
  placeholder?: string | undefined;
  'aria-label'?: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}) {
  const [typed, setTyped] = useState('');
  const read = (text: string) => readAmount(text, decimals) ?? text;
  return (
    <input
      {...control}
      dir="auto"
      autoComplete="off"
      inputMode="decimal"
      value={read(typed) === value ? typed : amountText(value)}
      onInput={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onValue(read(currentTarget.value));
      }}
    />
  );
}

/** Why a value of `AmountInput` is no amount; undefined for an amount, and for an empty text. */
export function amountRefusal(value: string, decimals: number): string | undefined {
  if (value.trim() === '') return undefined;
  const found = /^\d+(?:\.(\d+))?$/.exec(value);
  if (found && (found[1] ?? '').length <= decimals) return undefined;
  return reasonOf({ code: 'NOT_AN_AMOUNT', limits: { decimals } });
}

/** Refuses values before they are sent. @param check reasons by the name of the field */
export function useGuard<T extends Values>(form: Form<T>, check: () => Record<string, string | undefined>): void {
  // After each rendering, so that it checks the current values.
  useLayoutEffect(() => form.guard(check));
}
