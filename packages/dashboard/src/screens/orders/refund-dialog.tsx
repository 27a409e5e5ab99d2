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
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import type { Order } from './states.tsx';

/** Records a refund that was made at the provider. */
export function RefundDialog({ order, onDone, onClose }: { order: Order; onDone(): void; onClose(): void }) {
  const { id, orderNumber, total, refundedAmount, currency } = order;
  const decimals = decimalsOf(currency);
  const left = fromMinorUnits(minorUnits(total, decimals) - minorUnits(refundedAmount, decimals), decimals);
  const form = useForm({
    key: `orders/${id}/refund`,
    read: { values: { amount: left, refundId: '', reason: '', restock: false } },
    saved: t.orders.refund.done(orderNumber),
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
    <Dialog title={t.orders.refund.title(orderNumber)} onClose={onClose}>
      <FormView form={form} saveLabel={t.orders.refund.action}>
        <p class="notice">{t.orders.refund.notice}</p>
        <MoneyField
          form={form}
          name="amount"
          label={t.orders.refund.amount(currency)}
          decimals={decimals}
          hint={filled(t.orders.refund.most, { amount: <Money amount={left} currency={currency} /> })}
        />
        <TextField form={form} name="refundId" label={t.orders.refund.id} hint={t.orders.refund.idHint} />
        <TextField form={form} name="reason" label={t.orders.refund.reason} />
        {can('order.write') && <CheckField form={form} name="restock" label={t.orders.refund.restock} />}
      </FormView>
    </Dialog>
  );
}
