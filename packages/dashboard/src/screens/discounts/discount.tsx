import { useRef, useState } from 'preact/hooks';
import type { Versioned } from '../../api/client.ts';
import { can, who } from '../../api/session.ts';
import { navigate } from '../../browser/router.ts';
import {
  Button,
  bodyOf,
  DeleteMenu,
  deleteItem,
  Facts,
  Field,
  Fields,
  FormView,
  ItemPage,
  Money,
  type ScreenProps,
  Section,
  Time,
  timeZone,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { randomCode } from './code.ts';
import { type Discount, DiscountState, usesOf, Value } from './discounts.tsx';
import { discountFields, groups, valueFields, valueFor } from './fields.ts';
import { discountOf, summaryOf } from './summary.ts';

const words = t.discounts;

/** One code: its discount, its period and its uses. */
export default function DiscountScreen({ params: { id } }: ScreenProps) {
  const loaded = useItem('discounts', id);
  const item = loaded.data?.item;
  return (
    <ItemPage
      of={id ? loaded : undefined}
      what={words.it}
      title={id ? (item?.code ?? words.one) : words.create}
      back={{ to: 'discounts', label: words.title }}
      beside={item && <DiscountState discount={item} />}
      actions={item && can('discount.delete') && <DeleteMenu onDelete={() => remove(item)} />}
      scope="discount.write"
      why={words.form}
      form={(read) => <DiscountForm read={read} onSaved={loaded.set} />}
      facts={(read) => <DiscountFacts discount={read.item} />}
    />
  );
}

function remove({ id, code, used }: Discount): Promise<boolean> {
  return deleteItem('discounts', id, {
    title: words.sure,
    text: words.sureText(code, used),
    said: words.deleted,
  });
}

function DiscountForm({
  read,
  onSaved,
}: {
  read: Versioned<Discount> | undefined;
  onSaved(saved: Versioned<Discount>): void;
}) {
  const type = useRef(read?.item.type ?? 'percent');
  const [fields] = useState(() => discountFields(() => type.current));
  const form = useItemForm({
    of: 'discounts',
    fields,
    read,
    saved: words.saved,
    onSaved: (now) => (read ? onSaved(now) : void navigate(`discounts/${now.item.id}`, { replace: true })),
  });
  const { value: values } = form.values;
  type.current = values.type;
  const typed: typeof form = {
    ...form,
    set(field, value) {
      form.set(field, value);
      if (field === 'type') form.set('value', valueFor(value as Discount['type'], values.value));
    },
  };
  const currency = who.value?.store.currency ?? 'USD';
  const described = discountOf(() => bodyOf(fields, values));
  return (
    <FormView form={form}>
      <Section title={words.section}>
        <Field form={form} name="code" label={words.code} hint={words.codeHint}>
          {(control) => (
            <div class="code-field">
              <input
                {...control}
                dir="auto"
                autoComplete="off"
                value={values.code}
                onInput={({ currentTarget }) => form.set('code', currentTarget.value)}
              />
              <Button onClick={() => form.set('code', randomCode())}>{words.generate}</Button>
            </div>
          )}
        </Field>
        <div class="field-row">
          <Fields form={typed} of={groups.type} />
          <Fields
            form={form}
            of={{ value: valueFields[values.type] }}
            but={{ value: { label: values.type === 'percent' ? words.percentage : words.amountIn(currency) } }}
          />
        </div>
      </Section>
      <Section title={words.conditions}>
        <div class="field-row">
          <Fields
            form={form}
            of={groups.limits}
            but={{
              minSubtotal: { label: words.minSubtotalIn(currency) },
              ...(read ? { usageLimit: { hint: words.usageLimitUsed(usesOf(read.item)) } } : {}),
            }}
          />
        </div>
        <div class="field-row">
          <Fields form={form} of={groups.times} />
        </div>
        {described && <p role="status">{summaryOf(described, currency, timeZone())}</p>}
      </Section>
    </FormView>
  );
}

function DiscountFacts({ discount }: { discount: Discount }) {
  const { minSubtotal, startsAt, endsAt } = discount;
  return (
    <Section title={words.section}>
      <Facts
        of={[
          [words.value, <Value key="v" discount={discount} />],
          [words.minSubtotal, minSubtotal ? <Money key="m" amount={minSubtotal} /> : words.anyAmount],
          [words.startsAt, <Time key="s" at={startsAt} />],
          [words.endsAt, <Time key="e" at={endsAt} />],
          [words.used, usesOf(discount)],
        ]}
      />
    </Section>
  );
}
