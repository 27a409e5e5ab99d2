import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import {
  CheckField,
  Dialog,
  decimalsOf,
  FormView,
  fromMinorUnits,
  Money,
  MoneyField,
  minorUnits,
  TextField,
  useForm,
} from '../../kit/index.ts';
import type { Order } from './states.tsx';

/** Records a refund that was made at the provider. */
export function RefundDialog({ order, onDone, onClose }: { order: Order; onDone(): void; onClose(): void }) {
  const { id, orderNumber, total, refundedAmount, currency } = order;
  const decimals = decimalsOf(currency);
  const left = fromMinorUnits(minorUnits(total, decimals) - minorUnits(refundedAmount, decimals), decimals);
  const form = useForm({
    key: `orders/${id}/refund`,
    read: { values: { amount: left, refundId: '', reason: '', restock: false } },
    saved: `Refund of order ${orderNumber} recorded.`,
    async save(_, __, all) {
      const { amount, refundId, reason, restock } = all;
      await had(
        api.POST('/stores/{storeId}/orders/{id}/refund', {
          params: { path: at({ id }) },
          body: { amount, restock, ...(refundId ? { refundId } : {}), ...(reason ? { reason } : {}) },
        }),
      );
      onDone();
      return { values: all };
    },
  });
  return (
    <Dialog title={`Record a refund of order ${orderNumber}`} onClose={onClose}>
      <FormView form={form} saveLabel="Record refund">
        <p class="notice">
          This moves no money. Refund the buyer at the provider first; what its notices tell is recorded by itself.
        </p>
        <MoneyField
          form={form}
          name="amount"
          label={`Amount in ${currency}`}
          hint={
            <>
              At most <Money amount={left} currency={currency} />, which was not refunded yet
            </>
          }
        />
        <TextField
          form={form}
          name="refundId"
          label="Refund id at the provider"
          hint="A refund with the same id is recorded only once"
        />
        <TextField form={form} name="reason" label="Reason" />
        {can('order.write') && <CheckField form={form} name="restock" label="Return all items to stock" />}
      </FormView>
    </Dialog>
  );
}
