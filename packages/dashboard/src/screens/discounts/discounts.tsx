import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { Badge, type Column, LinkButton, List, Money, Page, Time, type Tone, UserText } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { percentText } from '../goods/percent.ts';

const words = t.discounts;

export type Discount = Schemas['Discount'];

/**
 * Whether a code is usable at a time, with the reason.
 * @param now ISO 8601
 */
export function stateOf({ startsAt, endsAt, usageLimit, used }: Discount, now: string): readonly [Tone, string] {
  if (endsAt && endsAt <= now) return ['plain', words.states.ended];
  if (usageLimit !== null && used >= usageLimit) return ['plain', words.states.usedUp];
  if (startsAt && startsAt > now) return ['wait', words.states.planned];
  return ['good', words.states.valid];
}

export function DiscountState({ discount }: { discount: Discount }) {
  const [tone, label] = stateOf(discount, new Date().toISOString());
  return <Badge tone={tone}>{label}</Badge>;
}

export function Value({ discount: { type, value } }: { discount: Discount }) {
  return type === 'percent' ? <span class="money">{percentText(value)}</span> : <Money amount={value} />;
}

export const usesOf = ({ used, usageLimit }: Discount): string =>
  usageLimit === null ? formatNumber(used) : words.usedOf(used, usageLimit);

const columns: readonly Column<Discount>[] = [
  { label: words.code, cell: ({ code }) => <UserText>{code}</UserText>, card: 'title' },
  {
    label: words.minSubtotal,
    cell: ({ minSubtotal }) =>
      minSubtotal ? <Money amount={minSubtotal} /> : <span class="quiet">{words.anyAmount}</span>,
  },
  { label: words.startsAt, cell: ({ startsAt }) => <Time at={startsAt} form="day" /> },
  { label: words.endsAt, cell: ({ endsAt }) => <Time at={endsAt} form="day" /> },
  { label: words.used, cell: usesOf, end: true, card: 'meta' },
  { label: words.status, cell: (discount) => <DiscountState discount={discount} />, card: 'state' },
  { label: words.value, cell: (discount) => <Value discount={discount} />, end: true, card: 'amount' },
];

/** Discount codes. */
export default function Discounts() {
  return (
    <Page
      title={words.title}
      actions={
        can('discount.write') && (
          <LinkButton to="discounts/new" icon="plus" kind="primary">
            {words.create}
          </LinkButton>
        )
      }
    >
      <List<Discount>
        what={words.many}
        filters={[{ name: 'code', label: words.exactCode }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ code }) => words.named(code)}
        to={({ id }) => `discounts/${id}`}
        load={(values, window, signal) =>
          had(
            api.GET('/stores/{storeId}/discounts', {
              params: { path: at(), query: { ...values, ...window } },
              signal,
            }),
          )
        }
        empty={{
          title: words.empty.title,
          icon: 'discounts',
          children: <p>{words.empty.text}</p>,
        }}
      />
    </Page>
  );
}
