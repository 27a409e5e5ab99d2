import { type Form, TextField } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { Order } from './sums.ts';
import type { RefundValues } from './values.ts';

const words = t.refunds.dialog;

/** Who gives the money back: the provider, or the shop itself, which is then only recorded. */
export function Way({ form, order, sender }: { form: Form<RefundValues>; order: Order; sender: string | undefined }) {
  const { way } = form.values.value;
  const isByHand = order.paymentProvider === 'manual' || order.paymentProvider === null;
  const id = <TextField form={form} name="refundId" label={words.id} hint={words.idHint} />;
  if (!sender) {
    return (
      <>
        <p class="notice">{isByHand ? words.byHand : words.notAllowed}</p>
        {!isByHand && id}
      </>
    );
  }
  const option = (value: RefundValues['way'], label: string, hint: string) => (
    <>
      <label class="check">
        <input
          type="radio"
          name="way"
          checked={way === value}
          aria-describedby={`refund-way-${value}`}
          onChange={() => form.set('way', value)}
        />
        {label}
      </label>
      <p class="hint" id={`refund-way-${value}`}>
        {hint}
      </p>
    </>
  );
  return (
    <fieldset class="checks refund-way">
      <legend>{words.way}</legend>
      {option('send', words.bySender(sender), words.fees(sender))}
      {option('record', words.onlyRecord, words.onlyRecordHint)}
      {way === 'record' && id}
    </fieldset>
  );
}
