import { useId } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { type ApiError, toApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import { useGuard } from '../../kit/form/amount-input.tsx';
import {
  atPieces,
  Button,
  CheckField,
  Dialog,
  decimalsOf,
  type Form,
  FormView,
  formatMoney,
  Money,
  MoneyField,
  Shown,
  TextField,
  useForm,
  useLoad,
  useOnce,
} from '../../kit/index.ts';
import { isSource, providerNames } from '../../kit/terms/payment.ts';
import { askForRefund } from '../../kit/terms/refund.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { loadRefunds } from './load.ts';
import { Pieces } from './pieces.tsx';
import { amountText, type Choice, type Order, type Refund, refundableOf } from './sums.ts';
import {
  allOf,
  amountOf,
  bodyOf,
  canRestock,
  checksOf,
  type Facts,
  hasPieces,
  type RefundValues,
  restocks,
  startValues,
} from './values.ts';
import { Way } from './way.tsx';

const words = t.refunds.dialog;

interface Props {
  order: Order;
  /** Lines with pieces that are in no parcel. */
  toShip: Facts['toShip'];
  /** The failed refund that is tried again, as a new one. */
  again?: Refund | undefined;
  /** What is chosen at the start. */
  proposed?: Choice | undefined;
  onDone(): void;
  /** Called after a refusal, which can have changed the refunds. */
  onStale(): void;
  onClose(): void;
}

/** The provider that can send the money of an order back; undefined if only a record is possible. */
export function senderOf({ paymentProvider }: Order): string | undefined {
  const isProvider = isSource(paymentProvider) && paymentProvider !== 'manual';
  return isProvider && can('payment.write') ? providerNames[paymentProvider] : undefined;
}

/** Gives money of an order back, through the provider that took it; or records that the shop has done so. */
export function RefundDialog(props: Props) {
  const { order, onClose } = props;
  const loaded = useLoad(order.id, (signal) => loadRefunds(order.id, signal));
  const title = senderOf(order) ? words.title(order.orderNumber) : words.recordTitle(order.orderNumber);
  return (
    <Dialog title={title} onClose={onClose}>
      <Shown of={loaded} what={t.refunds.what} rows={5}>
        {({ made }) => <RefundForm {...props} made={made} reload={loaded.reload} />}
      </Shown>
    </Dialog>
  );
}

function RefundForm({
  order,
  toShip,
  again,
  proposed,
  made,
  reload,
  onDone,
  onStale,
}: Props & { made: Refund[]; reload(): void }) {
  const { id, orderNumber, currency } = order;
  const facts: Facts = { order, made, toShip, rest: refundableOf(order, made) };
  const { rest } = facts;
  const sender = senderOf(order);
  const once = useOnce();
  const form = useForm<RefundValues>({
    key: `orders/${id}/refund${again ? `/${again.refundId}` : ''}`,
    read: { values: startValues(facts, sender !== undefined, again, proposed) },
    places: () => ['parts'],
    async save(_, __, all) {
      let lines: readonly { itemId: string }[] = [];
      try {
        const { item } = await askForRefund(() =>
          once(
            all,
            () => bodyOf(facts, all),
            (header, body) => {
              lines = body.lines ?? [];
              return had(
                api.POST('/stores/{storeId}/orders/{id}/refund', { params: { path: at({ id }), header }, body }),
              );
            },
          ),
        );
        onDone();
        return { values: all, said: saidOf(item, orderNumber, all.way, currency) };
      } catch (thrown) {
        reload();
        onStale();
        throw placed(toApiError(thrown), lines, all.isOther);
      }
    },
  });
  useGuard(form, () => checksOf(facts, form.values.value));
  const values = form.values.value;
  const isSent = values.way === 'send';
  const amount = amountOf(facts, values);
  const shown = /^\d+(\.\d+)?$/.test(amount) ? formatMoney(amount, currency) : undefined;
  const waiting = made.find(({ status, kind }) => status === 'pending' && kind === 'refund');
  return (
    <FormView
      form={form}
      saveLabel={isSent ? (shown && Number(amount) > 0 ? words.send(shown) : words.action) : words.record}
    >
      {waiting && (
        <p class="notice">{filled(words.waiting, { amount: <Money amount={waiting.amount} currency={currency} /> })}</p>
      )}
      <Parts form={form} facts={facts} />
      <CheckField form={form} name="isOther" label={words.other} hint={words.otherHint} />
      {values.isOther && (
        <MoneyField
          form={form}
          name="amount"
          label={words.amount(currency)}
          decimals={decimalsOf(currency)}
          hint={filled(words.most, { amount: <Money amount={amountText(rest, rest.left)} currency={currency} /> })}
        />
      )}
      <p class="refund-sum" role="status">
        {shown && filled(words.goesBack, { amount: <strong>{shown}</strong> })}
      </p>
      <Restock form={form} facts={facts} />
      <TextField form={form} name="reason" label={words.reason} hint={words.reasonHint} />
      <Way form={form} order={order} sender={sender} />
    </FormView>
  );
}

/** Pieces and shipping to refund. */
function Parts({ form, facts }: { form: Form<RefundValues>; facts: Facts }) {
  const { rest, order } = facts;
  const id = useId();
  const reason = form.errors.value.parts;
  if (rest.lines.length === 0 && rest.shipping === undefined) return null;
  const all = () => {
    for (const [name, value] of Object.entries(allOf(facts, form.values.value))) form.set(name, value);
  };
  return (
    <fieldset class="pieces" aria-describedby={reason ? id : undefined}>
      <legend>{words.parts}</legend>
      {rest.lines.map((line) => (
        <Pieces key={line.item.id} form={form} line={line} rest={rest} currency={order.currency} />
      ))}
      {rest.shipping !== undefined && (
        <div class="piece">
          <label class="check">
            <input
              type="checkbox"
              name="shipping"
              checked={form.values.value.shipping}
              onChange={({ currentTarget }) => form.set('shipping', currentTarget.checked)}
            />
            {words.shipping}
          </label>
          <Money amount={amountText(rest, rest.shipping)} currency={order.currency} />
        </div>
      )}
      {reason && (
        <p class="reason" id={id} role="alert">
          {reason}
        </p>
      )}
      <Button kind="quiet" onClick={all}>
        {words.everything}
      </Button>
    </fieldset>
  );
}

/** Whether the items come back. */
function Restock({ form, facts }: { form: Form<RefundValues>; facts: Facts }) {
  const id = useId();
  const values = form.values.value;
  if (!canRestock(facts, values)) return null;
  return (
    <div class="field">
      <label class="check">
        <input
          type="checkbox"
          checked={restocks(facts, values)}
          aria-describedby={id}
          onChange={({ currentTarget }) => form.set('restock', currentTarget.checked ? 'yes' : 'no')}
        />
        {hasPieces(facts, values) ? words.restock : words.restockAll}
      </label>
      <p class="hint" id={id}>
        {words.restockHint}
      </p>
    </div>
  );
}

/** The message about a refund that was asked for or recorded. */
function saidOf({ amount, status }: Refund, orderNumber: string, way: RefundValues['way'], currency: string): string {
  if (way === 'record') return words.recorded(orderNumber);
  const money = formatMoney(amount, currency);
  return status === 'pending' ? words.begun(money) : words.sent(money);
}

/** Shows refusals of a line at its pieces, and those of fields that the dialog has no place for at all parts. */
function placed(error: ApiError, lines: readonly { itemId: string }[], isOther: boolean): ApiError {
  const elsewhere = ['lines', 'shipping', 'restock', ...(isOther ? [] : ['amount'])];
  const shown = atPieces(error, lines);
  return shown.with(
    shown.details.map((detail) => {
      return elsewhere.includes(detail.field.split('.')[0] ?? '') ? { ...detail, field: 'parts' } : detail;
    }),
  );
}
