import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import {
  AreaField,
  Button,
  Copy,
  Dialog,
  type Fact,
  Facts,
  FormView,
  Money,
  Page,
  type ScreenProps,
  Section,
  Shown,
  Time,
  UserText,
  useForm,
  useLoad,
} from '../../kit/index.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { isUnmatched, Match, type Payment, PaymentStatus, providerNames, whyOf } from './words.tsx';

/** One payment: its facts, why it waits, and its actions. */
export default function PaymentScreen({ params: { id = '' } }: ScreenProps) {
  const [layer, setLayer] = useState<'apply' | 'dismiss'>();
  const loaded = useLoad(id, async (signal) => {
    return (await had(api.GET('/stores/{storeId}/payments/{id}', { params: { path: at({ id }) }, signal }))).item;
  });
  const payment = loaded.data;
  const close = () => setLayer(undefined);
  const changed = (now: Payment) => {
    close();
    loaded.set(now);
  };
  const isOpen =
    payment && payment.status === 'succeeded' && payment.matched !== 'paid' && payment.matched !== 'refunded';
  return (
    <Page
      title={payment ? `Payment by ${providerNames[payment.provider]}` : 'Payment'}
      back={{ to: 'payments', label: 'Payments' }}
      beside={payment && <PaymentStatus status={payment.status} />}
      actions={
        payment &&
        isOpen &&
        can('payment.write') && (
          <>
            {isUnmatched(payment) && <Button onClick={() => setLayer('dismiss')}>Dismiss…</Button>}
            <Button kind="primary" icon="check" onClick={() => setLayer('apply')}>
              Apply to an order
            </Button>
          </>
        )
      }
    >
      <Shown of={loaded} what="the payment" rows={6}>
        {(one) => (
          <div class="columns">
            <div>
              <Section title="Result" actions={<Match matched={one.matched} />}>
                <p>{whyOf(one)}</p>
                {one.orderId && <OrderLine id={one.orderId} />}
                {one.dismissedAt && (
                  <p class="quiet">
                    Dismissed <Time at={one.dismissedAt} />
                    {can('auditLog.read') && (
                      <>
                        ; the reason stands in the <a href={href(`audit?resourceId=${one.id}`)}>audit log</a>
                      </>
                    )}
                  </p>
                )}
              </Section>
            </div>
            <div class="aside">
              <PaymentFacts payment={one} />
            </div>
          </div>
        )}
      </Shown>
      {payment && layer === 'apply' && <ApplyDialog payment={payment} onDone={changed} onClose={close} />}
      {payment && layer === 'dismiss' && <DismissDialog payment={payment} onDone={changed} onClose={close} />}
    </Page>
  );
}

/** The order that the payment names, if it exists and the key may see it. */
function OrderLine({ id }: { id: string }) {
  const loaded = useLoad(id, async (signal) => {
    if (!can('order.read')) return undefined;
    const { data, response } = await api.GET('/stores/{storeId}/orders/{id}', { params: { path: at({ id }) }, signal });
    // A buyer can make a payment name any order.
    return response.ok ? data?.item : undefined;
  });
  return (
    <p>
      Refers to order{' '}
      {loaded.data ? (
        <a href={href(`orders/${id}`)}>{loaded.data.orderNumber}</a>
      ) : (
        <code>
          <UserText>{id}</UserText>
        </code>
      )}
      .
    </p>
  );
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const { amount, capturedAmount, refundedAmount, currency, provider, method, reference, paidAt, createdAt } = payment;
  const money = (label: string, value: string | null): Fact => [
    label,
    <Money key={label} amount={value} currency={currency} />,
  ];
  const ids = [...new Set([payment.providerPaymentId, ...Object.values(payment.relatedIds)])];
  return (
    <Section title="The payment">
      <Facts
        of={[
          money('Amount', amount),
          ...(Number(capturedAmount) > 0 && capturedAmount !== amount ? [money('Taken', capturedAmount)] : []),
          ...(Number(refundedAmount) > 0 ? [money('Refunded', refundedAmount)] : []),
          ['Provider', providerNames[provider]],
          ...(method ? [['Method', <UserText key="m">{method}</UserText>] as Fact] : []),
          ...(reference ? [['Reference', <UserText key="r">{reference}</UserText>] as Fact] : []),
          ['Paid', <Time key="p" at={paidAt} />],
          ['Known since', <Time key="c" at={createdAt} />],
        ]}
      />
      {provider !== 'manual' && (
        <>
          <h3 class="ids-title">Ids at the provider</h3>
          <ul class="ids">
            {ids.map((one) => (
              <li key={one}>
                <code>{one}</code>
                <Copy text={one} what="the number" />
              </li>
            ))}
          </ul>
        </>
      )}
    </Section>
  );
}

function DismissDialog({
  payment: { id },
  onDone,
  onClose,
}: {
  payment: Payment;
  onDone(now: Payment): void;
  onClose(): void;
}) {
  const form = useForm({
    key: `payments/${id}/dismiss`,
    read: { values: { reason: '' } },
    saved: 'Payment dismissed.',
    async save(_, __, all) {
      const { item } = await had(
        api.POST('/stores/{storeId}/payments/{id}/dismiss', {
          params: { path: at({ id }) },
          body: { reason: all.reason || null },
        }),
      );
      onDone(item);
      return { values: all };
    },
  });
  return (
    <Dialog title="Dismiss this payment" onClose={onClose}>
      <FormView form={form} saveLabel="Dismiss it">
        <p class="quiet">
          It is removed from the inbox, and no money is moved: refund the buyer at the provider. The order it refers to
          can expire. The payment can still be applied to an order later.
        </p>
        <AreaField form={form} name="reason" label="Reason" rows={3} hint="Kept in the audit log" />
      </FormView>
    </Dialog>
  );
}
