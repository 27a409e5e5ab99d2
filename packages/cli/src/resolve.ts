import {
  type Commerce,
  CommerceError,
  type Context,
  findIdsByPrefix,
  type IdTable,
  listApiKeys,
  listCategories,
  listCustomers,
  listDiscounts,
  listInvoices,
  listOrders,
  listPages,
  listProducts,
  listStores,
  listUsers,
  listWebhooks,
} from '@commerce/core';

/** Kinds of things that the command line can name by something other than an id. */
export type Kind =
  | 'product'
  | 'category'
  | 'page'
  | 'customer'
  | 'order'
  | 'discount'
  | 'payment'
  | 'media'
  | 'webhook'
  | 'key'
  | 'user'
  | 'delivery'
  | 'mail'
  | 'notification'
  | 'withdrawal'
  | 'invoice';

interface Naming {
  table: IdTable;
  /** Ids of the things that have the text as a name; not called for ids. */
  find(shop: Context, text: string): Promise<string[]>;
}

/** Ids of the items of a list. */
const idsOf = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id);

const nothing = async () => [];

/** Names of each kind, in addition to its id. */
const namings: Record<Kind, Naming> = {
  product: {
    table: 'products',
    async find(shop, text) {
      const [bySlug, bySku] = [await listProducts(shop, { slug: text }), await listProducts(shop, { sku: text })];
      return [...new Set([...idsOf(bySlug), ...idsOf(bySku)])];
    },
  },
  category: { table: 'categories', find: async (shop, slug) => idsOf(await listCategories(shop, { slug })) },
  page: { table: 'pages', find: async (shop, slug) => idsOf(await listPages(shop, { slug })) },
  customer: {
    table: 'customers',
    find: async (shop, email) => (email.includes('@') ? idsOf(await listCustomers(shop, { email })) : []),
  },
  order: {
    table: 'orders',
    find: async (shop, text) =>
      /^ord-\d+$/i.test(text) ? idsOf(await listOrders(shop, { orderNumber: text.toUpperCase() })) : [],
  },
  discount: { table: 'discounts', find: async (shop, code) => idsOf(await listDiscounts(shop, { code })) },
  payment: { table: 'payments', find: nothing },
  notification: { table: 'payment_notifications', find: nothing },
  delivery: { table: 'deliveries', find: nothing },
  withdrawal: { table: 'withdrawals', find: nothing },
  invoice: { table: 'invoices', find: async (shop, number) => idsOf(await listInvoices(shop, { number })) },
  mail: { table: 'mails', find: nothing },
  media: { table: 'media', find: nothing },
  webhook: {
    table: 'webhooks',
    async find(shop, url) {
      const { items } = await listWebhooks(shop, { limit: 200 });
      return idsOf({ items: items.filter((one) => one.url === url) });
    },
  },
  key: { table: 'api_keys', find: findKeys },
  user: {
    table: 'users',
    async find(shop, text) {
      const email = text.trim().toLowerCase();
      const { items } = await listUsers(shop, { limit: 200 });
      return idsOf({ items: items.filter((user) => user.email.toLowerCase() === email) });
    },
  },
};

/** Ids of the keys with the text as name or prefix. */
async function findKeys(shop: Context, text: string): Promise<string[]> {
  const found: string[] = [];
  // A store may have more keys than fit on a page: an old key that leaked has to be found, too.
  for (let offset = 0, total = 1; offset < total; ) {
    const page = await listApiKeys(shop, { limit: 200, offset });
    found.push(...idsOf({ items: page.items.filter((one) => one.name === text || one.prefix === text) }));
    total = page.total;
    offset += page.items.length || 200;
  }
  return found;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** True for a whole id, whether the thing exists or not. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

/** A prefix of an id, as a table shows it. */
const beginning = /^([0-9a-f]{8}[0-9a-f-]{0,27})…?$/i;

/**
 * The id that a text names by an id, a prefix of one, a slug, a SKU, an e-mail or an order number. A text that names nothing is returned
 * unchanged, and the operation reports that the thing does not exist.
 * @throws CommerceError `conflict` if it names several
 */
export async function resolveId(shop: Context, kind: Kind, text: string): Promise<string> {
  if (isId(text)) return text.toLowerCase();
  // An unset shell variable names nothing. As a filter, an empty text would match everything.
  if (text.trim() === '') return text;
  const { table, find } = namings[kind];
  const named = await find(shop, text);
  const found = named.length > 0 ? named : await idsBeginning(shop, table, text);
  return one(found, kind, text);
}

async function idsBeginning(shop: Context, table: IdTable, text: string): Promise<string[]> {
  const [, prefix] = beginning.exec(text) ?? [];
  return prefix === undefined ? [] : findIdsByPrefix(shop, table, prefix.toLowerCase());
}

/** The id of the store that a text names by its id, a prefix of it, or its name. */
export async function resolveStoreId(commerce: Commerce, text: string): Promise<string> {
  if (isId(text)) return text.toLowerCase();
  const { items } = await listStores(commerce.engine);
  const prefix = beginning.exec(text)?.[1]?.toLowerCase();
  const named = items.filter(({ name }) => name === text);
  const found = named.length > 0 ? named : items.filter(({ id }) => prefix !== undefined && id.startsWith(prefix));
  return one(
    found.map(({ id }) => id),
    'store',
    text,
  );
}

function one(found: readonly string[], what: string, text: string): string {
  if (found.length <= 1) return found[0] ?? text;
  throw new CommerceError('conflict', `${JSON.stringify(text)} is ambiguous: ${what} ${found.join(', ')}; use the id`);
}

/**
 * An input with names replaced by ids. Values that are not texts stay, so that core reports them.
 * @param references kinds by field
 */
export async function resolveFields(
  shop: Context,
  input: Record<string, unknown>,
  references: Readonly<Record<string, Kind>>,
): Promise<Record<string, unknown>> {
  const resolved = { ...input };
  for (const [field, kind] of Object.entries(references)) {
    const value = input[field];
    if (typeof value === 'string') resolved[field] = await resolveId(shop, kind, value);
    if (!Array.isArray(value)) continue;
    const list: unknown[] = [];
    for (const entry of value) list.push(typeof entry === 'string' ? await resolveId(shop, kind, entry) : entry);
    resolved[field] = list;
  }
  return resolved;
}
