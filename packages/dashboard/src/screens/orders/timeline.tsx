import type { ComponentChildren } from 'preact';
import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { Badge, Money, Section, Shown, Time, UserText, useLoad } from '../../kit/index.ts';

type Entry = Schemas['TimelineEntry'];

/** The actor, for entries without a key. */
const actors: Record<Schemas['AuditLog']['actorType'], string> = {
  apiKey: 'a key',
  provider: 'the payment provider',
  cli: 'the command line',
  system: 'the service',
  embedder: 'the application',
};

/** Entries of the audit log in words; other entries are shown by their names. */
const actions: Record<string, string> = {
  'order.created': 'Order made',
  'order.updated': 'Order changed',
  'order.paid': 'Order paid',
  'order.fulfilled': 'Marked as sent',
  'order.cancelled': 'Order cancelled',
  'order.refunded': 'Refund recorded',
  'payment.recorded': 'Payment recorded',
  'payment.applied': 'Payment applied to the order',
};

/** History of the order, the newest event first. */
export function Timeline({ id, turn }: { id: string; turn: number }) {
  const loaded = useLoad(
    id,
    (signal) => had(api.GET('/stores/{storeId}/orders/{id}/timeline', { params: { path: at({ id }) }, signal })),
    String(turn),
  );
  return (
    <Section title="History">
      <Shown of={loaded} what="the order history" rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">Nothing that your key can read.</p>
          ) : (
            <ol class="timeline">
              {[...items].reverse().map((entry, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: not every entry has an id
                <li key={i}>
                  <span class="quiet">
                    <Time at={entry.at} />
                  </span>
                  <span>{told(entry)}</span>
                </li>
              ))}
            </ol>
          )
        }
      </Shown>
    </Section>
  );
}

/** An entry in words. */
function told(entry: Entry): ComponentChildren {
  switch (entry.kind) {
    case 'audit': {
      const { action, changes, actorType } = entry.audit;
      const fields = Object.keys(changes);
      return (
        <>
          <strong>{actions[action] ?? action}</strong> by {actors[actorType]}
          {fields.length > 0 && <span class="quiet"> · {fields.join(', ')}</span>}
        </>
      );
    }
    case 'payment': {
      const { provider, amount, currency, status, reference } = entry.payment;
      return (
        <>
          <strong>Payment</strong> by {provider}: <Money amount={amount} currency={currency} />, {status}{' '}
          <UserText>{reference}</UserText>
        </>
      );
    }
    case 'refund':
      return (
        <>
          <strong>Refund</strong> of <Money amount={entry.refund.amount} /> <code>{entry.refund.refundId}</code>
        </>
      );
    case 'delivery': {
      const { event, status, attempts } = entry.delivery;
      const tone = status === 'succeeded' ? 'good' : status === 'failed' ? 'bad' : 'plain';
      return (
        <>
          <strong>{event}</strong> told to a subscriber <Badge tone={tone}>{status}</Badge>
          {attempts.length > 1 && <span class="quiet"> after {attempts.length} attempts</span>}
        </>
      );
    }
  }
}
