import type { ComponentChildren } from 'preact';
import { api, at, had } from '../../api/client.ts';
import type { Schemas } from '../../api/types.ts';
import { Badge, Money, Section, Shown, Time, type Tone, useLoad } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { providerName } from './states.tsx';

type Entry = Schemas['TimelineEntry'];

const { history } = t.orders;
const actors: Record<Schemas['AuditLog']['actorType'], string> = history.actors;
const paymentStatus: Record<Schemas['Payment']['status'], string> = history.paymentStatus;
const deliveryStatus: Record<Schemas['Delivery']['status'], string> = history.deliveryStatus;
const deliveryTone: Record<Schemas['Delivery']['status'], Tone> = {
  pending: 'wait',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

/** History of the order, the newest event first. */
export function Timeline({ id, turn }: { id: string; turn: number }) {
  const loaded = useLoad(
    id,
    (signal) => had(api.GET('/stores/{storeId}/orders/{id}/timeline', { params: { path: at({ id }) }, signal })),
    String(turn),
  );
  return (
    <Section title={history.title}>
      <Shown of={loaded} what={history.what} rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">{history.none}</p>
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
      const { action, actorType } = entry.audit;
      return (
        <>
          <strong>{actionName(action)}</strong> {filled(history.by, { actor: actors[actorType] })}
        </>
      );
    }
    case 'payment': {
      const { provider, amount, currency, status } = entry.payment;
      return filled(history.payment, {
        amount: <Money amount={amount} currency={currency} />,
        provider: providerName(provider),
        status: paymentStatus[status],
      });
    }
    case 'refund':
      return filled(history.refund, { amount: <Money amount={entry.refund.amount} /> });
    case 'delivery': {
      const { event, status, attempts } = entry.delivery;
      return (
        <>
          {filled(history.delivery, { event: <code>{event}</code> })}{' '}
          <Badge tone={deliveryTone[status]}>{deliveryStatus[status]}</Badge>
          {attempts.length > 1 && <span class="quiet"> {history.attempts(attempts.length)}</span>}
        </>
      );
    }
  }
}

function actionName(action: string): string {
  const actions: Record<string, string> = history.actions;
  return Object.hasOwn(actions, action) ? (actions[action] as string) : history.other;
}
