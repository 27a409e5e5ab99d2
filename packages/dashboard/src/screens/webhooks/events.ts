import type { Schemas } from '../../api/types.ts';
import type { CheckGroup } from '../../kit/index.ts';
import { actionWords } from '../../kit/terms/action.ts';
import { t } from '../../words/words.ts';

export type EventName = Schemas['Webhook']['events'][number];

const { groups, verbs } = t.webhooks;

const group = (resource: keyof typeof groups, ...events: (keyof typeof verbs)[]): CheckGroup => ({
  label: groups[resource],
  options: events.map((event) => [`${resource}.${event}`, verbs[event]] as const),
});

/** Events that a subscription can ask for, in groups. */
export const eventGroups: readonly CheckGroup[] = [
  group('order', 'created', 'updated', 'paid', 'shipped', 'fulfilled', 'delivered', 'cancelled', 'refunded'),
  group('payment', 'unmatched', 'dismissed', 'disputed'),
  group('refund', 'failed'),
  group('checkout', 'expired'),
  group('withdrawal', 'received'),
  group('invoice', 'created'),
  group('product', 'created', 'updated', 'deleted', 'low_stock'),
  group('category', 'created', 'updated', 'deleted'),
  group('customer', 'created', 'updated', 'deleted'),
  group('page', 'created', 'updated', 'deleted'),
  group('media', 'created', 'updated', 'deleted'),
];

/** All of them, in this order. */
export const eventNames: readonly string[] = eventGroups.flatMap(({ options }) => options.map(([value]) => value));

/** Events in the order of the groups, so that the same choice is not a change. */
export const inOrder = (events: readonly string[]): string[] => [
  ...eventNames.filter((name) => events.includes(name)),
  ...events.filter((name) => !eventNames.includes(name)),
];

/** A short summary of a choice: "Orders, Payments, Product created". */
export function summaryOf(events: readonly string[]): string {
  if (eventNames.every((name) => events.includes(name))) return t.webhooks.allEvents;
  return eventGroups
    .flatMap(({ label, options }) => {
      const chosen = options.filter(([value]) => events.includes(value));
      return chosen.length === options.length ? [label] : chosen.map(([value]) => actionWords(value));
    })
    .join(', ');
}
