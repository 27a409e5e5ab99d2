import { formatMoney } from '../../kit/money.ts';
import { formatTime } from '../../kit/time.ts';
import { t } from '../../words/words.ts';
import { percentText } from '../goods/percent.ts';
import type { Discount } from './discounts.tsx';

type Summed = Pick<Discount, 'type' | 'value' | 'minSubtotal' | 'startsAt' | 'endsAt' | 'usageLimit'>;

/** A discount in one sentence. */
export function summaryOf(
  { type, value, minSubtotal, startsAt, endsAt, usageLimit }: Summed,
  currency: string,
  zone: string,
): string {
  const time = (at: string | null) => (at === null ? undefined : formatTime(at, zone));
  return t.discounts.summary({
    value: type === 'percent' ? percentText(value) : formatMoney(value, currency),
    min: minSubtotal === null ? undefined : formatMoney(minSubtotal, currency),
    starts: time(startsAt),
    ends: time(endsAt),
    uses: usageLimit ?? undefined,
  });
}

const isAmount = (value: unknown) => typeof value === 'string' && /^\d+(\.\d+)?$/.test(value);

/** The discount that a form describes; undefined while a value is missing or wrong. @param body makes the body of the request */
export function discountOf(body: () => Record<string, unknown>): Summed | undefined {
  let made: Record<string, unknown>;
  try {
    made = body();
  } catch {
    // A value cannot be sent. Saving says which one.
    return undefined;
  }
  const { value, minSubtotal, usageLimit } = made;
  if (!isAmount(value) || !/[1-9]/.test(String(value))) return undefined;
  if (minSubtotal !== null && !isAmount(minSubtotal)) return undefined;
  return usageLimit === null || typeof usageLimit === 'number' ? (made as Summed) : undefined;
}
