import type { Schemas } from '../../api/types.ts';
import type { CheckGroup } from '../../kit/index.ts';

export type EventName = Schemas['Webhook']['events'][number];

const words: Record<string, string> = {
  created: 'Created',
  updated: 'Changed',
  deleted: 'Deleted',
  paid: 'Paid',
  fulfilled: 'Sent',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  unmatched: 'Matches no order',
  dismissed: 'Dismissed',
};

const group = (label: string, resource: string, ...events: string[]): CheckGroup => ({
  label,
  options: events.map((event) => [`${resource}.${event}`, words[event] ?? event] as const),
});

/** Events that a subscription can ask for, in groups. */
export const eventGroups: readonly CheckGroup[] = [
  group('Orders', 'order', 'created', 'updated', 'paid', 'fulfilled', 'cancelled', 'refunded'),
  group('Payments', 'payment', 'unmatched', 'dismissed'),
  group('Products', 'product', 'created', 'updated', 'deleted'),
  group('Categories', 'category', 'created', 'updated', 'deleted'),
  group('Customers', 'customer', 'created', 'updated', 'deleted'),
  group('Pages', 'page', 'created', 'updated', 'deleted'),
  group('Media', 'media', 'created', 'updated', 'deleted'),
];

/** All of them, in this order. */
export const eventNames: readonly string[] = eventGroups.flatMap(({ options }) => options.map(([value]) => value));

/** Events in the order of the groups, so that the same choice is not a change. */
export const inOrder = (events: readonly string[]): string[] => [
  ...eventNames.filter((name) => events.includes(name)),
  ...events.filter((name) => !eventNames.includes(name)),
];

/** A short summary of a choice: "Orders, Payments, product.created". */
export function summaryOf(events: readonly string[]): string {
  if (eventNames.every((name) => events.includes(name))) return 'All events';
  return eventGroups
    .flatMap(({ label, options }) => {
      const chosen = options.filter(([value]) => events.includes(value));
      return chosen.length === options.length ? [label] : chosen.map(([value]) => value);
    })
    .join(', ');
}
