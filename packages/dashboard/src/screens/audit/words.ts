import type { Schemas } from '../../api/types.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { t } from '../../words/words.ts';

export type Entry = Schemas['AuditLog'];

const words = t.audit;
type Kind = Exclude<keyof typeof words.resources, 'settings'>;

/** The screen of each kind of resource, if it has one. */
const screens: Record<Kind, ((id: string) => string) | undefined> = {
  order: (id) => `orders/${id}`,
  payment: (id) => `payments/${id}`,
  paymentProvider: (id) => `payments/providers/${id}`,
  product: (id) => `products/${id}`,
  category: undefined,
  media: undefined,
  page: (id) => `pages/${id}`,
  customer: (id) => `customers/${id}`,
  discount: (id) => `discounts/${id}`,
  checkout: undefined,
  webhook: (id) => `webhooks/${id}`,
  subscriber: (id) => `subscribers/${id}`,
  apiKey: (id) => `keys/${id}`,
  user: (id) => `people/${id}`,
  store: () => 'settings',
  mail: (id) => `mails/${id}`,
  mailTemplate: undefined,
  withdrawal: (id) => `withdrawals/${id}`,
  invoice: undefined,
};

const isKind = (name: string): name is Kind => Object.hasOwn(screens, name);

/** The changed resource: its kind in words, and its screen. */
export function thingOf({ resourceType, resourceId }: Pick<Entry, 'resourceType' | 'resourceId'>): {
  label: string;
  path?: string | undefined;
} {
  if (!isKind(resourceType)) return { label: resourceType };
  return { label: words.resources[resourceType], path: screens[resourceType]?.(resourceId) };
}

export const thingOptions = Object.keys(screens)
  .filter(isKind)
  .map((kind) => [kind, words.resources[kind]] as const);

/** The actor, as far as it is known. */
export function actorOf({ actorType, actorId }: Entry, keyName: (id: string) => string | undefined): string {
  switch (actorType) {
    case 'apiKey':
      return keyName(actorId ?? '') ?? words.actors.key(actorId?.slice(-6) ?? '');
    case 'user':
      return keyName(actorId ?? '') ?? words.actors.user;
    case 'provider':
      return providerOf(actorId) ?? words.actors.provider;
    case 'cli':
      return words.actors.cli;
    case 'system':
      return words.actors.system;
    default:
      return words.actors.embedder;
  }
}

function providerOf(id: string | null): string | null {
  const names: Record<string, string> = providerNames;
  return id !== null && Object.hasOwn(names, id) ? (names[id] as string) : id;
}

/** A value as a text. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? words.yes : words.no;
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
