import { type Form, Money, PiecesField, piecesName, piecesOf } from '../../kit/index.ts';
import { amountText, type Refundable, type RefundableLine } from './sums.ts';
import type { RefundValues } from './values.ts';

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
  const quantity = piecesOf(String(form.values.value[piecesName(item.id)] ?? ''), left);
  return (
    <PiecesField form={form} item={item} left={left}>
      <span class="refund-part">
        {quantity ? <Money amount={amountText(rest, amountOf(quantity))} currency={currency} /> : ''}
      </span>
    </PiecesField>
  );
}
