import type { Schemas } from '../../api/types.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { Copy } from '../copy.tsx';
import { Section } from '../page.tsx';
import { Badge, Money, Time, type Tone } from '../text.tsx';
import { PaymentLink } from './payment-link.tsx';

type Payment = Pick<Schemas['Payment'], 'disputes' | 'currency' | 'provider' | 'relatedIds' | 'providerPaymentId'>;
type Dispute = Schemas['Payment']['disputes'][number];

const words = t.payments.disputes;

const tones: Record<Dispute['status'], Tone> = { open: 'bad', won: 'good', lost: 'plain' };

export function DisputeState({ status }: Pick<Dispute, 'status'>) {
  return <Badge tone={tones[status]}>{words.statuses[status]}</Badge>;
}

/** The reasons of all providers that mean the same. */
const reasons: Record<string, keyof typeof words.reasons> = {
  product_not_received: 'notReceived',
  not_received: 'notReceived',
  merchandise_or_service_not_received: 'notReceived',
  product_unacceptable: 'notAsDescribed',
  not_as_described: 'notAsDescribed',
  merchandise_or_service_not_as_described: 'notAsDescribed',
  fraudulent: 'notMade',
  unrecognized: 'notMade',
  no_knowledge: 'notMade',
  unauthorised: 'notMade',
  emv_liability_shift: 'notMade',
  debit_not_authorized: 'notMade',
  credit_not_processed: 'noRefund',
  customer_requests_credit: 'noRefund',
  duplicate: 'twice',
  duplicate_transaction: 'twice',
  amount_differs: 'wrongAmount',
  incorrect_amount: 'wrongAmount',
  paid_by_other_means: 'paidOtherwise',
  payment_by_other_means: 'paidOtherwise',
  subscription_canceled: 'cancelled',
  cancelled: 'cancelled',
  canceled_recurring_billing: 'cancelled',
};

export function reasonOf({ reason }: Pick<Dispute, 'reason'>): string {
  return words.reasons[(reason !== null && Object.hasOwn(reasons, reason) && reasons[reason]) || 'other'];
}

/** The disputes of payments, those that changed last first; nothing without one. */
export function Disputes({ payments }: { payments: readonly Payment[] }) {
  const all = payments.flatMap((payment) => payment.disputes.map((dispute) => ({ payment, dispute })));
  all.sort((a, b) => (a.dispute.updatedAt < b.dispute.updatedAt ? 1 : -1));
  if (all.length === 0) return null;
  return (
    <Section title={words.title}>
      {all.map(({ payment, dispute }) => (
        <div key={dispute.id} class="dispute">
          <p class="dispute-facts">
            <DisputeState status={dispute.status} />
            <strong>
              <Money amount={dispute.amount} currency={payment.currency} />
            </strong>
            <span>{reasonOf(dispute)}</span>
            <Copy text={dispute.id} what={words.id} />
          </p>
          <p class="quiet">
            {dispute.status === 'open' && dispute.dueAt !== null
              ? filled(words.answerBy, { time: <Time at={dispute.dueAt} /> })
              : words.texts[dispute.status]}
          </p>
          {dispute.status === 'open' && payment.provider !== 'manual' && (
            <PaymentLink
              provider={payment.provider}
              id={payment.relatedIds.capture ?? payment.relatedIds.intent ?? payment.providerPaymentId}
            />
          )}
        </div>
      ))}
    </Section>
  );
}
