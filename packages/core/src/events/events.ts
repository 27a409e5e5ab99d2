/** An event as stored in the outbox. */
export interface StoredEvent {
  id: string;
  type: string;
  storeId: string;
  createdAt: number;
  /** The resource, JSON. */
  data: string;
}

/** Every event that a subscription can name. The data of each is the whole resource. */
export const eventTypes = [
  'product.created',
  'product.updated',
  'product.deleted',
  'order.created',
  'order.updated',
  'order.paid',
  'order.fulfilled',
  'order.cancelled',
  'order.refunded',
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'category.created',
  'category.updated',
  'category.deleted',
  'page.created',
  'page.updated',
  'page.deleted',
  'media.created',
  'media.updated',
  'media.deleted',
  'payment.unmatched',
  'payment.dismissed',
] as const;

export type EventType = (typeof eventTypes)[number];

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
