import { refusal } from '../../api/errors.ts';
import { choice, count, type FieldKind, line, money, time } from '../../kit/form/kinds.ts';
import { t } from '../../words/words.ts';
import { percentInput, readPercent } from '../goods/percent.ts';
import type { Discount } from './discounts.tsx';

const words = t.discounts;

/** The value, if it is an amount. */
const amount = money(words.value, { isRequired: true });

/** The value, if it is a percentage. */
const percentage: FieldKind<string> = {
  ...line(words.percentage, { isRequired: true, inputMode: 'decimal' }),
  read: (stored) => (typeof stored === 'string' ? percentInput(stored) : ''),
  sent(typed) {
    const percent = readPercent(typed);
    if (percent !== undefined && /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/.test(percent)) return percent;
    throw refusal('value', words.notPercent);
  },
};

/** The fields of a discount, in the groups of the form. */
export const groups = {
  type: {
    type: choice<Discount['type']>(
      words.type,
      [
        ['percent', words.types.percent],
        ['amount', words.types.amount],
      ],
      { start: 'percent' },
    ),
  },
  limits: {
    minSubtotal: money(words.minSubtotal, { hint: words.minSubtotalHint }),
    usageLimit: count(words.usageLimit, { hint: words.usageLimitHint }),
  },
  times: { startsAt: time(words.startsAt), endsAt: time(words.endsAt) },
};

export const valueFields = { percent: percentage, amount } satisfies Record<Discount['type'], FieldKind<string>>;

/** All fields. @param type what the value is now */
export function discountFields(type: () => Discount['type']) {
  const value: FieldKind<string> = {
    ...amount,
    read: (stored) => valueFields[type()].read(stored),
    sent: (typed) => valueFields[type()].sent(typed),
  };
  const code = line(words.code, { isRequired: true });
  return { code, ...groups.type, value, ...groups.limits, ...groups.times };
}

/** A typed value for another type of discount: a percentage is typed as the language writes it, and an amount is a decimal string. */
export const valueFor = (type: Discount['type'], typed: string): string =>
  type === 'percent' ? percentInput(typed) : (readPercent(typed) ?? typed);
