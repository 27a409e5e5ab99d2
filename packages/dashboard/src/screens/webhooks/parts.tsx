import type { Schemas } from '../../api/types.ts';
import { Badge, type Column, Time, type Tone } from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { eventNames } from './events.ts';

const words = t.webhooks;
const texts = words.deliveries;

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];

export function SubscriptionState({ webhook: { isActive, disabledReason } }: { webhook: Webhook }) {
  if (isActive) return <Badge tone="good">{words.on}</Badge>;
  return disabledReason ? <Badge tone="bad">{words.disabled}</Badge> : <Badge>{words.off}</Badge>;
}

const tones: Record<Delivery['status'], Tone> = {
  pending: 'wait',
  succeeded: 'good',
  failed: 'bad',
  cancelled: 'plain',
};

const eventOptions = [...eventNames, 'webhook.test'].map((name) => [name, actionWords(name)] as const);

export function DeliveryState({ status }: { status: Delivery['status'] }) {
  return <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>;
}

/** An event in words, with its name for developers. */
export function EventName({ event }: { event: string }) {
  return (
    <>
      {actionWords(event)} <code class="quiet">{event}</code>
    </>
  );
}

/** The last answer in short: its status, or the reason for its absence. */
export function answerOf({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return texts.notSent;
  return last.responseCode === null ? (last.error ?? texts.noResponse) : texts.response(last.responseCode);
}

export const deliveryColumns: readonly Column<Delivery>[] = [
  { label: texts.event, cell: ({ event }) => <EventName event={event} />, card: 'title' },
  { label: texts.queued, cell: ({ createdAt }) => <Time at={createdAt} age />, card: 'amount' },
  { label: texts.attempts, cell: ({ attempts }) => formatNumber(attempts.length), end: true },
  { label: texts.lastResponse, cell: (delivery) => <bdi>{answerOf(delivery)}</bdi>, card: 'meta' },
  { label: texts.status, cell: ({ status }) => <DeliveryState status={status} />, card: 'state' },
];

export const deliveryFilters = [
  { name: 'status', label: texts.status, options: Object.entries(texts.statuses) },
  { name: 'event', label: texts.event, options: eventOptions },
];
