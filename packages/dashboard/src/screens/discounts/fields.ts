import { refusal } from '../../api/errors.ts';
import { choice, count, type FieldKind, line, money, time } from '../../kit/form/kinds.ts';
import { t } from '../../words/words.ts';
import { percentInput, readPercent } from '../goods/percent.ts';
import type { Discount } from './discounts.tsx';

const words = t.discounts;

const amount = money(words.value, { isRequired: true });

/** The value, which is a percentage or an amount. @param isPercent whether it is a percentage now */
function valueField(isPercent: () => boolean): FieldKind<string> {
  return {
    ...amount,
    read: (stored) => (isPercent() && typeof stored === 'string' ? percentInput(stored) : amount.read(stored)),
    sent(typed) {
      if (!isPercent()) return amount.sent(typed);
      const percent = percentOf(typed);
      if (percent === undefined) throw refusal('value', words.notPercent);
      return percent;
    },
  };
}

/** A typed percentage that a discount can have: from 0 to 100, with at most two decimals. */
function percentOf(typed: string): string | undefined {
  const percent = readPercent(typed);
  return percent !== undefined && /^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/.test(percent) ? percent : undefined;
}

/** The fields of a discount, in the groups of the form. */
export function discountFields(isPercent: () => boolean) {
  return {
    offered: {
      type: choice<Discount['type']>(
        words.type,
        [
          ['percent', words.types.percent],
          ['amount', words.types.amount],
        ],
        { start: 'percent' },
      ),
      value: valueField(isPercent),
    },
    limits: {
      minSubtotal: money(words.minSubtotal, { hint: words.minSubtotalHint }),
      usageLimit: count(words.usageLimit, { hint: words.usageLimitHint }),
    },
    times: { startsAt: time(words.startsAt), endsAt: time(words.endsAt) },
  };
}

export const code = { code: line(words.code, { isRequired: true, hint: words.codeHint }) };
