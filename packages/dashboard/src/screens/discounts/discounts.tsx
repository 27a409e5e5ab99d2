import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { Badge, type Column, LinkButton, List, Money, Page, Time, type Tone, UserText } from '../../kit/index.ts';

export type Discount = Schemas['Discount'];

/**
 * Whether a code is usable at a time, with the reason.
 * @param now ISO 8601
 */
export function stateOf({ startsAt, endsAt, usageLimit, used }: Discount, now: string): readonly [Tone, string] {
  if (endsAt && endsAt <= now) return ['plain', 'Ended'];
  if (usageLimit !== null && used >= usageLimit) return ['plain', 'Used up'];
  if (startsAt && startsAt > now) return ['wait', 'Planned'];
  return ['good', 'Valid'];
}

export function DiscountState({ discount }: { discount: Discount }) {
  const [tone, label] = stateOf(discount, new Date().toISOString());
  return <Badge tone={tone}>{label}</Badge>;
}

export function Value({ discount: { type, value } }: { discount: Discount }) {
  return type === 'percent' ? <span class="money">{value} %</span> : <Money amount={value} />;
}

export const usesOf = ({ used, usageLimit }: Discount): string =>
  usageLimit === null ? used.toLocaleString() : `${used.toLocaleString()} of ${usageLimit.toLocaleString()}`;

const columns: readonly Column<Discount>[] = [
  { label: 'Code', cell: ({ code }) => <UserText>{code}</UserText>, card: 'title' },
  {
    label: 'Minimum subtotal',
    cell: ({ minSubtotal }) => (minSubtotal ? <Money amount={minSubtotal} /> : <span class="quiet">any</span>),
  },
  { label: 'Begins', cell: ({ startsAt }) => <Time at={startsAt} form="day" /> },
  { label: 'Ends', cell: ({ endsAt }) => <Time at={endsAt} form="day" /> },
  { label: 'Used', cell: (discount) => `${usesOf(discount)}`, end: true, card: 'meta' },
  { label: 'State', cell: (discount) => <DiscountState discount={discount} />, card: 'state' },
  { label: 'Discount', cell: (discount) => <Value discount={discount} />, end: true, card: 'amount' },
];

/** Discount codes. */
export default function Discounts() {
  return (
    <Page
      title="Discounts"
      actions={
        can('discount.write') && (
          <LinkButton to="discounts/new" icon="plus" kind="primary">
            New code
          </LinkButton>
        )
      }
    >
      <List<Discount>
        what="codes"
        filters={[{ name: 'code', label: 'Full code' }]}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ code }) => `code ${code}`}
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
          title: 'No discount codes yet',
          icon: 'discounts',
          children: <p>A code gives a discount to buyers who enter it at checkout.</p>,
        }}
      />
    </Page>
  );
}
