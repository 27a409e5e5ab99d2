import type { Versioned } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  DeleteMenu,
  deleteItem,
  Facts,
  FormView,
  ItemPage,
  Money,
  MoneyField,
  type ScreenProps,
  Section,
  SelectField,
  TextField,
  Time,
  TimeField,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { type Discount, DiscountState, usesOf, Value } from './discounts.tsx';
import { numberOr } from './number.ts';

type FormValues = {
  code: string;
  type: Discount['type'];
  value: string;
  minSubtotal: string;
  startsAt: string | null;
  endsAt: string | null;
  usageLimit: string;
};

const labels = {
  code: 'Code',
  type: 'Kind',
  value: 'Takes off',
  minSubtotal: 'From a subtotal of',
  startsAt: 'Begins',
  endsAt: 'Ends',
  usageLimit: 'How often it can be used',
};

function toValues(item?: Discount): FormValues {
  const { code = '', type = 'percent', value = '', minSubtotal, startsAt, endsAt, usageLimit } = item ?? {};
  return {
    code,
    type,
    value,
    minSubtotal: minSubtotal ?? '',
    startsAt: startsAt ?? null,
    endsAt: endsAt ?? null,
    usageLimit: usageLimit === null || usageLimit === undefined ? '' : String(usageLimit),
  };
}

function toBody({ minSubtotal, usageLimit, ...rest }: Partial<FormValues>): Schemas['DiscountChanges'] {
  return {
    ...rest,
    ...(minSubtotal === undefined ? {} : { minSubtotal: minSubtotal.trim() || null }),
    ...(usageLimit === undefined ? {} : { usageLimit: numberOr(usageLimit) as number | null }),
  };
}

/** One code: what it takes off, when, and how often it was used. */
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
      why="how codes are made"
      form={(read) => <DiscountForm id={id} read={read} onSaved={loaded.set} />}
      facts={(read) => <DiscountFacts discount={read.item} />}
    />
  );
}

function remove({ id, code, used }: Discount): Promise<boolean> {
  return deleteItem('discounts', id, {
    title: 'Delete this code?',
    text: `Nobody can use “${code}” any more. ${used === 0 ? 'It was never used.' : `The ${used} orders that used it keep their price.`}`,
    said: 'The code is deleted.',
  });
}

function DiscountForm({
  id,
  read,
  onSaved,
}: {
  id: string | undefined;
  read: Versioned<Discount> | undefined;
  onSaved(saved: Versioned<Discount>): void;
}) {
  const form = useItemForm<'discounts', FormValues>({
    of: 'discounts',
    id,
    read,
    saved: 'The code is saved.',
    toValues,
    toBody,
    onSaved: (now) => (id ? onSaved(now) : void navigate(`discounts/${now.item.id}`, { replace: true })),
  });
  const currency = who.value?.store.currency;
  const isPercent = form.values.value.type === 'percent';
  return (
    <FormView form={form} labels={labels}>
      <Section title="The code">
        <div class="field-row">
          <TextField form={form} name="code" label="Code" hint="Without blanks; buyers may write it in any case" />
          <SelectField
            form={form}
            name="type"
            label="Kind"
            options={[
              ['percent', 'A part of the subtotal'],
              ['amount', 'An amount'],
            ]}
          />
          <MoneyField form={form} name="value" label={isPercent ? 'Takes off, in %' : `Takes off, in ${currency}`} />
        </div>
      </Section>
      <Section title="Conditions">
        <div class="field-row">
          <MoneyField
            form={form}
            name="minSubtotal"
            label={`From a subtotal of, in ${currency}`}
            hint="Of any where empty"
          />
          <TextField
            form={form}
            name="usageLimit"
            label="How often it can be used"
            inputMode="numeric"
            hint={
              read
                ? `Used ${usesOf(read.item)} so far; as often as one likes where empty`
                : 'As often as one likes where empty'
            }
          />
        </div>
        <div class="field-row">
          <TimeField form={form} name="startsAt" label="Begins" />
          <TimeField form={form} name="endsAt" label="Ends" />
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
          [labels.value, <Value key="v" discount={discount} />],
          [labels.minSubtotal, minSubtotal ? <Money key="m" amount={minSubtotal} /> : 'any'],
          [labels.startsAt, <Time key="s" at={startsAt} />],
          [labels.endsAt, <Time key="e" at={endsAt} />],
          ['Used', usesOf(discount)],
        ]}
      />
    </Section>
  );
}
