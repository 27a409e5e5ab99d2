import { type Noun, nounNames } from '../kernel/nouns.ts';

/** An event as stored in the outbox. */
export interface StoredEvent {
  id: string;
  type: string;
  storeId: string;
  createdAt: number;
  /** The resource, JSON. */
  data: string;
}

const changed = ['created', 'updated', 'deleted'] as const;

/** Events that only some resources have. */
const ofOrders = ['created', 'updated', 'paid', 'fulfilled', 'cancelled', 'refunded'] as const;
const ofPayments = ['unmatched', 'dismissed'] as const;
const ofRefunds = ['failed'] as const;

export type EventType =
  | `${Noun | 'media'}.${(typeof changed)[number]}`
  | `order.${(typeof ofOrders)[number]}`
  | `payment.${(typeof ofPayments)[number]}`
  | `refund.${(typeof ofRefunds)[number]}`;

const changesOf = (noun: Noun | 'media') => changed.map((what) => `${noun}.${what}` as const);
const [product, ...others] = nounNames;

/** Every event that a subscription can name. The data of each is the whole resource. */
export const eventTypes: readonly EventType[] = [
  ...changesOf(product as Noun),
  ...ofOrders.map((what) => `order.${what}` as const),
  ...others.flatMap(changesOf),
  ...changesOf('media'),
  ...ofPayments.map((what) => `payment.${what}` as const),
  ...ofRefunds.map((what) => `refund.${what}` as const),
];

/** Resources without a scope of their own, with the one whose scope protects them. */
const protectedBy: Readonly<Record<string, string>> = { refund: 'order' };

/** The scope that reads the resource of an event. */
export function readScopeOf(event: string): string {
  const resource = event.slice(0, event.indexOf('.'));
  return `${protectedBy[resource] ?? resource}.read`;
}

/**
 * The events that a subscription's entries select. An entry is an event's name, or `<resource>.*` for every event of the resource.
 * Undefined if an entry matches no event.
 */
export function expandEvents(entries: readonly string[]): EventType[] | undefined {
  const chosen = new Set<EventType>();
  for (const entry of entries) {
    const matches = eventTypes.filter(
      (type) => type === entry || (entry.endsWith('.*') && type.startsWith(entry.slice(0, -1))),
    );
    if (matches.length === 0 || entry === '.*') return undefined;
    for (const type of matches) chosen.add(type);
  }
  return eventTypes.filter((type) => chosen.has(type));
}
