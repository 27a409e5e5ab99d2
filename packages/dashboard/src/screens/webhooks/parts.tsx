import type { Schemas } from '../../api/types.ts';
import { Badge, type Column, Time, type Tone } from '../../kit/index.ts';
import { eventNames } from './events.ts';

export type Webhook = Schemas['Webhook'];
export type Delivery = Schemas['Delivery'];

export function SubscriptionState({ webhook: { isActive, disabledReason } }: { webhook: Webhook }) {
  if (isActive) return <Badge tone="good">On</Badge>;
  return disabledReason ? <Badge tone="bad">Disabled by the service</Badge> : <Badge>Off</Badge>;
}

const states: Record<Delivery['status'], readonly [Tone, string]> = {
  pending: ['wait', 'Waits'],
  succeeded: ['good', 'Delivered'],
  failed: ['bad', 'Failed'],
  cancelled: ['plain', 'Cancelled'],
};

export const deliveryOptions = Object.entries(states).map(([value, [, label]]) => [value, label] as const);
export const eventOptions = [...eventNames, 'webhook.test'].map((name) => [name, name] as const);

export function DeliveryState({ status }: { status: Delivery['status'] }) {
  const [tone, label] = states[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The last answer in short: its status, or the reason for its absence. */
export function answerOf({ attempts }: Delivery): string {
  const last = attempts.at(-1);
  if (!last) return 'not sent yet';
  return last.responseCode === null ? (last.error ?? 'no answer') : `answered ${last.responseCode}`;
}

export const deliveryColumns: readonly Column<Delivery>[] = [
  { label: 'Event', cell: ({ event }) => event, card: 'title' },
  { label: 'Queued', cell: ({ createdAt }) => <Time at={createdAt} age />, card: 'amount' },
  { label: 'Attempts', cell: ({ attempts }) => attempts.length, end: true },
  { label: 'Last response', cell: (delivery) => <bdi>{answerOf(delivery)}</bdi>, card: 'meta' },
  { label: 'State', cell: ({ status }) => <DeliveryState status={status} />, card: 'state' },
];

export const deliveryFilters = [
  { name: 'status', label: 'State', options: deliveryOptions },
  { name: 'event', label: 'Event', options: eventOptions },
];
