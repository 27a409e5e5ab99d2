import { api, at, had } from '../../api/client.ts';
import {
  Dialog,
  decimalsOf,
  FormView,
  MoneyField,
  SelectField,
  TextField,
  TimeField,
  useForm,
} from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { Order } from './states.tsx';
import { offlineKind, usualMethod } from './unpaid.ts';

const words = t.orders.pay;
const methods = Object.entries(words.methods);

/** Records a manual payment, such as a transfer or cash. */
export function PayDialog({ order, onDone, onClose }: { order: Order; onDone(): void; onClose(): void }) {
  const { id, orderNumber, total, currency } = order;
  const isOffline = offlineKind(order) !== undefined;
  const form = useForm({
    key: `orders/${id}/pay`,
    read: {
      values: { method: usualMethod(order) as string, amount: total, reference: '', paidAt: null as string | null },
    },
    saved: words.done(orderNumber),
    async save(_, __, all) {
      const { method, amount, reference, paidAt } = all;
      await had(
        api.POST('/stores/{storeId}/orders/{id}/payments', {
          params: { path: at({ id }) },
          body: { method, amount, ...(reference ? { reference } : {}), ...(paidAt ? { paidAt } : {}) },
        }),
      );
      onDone();
      return { values: all };
    },
  });
  return (
    <Dialog title={isOffline ? words.markTitle(orderNumber) : words.title(orderNumber)} onClose={onClose}>
      <FormView form={form} saveLabel={isOffline ? words.markPaid : words.action}>
        <p class="quiet">{isOffline ? words.markHint : words.hint}</p>
        <SelectField form={form} name="method" label={words.method} options={methods} />
        <MoneyField form={form} name="amount" label={words.amount(currency)} decimals={decimalsOf(currency)} />
        <TextField form={form} name="reference" label={words.reference} hint={words.referenceHint} />
        <TimeField form={form} name="paidAt" label={words.paidAt} hint={words.paidAtHint} />
      </FormView>
    </Dialog>
  );
}
