import { useRef } from 'preact/hooks';
import { api, at, had, hadItem, type Versioned } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { navigate } from '../../browser/router.ts';
import {
  actAfter,
  Facts,
  FormView,
  Menu,
  Money,
  MoneyField,
  NoScope,
  Page,
  type Read,
  type ScreenProps,
  Section,
  SelectField,
  Shown,
  TextField,
  Time,
  TimeField,
  useForm,
  useLoad,
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

function toRead(read?: Versioned<Discount>): Read<FormValues> {
  const { code = '', type = 'percent', value = '', minSubtotal, startsAt, endsAt, usageLimit } = read?.item ?? {};
  return {
    values: {
      code,
      type,
      value,
      minSubtotal: minSubtotal ?? '',
      startsAt: startsAt ?? null,
      endsAt: endsAt ?? null,
      usageLimit: usageLimit === null || usageLimit === undefined ? '' : String(usageLimit),
    },
    ...(read ? { etag: read.etag } : {}),
  };
}

function toBody({ minSubtotal, usageLimit, ...rest }: Partial<FormValues>): Schemas['DiscountChanges'] {
  return {
    ...rest,
    ...(minSubtotal === undefined ? {} : { minSubtotal: minSubtotal.trim() || null }),
    ...(usageLimit === undefined ? {} : { usageLimit: numberOr(usageLimit) as number | null }),
  };
}

const readDiscount = (id: string, signal?: AbortSignal): Promise<Versioned<Discount>> =>
  hadItem(api.GET('/stores/{storeId}/discounts/{id}', { params: { path: at({ id }) }, signal: signal ?? null }));

/** One code: what it takes off, when, and how often it was used. */
export default function DiscountScreen({ params: { id } }: ScreenProps) {
  const loaded = useLoad(id ?? 'new', async (signal) => (id ? readDiscount(id, signal) : undefined));
  const item = loaded.data?.item;
  const back = { to: 'discounts', label: 'Discounts' };
  if (!id) {
    return (
      <Page title="New discount code" back={back}>
        {can('discount.write') ? <DiscountForm /> : <NoScope scope="discount.write" what="how codes are made" />}
      </Page>
    );
  }
  const remove = ({ code, used }: Discount) =>
    actAfter(
      {
        title: 'Delete this code?',
        text: `Nobody can use “${code}” any more. ${used === 0 ? 'It was never used.' : `The ${used} orders that used it keep their price.`}`,
        yes: 'Delete',
      },
      async () => {
        await had(api.DELETE('/stores/{storeId}/discounts/{id}', { params: { path: at({ id }) } }));
        await navigate('discounts', { replace: true });
      },
      'The code is deleted.',
    );
  return (
    <Page
      title={item?.code ?? 'Discount code'}
      back={back}
      beside={item && <DiscountState discount={item} />}
      actions={
        item &&
        can('discount.delete') && (
          <Menu
            label="More to do"
            items={[{ label: 'Delete', icon: 'trash', danger: true, run: () => void remove(item) }]}
          />
        )
      }
    >
      <Shown of={loaded} what="the code" rows={6}>
        {(read) =>
          read &&
          (can('discount.write') ? (
            <DiscountForm key={id} id={id} read={read} onSaved={loaded.set} />
          ) : (
            <DiscountFacts discount={read.item} />
          ))
        }
      </Shown>
    </Page>
  );
}

function DiscountForm({
  id,
  read,
  onSaved,
}: {
  id?: string;
  read?: Versioned<Discount>;
  onSaved?(saved: Versioned<Discount>): void;
}) {
  const made = useRef('');
  const form = useForm<FormValues>({
    key: `discounts/${id ?? 'new'}`,
    read: toRead(read),
    saved: 'The code is saved.',
    async save(changes, etag, all) {
      const saved = id
        ? await hadItem(
            api.PUT('/stores/{storeId}/discounts/{id}', {
              params: { path: at({ id }), header: { 'If-Match': etag } },
              body: toBody(changes),
            }),
          )
        : await hadItem(
            api.POST('/stores/{storeId}/discounts', {
              params: { path: at() },
              body: toBody(all) as Schemas['DiscountInput'],
            }),
          );
      made.current = saved.item.id;
      onSaved?.(saved);
      return toRead(saved);
    },
    onSaved: () => void (id || navigate(`discounts/${made.current}`, { replace: true })),
    ...(id ? { reread: async () => toRead(await readDiscount(id)) } : {}),
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
