import type { Schemas } from '../../api/types.ts';

export type Entry = Schemas['AuditLog'];

/** Kinds of changed things, and the screen that shows one. */
export const things: Record<string, readonly [label: string, path?: (id: string) => string]> = {
  order: ['Order', (id) => `orders/${id}`],
  payment: ['Payment', (id) => `payments/${id}`],
  paymentProvider: ['Payment provider', (id) => `payments/providers/${id}`],
  product: ['Product', (id) => `products/${id}`],
  category: ['Category'],
  media: ['Media'],
  page: ['Page', (id) => `pages/${id}`],
  customer: ['Customer', (id) => `customers/${id}`],
  discount: ['Discount', (id) => `discounts/${id}`],
  checkout: ['Checkout'],
  webhook: ['Webhook', (id) => `webhooks/${id}`],
  apiKey: ['API key', (id) => `keys/${id}`],
  store: ['Store', () => 'settings'],
};

export const thingOptions = Object.entries(things).map(([value, [label]]) => [value, label] as const);

/** The actor, as far as it is known. */
export function actorOf({ actorType, actorId }: Entry, keyName: (id: string) => string | undefined): string {
  switch (actorType) {
    case 'apiKey':
      return keyName(actorId ?? '') ?? `Key ${actorId?.slice(-6) ?? ''}`;
    case 'provider':
      return actorId ?? 'Payment provider';
    case 'cli':
      return 'Command line';
    case 'system':
      return 'The service';
    default:
      return 'The application';
  }
}

/** A value as a text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value);
}

/** A changed field, or a fact about the action: a fact has no `from`. */
export interface Change {
  field: string;
  from?: string;
  to: string;
}

export function changesOf({ changes }: Pick<Entry, 'changes'>): Change[] {
  return Object.entries(changes).map(([field, value]) => {
    const isPair =
      typeof value === 'object' &&
      value !== null &&
      'to' in value &&
      Object.keys(value).every((name) => name === 'from' || name === 'to');
    if (!isPair) return { field, to: textOf(value) };
    const { from, to } = value as { from?: unknown; to: unknown };
    return { field, from: textOf(from), to: textOf(to) };
  });
}

/** Longest value in a summary. */
const maxShown = 40;

/** The changes in one line: "price: 10.00 → 12.50". */
export function summaryOf(entry: Pick<Entry, 'changes'>): string {
  const short = (text: string) => (text.length > maxShown ? `${text.slice(0, maxShown)}…` : text).replace(/\s+/g, ' ');
  return changesOf(entry)
    .map(({ field, from, to }) =>
      from === undefined ? `${field}: ${short(to)}` : `${field}: ${short(from)} → ${short(to)}`,
    )
    .join('; ');
}
