import { useId } from 'preact/hooks';
import { Button, type Form, Money, UserText, wholeNumber } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { amountText, type Refundable, type RefundableLine } from './sums.ts';
import { nameOf, type RefundValues } from './values.ts';

const words = t.refunds.dialog;

/** One line of the order with the pieces of it to refund, and what they come to. */
export function Pieces({
  form,
  line: { item, left, amountOf },
  rest,
  currency,
}: {
  form: Form<RefundValues>;
  line: RefundableLine;
  rest: Refundable;
  currency: string;
}) {
  const id = useId();
  const name = nameOf(item.id);
  const value = String(form.values.value[name] ?? '0');
  const typed = wholeNumber(value) ?? 0;
  const quantity = typeof typed === 'number' && typed >= 0 && typed <= left ? typed : undefined;
  const reason = form.errors.value[name];
  const step = (by: number) => form.set(name, String(Math.max(0, Math.min(left, (quantity ?? 0) + by))));
  return (
    <div class="piece">
      <label htmlFor={id}>
        <UserText>{item.titleSnapshot}</UserText>{' '}
        <span class="quiet">
          <UserText>{item.variantTitle ?? Object.values(item.attributesSnapshot).join(', ')}</UserText>
        </span>
      </label>
      <span class="how-many">
        <Button kind="quiet" label={words.less(item.titleSnapshot)} onClick={() => step(-1)}>
          <span aria-hidden="true">−</span>
        </Button>
        <input
          id={id}
          name={name}
          inputMode="numeric"
          autoComplete="off"
          aria-invalid={reason ? 'true' : undefined}
          aria-describedby={`${id}-of${reason ? ` ${id}-reason` : ''}`}
          value={value}
          onInput={({ currentTarget }) => form.set(name, currentTarget.value)}
        />
        <Button kind="quiet" icon="plus" label={words.more(item.titleSnapshot)} onClick={() => step(1)} />
        <span class="quiet" id={`${id}-of`}>
          {words.ofLeft(left)}
        </span>
      </span>
      <span class="refund-part">
        {quantity ? <Money amount={amountText(rest, amountOf(quantity))} currency={currency} /> : ''}
      </span>
      {reason && (
        <p class="reason" id={`${id}-reason`} dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
}
