import { api, at, had } from '../../api/client.ts';
import {
  AreaField,
  Dialog,
  decimalsOf,
  FormView,
  formatMoney,
  fromMinorUnits,
  Money,
  MoneyField,
  minorUnits,
  useForm,
  useOnce,
} from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { askForRefund } from '../../kit/terms/refund.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { isUnmatched, type Payment } from './words.tsx';

const words = t.payments.giveBack;

/** What is left of the money of a payment. */
export function leftOf({ capturedAmount, refundedAmount, currency }: Payment): string {
  const decimals = decimalsOf(currency ?? 'USD');
  const left = minorUnits(capturedAmount, decimals) - minorUnits(refundedAmount, decimals);
  return fromMinorUnits(left > 0n ? left : 0n, decimals);
}

/** Whether its provider can be asked to give the money back. The account that has the money of `wrongPayee` is not the shop's. */
export const canGiveBack = (payment: Payment): boolean =>
  (isUnmatched(payment) || payment.matched === 'dismissed') &&
  payment.matched !== 'wrongPayee' &&
  payment.status === 'succeeded' &&
  payment.provider !== 'manual' &&
  Number(leftOf(payment)) > 0;

/** Asks the provider to give back money that paid no order. */
export function GiveBackDialog({ payment, onDone, onClose }: { payment: Payment; onDone(): void; onClose(): void }) {
  const { id, provider } = payment;
  const currency = payment.currency ?? 'USD';
  const left = leftOf(payment);
  const once = useOnce();
  const form = useForm({
    key: `payments/${id}/refund`,
    read: { values: { amount: left, reason: '' } },
    async save(_, __, all) {
      const bodyOf = () => ({ amount: all.amount.trim(), ...(all.reason.trim() ? { reason: all.reason.trim() } : {}) });
      const { item } = await askForRefund(() =>
        once(all, bodyOf, (header, body) =>
          had(api.POST('/stores/{storeId}/payments/{id}/refund', { params: { path: at({ id }), header }, body })),
        ),
      );
      onDone();
      const money = formatMoney(item.amount, currency);
      return { values: all, said: item.status === 'pending' ? words.begun(money) : words.done(money) };
    },
  });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <FormView form={form} saveLabel={words.save}>
        <p>{words.text(providerNames[provider])}</p>
        <MoneyField
          form={form}
          name="amount"
          label={t.refunds.dialog.amount(currency)}
          decimals={decimalsOf(currency)}
          hint={filled(t.refunds.dialog.most, { amount: <Money amount={left} currency={currency} /> })}
        />
        <AreaField
          form={form}
          name="reason"
          label={t.refunds.dialog.reason}
          rows={3}
          hint={t.refunds.dialog.reasonHint}
        />
        <p class="quiet">{t.refunds.dialog.fees(providerNames[provider])}</p>
      </FormView>
    </Dialog>
  );
}
