import type { Scope } from '../engine/scopes.ts';
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
const ofProducts = ['low_stock'] as const;
const ofOrders = ['created', 'updated', 'paid', 'shipped', 'fulfilled', 'delivered', 'cancelled', 'refunded'] as const;
const ofPayments = ['unmatched', 'dismissed', 'disputed'] as const;
const ofCheckouts = ['expired'] as const;
const ofRefunds = ['failed'] as const;
const ofWithdrawals = ['received'] as const;
const ofInvoices = ['created'] as const;

export type EventType =
  | `${Noun | 'media'}.${(typeof changed)[number]}`
  | `product.${(typeof ofProducts)[number]}`
  | `order.${(typeof ofOrders)[number]}`
  | `checkout.${(typeof ofCheckouts)[number]}`
  | `payment.${(typeof ofPayments)[number]}`
  | `refund.${(typeof ofRefunds)[number]}`
  | `withdrawal.${(typeof ofWithdrawals)[number]}`
  | `invoice.${(typeof ofInvoices)[number]}`;

const changesOf = (noun: Noun | 'media') => changed.map((what) => `${noun}.${what}` as const);
const [product, ...others] = nounNames;

/** Every event that a subscription can name. The data of each is the whole resource. */
export const eventTypes: readonly EventType[] = [
  ...changesOf(product as Noun),
  ...ofProducts.map((what) => `product.${what}` as const),
  ...ofOrders.map((what) => `order.${what}` as const),
  ...ofCheckouts.map((what) => `checkout.${what}` as const),
  ...others.flatMap(changesOf),
  ...changesOf('media'),
  ...ofPayments.map((what) => `payment.${what}` as const),
  ...ofRefunds.map((what) => `refund.${what}` as const),
  ...ofWithdrawals.map((what) => `withdrawal.${what}` as const),
  ...ofInvoices.map((what) => `invoice.${what}` as const),
];

/** Scopes of events whose data is more than the resource of their name. */
const scopesOf: Partial<Record<EventType, readonly Scope[]>> = {
  // The checkout itself says nothing about the buyer.
  'checkout.expired': ['checkout.read', 'order.read'],
  'refund.failed': ['order.read'],
  'invoice.created': ['order.read'],
};

/** The scopes that are needed to receive an event: the read scope of its resource, unless its data is more. */
export function eventScopes(type: EventType): readonly Scope[] {
  return scopesOf[type] ?? [`${type.slice(0, type.indexOf('.'))}.read` as Scope];
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
