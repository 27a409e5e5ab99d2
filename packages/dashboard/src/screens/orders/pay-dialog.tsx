import { api, at, had } from '../../api/client.ts';
import { Dialog, decimalsOf, FormView, MoneyField, SelectField, TextField, useForm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { Order } from './states.tsx';

const methods = Object.entries(t.orders.pay.methods);

/** Records a manual payment, such as a transfer or cash. */
export function PayDialog({ order, onDone, onClose }: { order: Order; onDone(): void; onClose(): void }) {
  const { id, orderNumber, total, currency } = order;
  const form = useForm({
    key: `orders/${id}/pay`,
    read: { values: { method: 'transfer', amount: total, reference: '' } },
    saved: t.orders.pay.done(orderNumber),
    async save(_, __, all) {
      const { method, amount, reference } = all;
      await had(
        api.POST('/stores/{storeId}/orders/{id}/payments', {
          params: { path: at({ id }) },
          body: { method, amount, ...(reference ? { reference } : {}) },
        }),
      );
      onDone();
      return { values: all };
    },
  });
  return (
    <Dialog title={t.orders.pay.title(orderNumber)} onClose={onClose}>
      <FormView form={form} saveLabel={t.orders.pay.action}>
        <p class="quiet">{t.orders.pay.hint}</p>
        <SelectField form={form} name="method" label={t.orders.pay.method} options={methods} />
        <MoneyField form={form} name="amount" label={t.orders.pay.amount(currency)} decimals={decimalsOf(currency)} />
        <TextField form={form} name="reference" label={t.orders.pay.reference} hint={t.orders.pay.referenceHint} />
      </FormView>
    </Dialog>
  );
}
