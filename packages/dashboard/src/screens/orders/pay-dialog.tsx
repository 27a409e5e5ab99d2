import { api, at, had } from '../../api/client.ts';
import { Dialog, FormView, MoneyField, SelectField, TextField, useForm } from '../../kit/index.ts';
import type { Order } from './states.tsx';

const methods = [
  ['transfer', 'Bank transfer'],
  ['cash', 'Cash'],
  ['card', 'Card terminal'],
  ['cheque', 'Cheque'],
  ['other', 'Otherwise'],
] as const;

/** Records a manual payment, such as a transfer or cash. */
export function PayDialog({ order, onDone, onClose }: { order: Order; onDone(): void; onClose(): void }) {
  const { id, orderNumber, total, currency } = order;
  const form = useForm({
    key: `orders/${id}/pay`,
    read: { values: { method: 'transfer', amount: total, reference: '' } },
    saved: `Payment of order ${orderNumber} recorded.`,
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
    <Dialog title={`Record a payment of order ${orderNumber}`} onClose={onClose}>
      <FormView form={form} saveLabel="Record payment">
        <p class="quiet">If the amount equals the total, the order becomes paid and its stock is taken.</p>
        <SelectField form={form} name="method" label="Payment method" options={methods} />
        <MoneyField form={form} name="amount" label={`Amount in ${currency}`} />
        <TextField form={form} name="reference" label="Reference" hint="Such as the reference of a bank transfer" />
      </FormView>
    </Dialog>
  );
}
