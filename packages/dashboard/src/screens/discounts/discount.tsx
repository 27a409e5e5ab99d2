import type { Versioned } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  choice,
  count,
  DeleteMenu,
  deleteItem,
  Facts,
  Fields,
  FormView,
  ItemPage,
  line,
  Money,
  money,
  type ScreenProps,
  Section,
  Time,
  time,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { type Discount, DiscountState, usesOf, Value } from './discounts.tsx';

const code = {
  code: line('Code', { isRequired: true, hint: 'Without spaces; upper and lower case are the same' }),
  type: choice<Discount['type']>(
    'Kind',
    [
      ['percent', 'A percentage of the subtotal'],
      ['amount', 'An amount'],
    ],
    { start: 'percent' },
  ),
  value: money('Takes off', { isRequired: true }),
};
const limits = {
  minSubtotal: money('Minimum subtotal', { hint: 'No minimum if empty' }),
  usageLimit: count('Maximum number of uses'),
};
const times = { startsAt: time('Begins'), endsAt: time('Ends') };

/** One code: its discount, its period and its uses. */
export default function DiscountScreen({ params: { id } }: ScreenProps) {
  const loaded = useItem('discounts', id);
  const item = loaded.data?.item;
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what="the code"
      title={id ? (item?.code ?? 'Discount code') : 'New discount code'}
      back={{ to: 'discounts', label: 'Discounts' }}
      beside={item && <DiscountState discount={item} />}
      actions={item && can('discount.delete') && <DeleteMenu onDelete={() => remove(item)} />}
      scope="discount.write"
      why="the form for codes"
      form={(read) => <DiscountForm read={read} onSaved={loaded.set} />}
      facts={(read) => <DiscountFacts discount={read.item} />}
    />
  );
}

function remove({ id, code, used }: Discount): Promise<boolean> {
  return deleteItem('discounts', id, {
    title: 'Delete this code?',
    text: `“${code}” can no longer be used. ${used === 0 ? 'It was never used.' : `The ${used} orders that used it keep their price.`}`,
    said: 'Code deleted.',
  });
}

function DiscountForm({
  read,
  onSaved,
}: {
  read: Versioned<Discount> | undefined;
  onSaved(saved: Versioned<Discount>): void;
}) {
  const form = useItemForm({
    of: 'discounts',
    fields: { ...code, ...limits, ...times },
    read,
    saved: 'Code saved.',
    onSaved: (now) => (read ? onSaved(now) : void navigate(`discounts/${now.item.id}`, { replace: true })),
  });
  const currency = who.value?.store.currency;
  const isPercent = form.values.value.type === 'percent';
  return (
    <FormView form={form}>
      <Section title="The code">
        <div class="field-row">
          <Fields
            form={form}
            of={code}
            but={{ value: { label: isPercent ? 'Discount in %' : `Discount in ${currency}` } }}
          />
        </div>
      </Section>
      <Section title="Conditions">
        <div class="field-row">
          <Fields
            form={form}
            of={limits}
            but={{
              minSubtotal: { label: `Minimum subtotal in ${currency}` },
              usageLimit: {
                hint: read ? `Used ${usesOf(read.item)} so far; unlimited if empty` : 'Unlimited if empty',
              },
            }}
          />
        </div>
        <div class="field-row">
          <Fields form={form} of={times} />
        </div>
      </Section>
    </FormView>
  );
}

function DiscountFacts({ discount }: { discount: Discount }) {
  const { minSubtotal, startsAt, endsAt } = discount;
  return (
    <Section title="The code">
      <Facts
        of={[
          [code.value.label, <Value key="v" discount={discount} />],
          [limits.minSubtotal.label, minSubtotal ? <Money key="m" amount={minSubtotal} /> : 'any'],
          [times.startsAt.label, <Time key="s" at={startsAt} />],
          [times.endsAt.label, <Time key="e" at={endsAt} />],
          ['Used', usesOf(discount)],
        ]}
      />
    </Section>
  );
}
