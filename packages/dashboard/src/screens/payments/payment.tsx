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
import { Disputes } from '../../kit/terms/disputes.tsx';
import { methodOf, providerNames } from '../../kit/terms/payment.ts';
import { PaymentLink } from '../../kit/terms/payment-link.tsx';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { ApplyDialog } from './apply-dialog.tsx';
import { canGiveBack, GiveBackDialog } from './give-back.tsx';
import { isUnmatched, Match, type Payment, PaymentStatus, whyOf } from './words.tsx';

const words = t.payments;

/** One payment: its facts, why it waits, and its actions. */
export default function PaymentScreen({ params: { id = '' } }: ScreenProps) {
  const [layer, setLayer] = useState<'apply' | 'dismiss' | 'giveBack'>();
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
      title={payment ? methodOf(payment.provider, payment.method) : words.one}
      back={{ to: 'payments', label: words.title }}
      beside={payment && <PaymentStatus status={payment.status} />}
      actions={
        payment &&
        isOpen &&
        can('payment.write') && (
          <>
            {isUnmatched(payment) && <Button onClick={() => setLayer('dismiss')}>{words.dismiss.button}</Button>}
            {canGiveBack(payment) && (
              <Button icon="back" onClick={() => setLayer('giveBack')}>
                {words.giveBack.button}
              </Button>
            )}
            <Button kind="primary" icon="check" onClick={() => setLayer('apply')}>
              {words.apply.button}
            </Button>
          </>
        )
      }
    >
      <Shown of={loaded} what={words.the} rows={6}>
        {(one) => (
          <div class="columns">
            <div>
              <Section title={words.result} actions={<Match matched={one.matched} />}>
                <p>{whyOf(one)}</p>
                {one.orderId && <OrderLine id={one.orderId} />}
                {one.dismissedAt && (
                  <p class="quiet">
                    {filled(words.dismissedAt, { time: <Time at={one.dismissedAt} /> })}
                    {can('auditLog.read') &&
                      filled(words.reasonInLog, {
                        log: <a href={href(`audit?resourceId=${one.id}`)}>{words.auditLog}</a>,
                      })}
                  </p>
                )}
              </Section>
              <Disputes payments={[one]} />
            </div>
            <div class="aside">
              <PaymentFacts payment={one} />
            </div>
          </div>
        )}
      </Shown>
      {payment && layer === 'apply' && <ApplyDialog payment={payment} onDone={changed} onClose={close} />}
      {payment && layer === 'giveBack' && (
        <GiveBackDialog
          payment={payment}
          onDone={() => {
            close();
            loaded.reload();
          }}
          onClose={close}
        />
      )}
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
      {filled(words.refersTo, {
        order: loaded.data ? (
          <a href={href(`orders/${id}`)}>{loaded.data.orderNumber}</a>
        ) : (
          <code>
            <UserText>{id}</UserText>
          </code>
        ),
      })}
    </p>
  );
}

function PaymentFacts({ payment }: { payment: Payment }) {
  const { amount, capturedAmount, refundedAmount, currency, provider, method, reference, paidAt, createdAt } = payment;
  const { facts } = words;
  const money = (label: string, value: string | null): Fact => [
    label,
    <Money key={label} amount={value} currency={currency} />,
  ];
  const { providerPaymentId, relatedIds } = payment;
  const ids = [...new Set([providerPaymentId, ...Object.values(relatedIds)])];
  return (
    <Section title={facts.title}>
      <Facts
        of={[
          money(facts.amount, amount),
          ...(Number(capturedAmount) > 0 && capturedAmount !== amount ? [money(facts.captured, capturedAmount)] : []),
          ...(Number(refundedAmount) > 0 ? [money(facts.refunded, refundedAmount)] : []),
          [facts.method, <UserText key="m">{methodOf(provider, method)}</UserText>],
          ...(reference ? [[facts.reference, <UserText key="r">{reference}</UserText>] as Fact] : []),
          [facts.paid, <Time key="p" at={paidAt} />],
          [facts.created, <Time key="c" at={createdAt} />],
        ]}
      />
      {provider !== 'manual' && (
        <>
          <p class="ids-title">
            <PaymentLink provider={provider} id={relatedIds.capture ?? relatedIds.intent ?? providerPaymentId} />
          </p>
          <h3 class="ids-title">{facts.ids(providerNames[provider])}</h3>
          <ul class="ids">
            {ids.map((one) => (
              <li key={one}>
                <code>{one}</code>
                <Copy text={one} what={facts.id} />
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
    saved: words.dismiss.done,
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
    <Dialog title={words.dismiss.title} onClose={onClose}>
      <FormView form={form} saveLabel={words.dismiss.save}>
        <p class="quiet">{words.dismiss.text}</p>
        <AreaField form={form} name="reason" label={words.dismiss.reason} rows={3} hint={words.dismiss.hint} />
      </FormView>
    </Dialog>
  );
}
