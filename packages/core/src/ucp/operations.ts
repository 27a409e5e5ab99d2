import { sql } from 'kysely';
import type { Context } from '../engine/context.ts';
import { searchWords } from '../kernel/fold.ts';
import { isId } from '../kernel/ids.ts';
import { formatMoney, maxAmount, minorColumn } from '../kernel/money.ts';
import type { Product } from '../products/fields.ts';
import { findPublished } from '../products/list.ts';
import { unindexedText } from '../storage/planner.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { readingOf } from '../storage/run.ts';
import {
  cursorAfter,
  readLookup,
  readProduct,
  readSearch,
  type SelectedOption,
  type UcpContext,
  type UcpFilters,
} from './inputs.ts';
import { hasOptions, type Options, optionsOf } from './options.ts';
import { groupPrefix, isAvailable, ownOptions, Printer, productId, type UcpProduct } from './print.ts';
import { type Family, idsOfSlugs, membersOfGroup, readFamilies, readPublished, Shelves } from './read.ts';
import { statementOf } from './version.ts';

/** What an answer tells beside its products. */
interface Message {
  type: 'error' | 'warning' | 'info';
  code: string;
  content: string;
  path?: string;
  severity?: 'recoverable' | 'unrecoverable';
  presentation?: 'disclosure';
}

/** Safety notes in an answer. */
const maxNotes = 20;

/** The filters of a request, as this store can follow them. */
interface Narrowing {
  min: number | undefined;
  max: number | undefined;
  /** Slugs or ids of categories, in lower case; undefined for all. */
  categories: ReadonlySet<string> | undefined;
  messages: Message[];
}

function narrowingOf({ store }: Context, filters: UcpFilters | undefined, context: UcpContext): Narrowing {
  const { categories = [], price = {} } = filters ?? {};
  const wanted = context?.currency?.toUpperCase();
  const isOther = wanted !== undefined && wanted !== store.currency;
  const isPriced = price.min !== undefined || price.max !== undefined;
  return {
    ...(isOther ? { min: undefined, max: undefined } : { min: price.min, max: price.max }),
    categories: categories.length > 0 ? new Set(categories.map((one) => one.trim().toLowerCase())) : undefined,
    messages:
      isOther && isPriced
        ? [
            {
              type: 'warning',
              code: 'price_filter_ignored',
              content: `The price filter is in ${wanted.slice(0, 3)}, but this shop sells in ${store.currency}; it was not applied.`,
            },
          ]
        : [],
  };
}

function passesPrice({ min, max }: Narrowing, price: number): boolean {
  return (min === undefined || price >= min) && (max === undefined || price <= max);
}

/** Whether a product is in one of the categories that were asked for. */
function passesCategory({ categories }: Narrowing, shelves: Shelves, product: Product): boolean {
  if (!categories) return true;
  return [...shelves.slugsOf(product), ...shelves.idsOf(product)].some((one) => categories.has(one));
}

/**
 * Searches the published products, one entry for each variant group. Sorted by relevance, or without a query by age, the newest first.
 * @param input the request as the protocol spells it
 * @param origin the address of the service, for images that it serves itself; undefined if it is not known
 * @throws CommerceError `validation`
 */
export async function searchCatalog(ctx: Context, input: unknown, origin?: string) {
  const { query, filters, context, limit, offset } = readSearch(input);
  const narrowing = narrowingOf(ctx, filters, context);
  const messages = [...narrowing.messages];
  const hasWords = searchWords(query).length > 0;
  const categoryId = narrowing.categories && (await categoriesOf(ctx, narrowing.categories));
  // Signs without a word are in no product, although lists take them for no search at all.
  const { decimals } = ctx.store;
  // Lists take no amount that is larger than any price.
  const largest = Number(maxAmount(decimals));
  const { min = 0, max = largest } = narrowing;
  const isNone = (query !== '' && !hasWords) || categoryId?.length === 0 || min > Math.min(max, largest);
  const amount = (minor: number) => formatMoney(BigInt(minor), decimals);
  const found = isNone
    ? { ids: [], total: 0 }
    : await findPublished(ctx, {
        ...(query !== '' && { search: query, sort: 'relevance' }),
        ...(categoryId && { categoryId }),
        ...(min > 0 && { minPrice: amount(min) }),
        ...(max < largest && { maxPrice: amount(max) }),
        group: 'variants',
        limit,
        offset,
      });
  const heads = await readPublished(ctx, found.ids);
  const ordered = found.ids.flatMap((id): [Product][] => {
    const head = heads.get(id);
    return head ? [[head]] : [];
  });
  const { families, printer } = await prepare(ctx, ordered, narrowing, origin, false);
  const products: UcpProduct[] = [];
  for (const family of families) products.push(await printer.print(family));
  const next = offset + found.ids.length < found.total ? cursorAfter(offset + limit) : undefined;
  return {
    ucp: statementOf('search'),
    products,
    pagination: {
      ...(next !== undefined && { cursor: next }),
      has_next_page: next !== undefined,
      total_count: found.total,
    },
    ...(messages.length > 0 && { messages }),
  };
}

async function categoriesOf(ctx: Context, named: ReadonlySet<string>): Promise<string[]> {
  const ids = [...named].filter(isId);
  return [...ids, ...(await idsOfSlugs(ctx, [...named]))].slice(0, 20);
}

/** The families of products with what printing them needs. */
async function prepare(
  ctx: Context,
  found: readonly (readonly [Product, ...Product[]])[],
  narrowing: Narrowing,
  origin: string | undefined,
  isFull: boolean,
) {
  const families = await readFamilies(ctx, found, (price) => passesPrice(narrowing, price));
  const shelves = new Shelves();
  await shelves.read(
    ctx,
    families.flatMap(({ members }) => members),
  );
  if (narrowing.categories) {
    for (const family of families) {
      family.members = family.members.filter((one) => passesCategory(narrowing, shelves, one));
      const prices = family.members.map(({ price }) => minorColumn(price));
      family.min = Math.min(...prices);
      family.max = Math.max(...prices);
    }
  }
  const shown = families.filter(({ members }) => members.length > 0);
  const printer = new Printer(ctx, origin, shelves, { isFull });
  await printer.readMedia(shown);
  return { families: shown, printer };
}

/** How the ids of a request were resolved: by the key of the family. */
interface Resolved {
  /** The variants that were named, with the id that named each. */
  exact: { product: Product; by: string }[];
  /** The ids that named the family as a whole. */
  whole: string[];
  /** The products that were named, or the first one of a family that was named as a whole. */
  products: [Product, ...Product[]];
}

/**
 * Looks up products and variants by the ids of the protocol, or by handle or SKU. Each product has the variants that were named, or the one
 * that represents it.
 * @param input the request as the protocol spells it
 * @param origin the address of the service, for images that it serves itself; undefined if it is not known
 * @throws CommerceError `validation`
 */
export async function lookupCatalog(ctx: Context, input: unknown, origin?: string) {
  const { ids, filters, context } = readLookup(input);
  const narrowing = narrowingOf(ctx, filters, context);
  const resolved = await resolve(ctx, ids, narrowing);
  const found = [...resolved.values()].map(({ products }) => products);
  const { families, printer } = await prepare(ctx, found, narrowing, origin, false);
  const products = [];
  for (const family of families) {
    const [head] = family.members as [Product];
    const { exact = [], whole = [] } = resolved.get(productId(head)) ?? {};
    const featured = family.members.find(isAvailable) ?? head;
    const inputs = new Map<Product, { id: string; match: 'exact' | 'featured' }[]>();
    const add = (variant: Product, id: string, match: 'exact' | 'featured') =>
      inputs.set(variant, [...(inputs.get(variant) ?? []), { id, match }]);
    for (const { product, by } of exact) if (family.members.includes(product)) add(product, by, 'exact');
    for (const id of whole) add(featured, id, 'featured');
    if (inputs.size === 0) continue;
    const printed = await printer.print(family, [...inputs.keys()]);
    const named = [...inputs.values()];
    products.push({
      ...printed,
      variants: printed.variants.map((variant, i) => ({ ...variant, inputs: named[i] ?? [] })),
    });
  }
  const answered = new Set(
    products.flatMap(({ variants }) => variants.flatMap(({ inputs }) => inputs.map(({ id }) => id))),
  );
  const missing = ids
    .filter((id) => !answered.has(id))
    .map((id): Message => ({ type: 'info', code: 'not_found', content: id }));
  const messages = [...narrowing.messages, ...missing];
  return { ucp: statementOf('lookup'), products, ...(messages.length > 0 && { messages }) };
}

const bySlugOrSku = (column: 'slug' | 'sku') =>
  preparedPerLength<{ storeId: string }, { id: string; text: string }>((db, p, texts) =>
    db
      .selectFrom('products')
      .select(['id', `${column} as text`])
      .where('store_id', '=', p('storeId'))
      .where(column, 'in', texts)
      .where(column, 'is not', null)
      // A literal, as in the condition of the index.
      .where('status', '<>', sql.lit('deleted'))
      // Keeps the engine from using an index of the status, which has every published product.
      .where(unindexedText(sql.ref('status')), '=', sql.lit('published'))
      .$narrowType<{ text: string }>(),
  );
const bySlug = bySlugOrSku('slug');
const bySku = bySlugOrSku('sku');

/** The published products that ids name, by the family that they are in. What the price leaves out is not among them. */
async function resolve(ctx: Context, given: readonly string[], narrowing: Narrowing): Promise<Map<string, Resolved>> {
  const at = { storeId: ctx.store.id };
  const groups = given.filter((id) => id.startsWith(groupPrefix));
  const own = given.filter(isId);
  const other = given.filter((id) => !id.startsWith(groupPrefix) && !isId(id));
  // A handle before a SKU: handles are unique, and in addresses.
  const idOf = new Map<string, string>(own.map((id) => [id, id]));
  if (other.length > 0) {
    for (const { id, text } of await readingOf(ctx, (db) => bySku(db, at, other))) idOf.set(text, id);
    for (const { id, text } of await readingOf(ctx, (db) => bySlug(db, at, other))) idOf.set(text, id);
  }
  const headOf = new Map<string, string>();
  for (const id of groups) {
    const members = await membersOfGroup(ctx, id.slice(groupPrefix.length));
    const first = members.find(({ price }) => passesPrice(narrowing, price));
    if (first) headOf.set(id, first.id);
  }
  const products = await readPublished(ctx, [...new Set([...idOf.values(), ...headOf.values()])]);
  const resolved = new Map<string, Resolved>();
  const familyOf = (product: Product) => {
    const key = productId(product);
    const known = resolved.get(key) ?? { exact: [], whole: [], products: [product] };
    if (!known.products.includes(product)) known.products.push(product);
    resolved.set(key, known);
    return known;
  };
  for (const id of given) {
    const named = products.get(idOf.get(id) ?? headOf.get(id) ?? '');
    if (!named || !passesPrice(narrowing, minorColumn(named.price))) continue;
    if (headOf.has(id)) familyOf(named).whole.push(id);
    else familyOf(named).exact.push({ product: named, by: id });
  }
  return resolved;
}

/**
 * One product with its options and the variants that match a selection of them.
 * @param input the request as the protocol spells it
 * @param origin the address of the service, for images that it serves itself; undefined if it is not known
 * @throws CommerceError `validation`
 */
export async function getCatalogProduct(ctx: Context, input: unknown, origin?: string) {
  const { id, selected, preferences, filters, context } = readProduct(input);
  const narrowing = narrowingOf(ctx, filters, context);
  const [resolved] = (await resolve(ctx, [id], narrowing)).values();
  const { families, printer } = await prepare(ctx, resolved ? [resolved.products] : [], narrowing, origin, true);
  const [family] = families;
  const [named] = resolved?.exact ?? [];
  // A variant that the filters leave out is not answered by its siblings.
  if (!family || (named && !family.members.includes(named.product))) {
    const message: Message = {
      type: 'error',
      code: 'not_found',
      content: `Product not found: ${id}`,
      severity: 'unrecoverable',
    };
    return { ucp: statementOf('lookup', 'error'), messages: [message] };
  }
  const options = optionsOf(family.members);
  const effective = effectiveOf(family, options, named?.product, { selected, preferences });
  const matching = family.members.filter((one) => hasOptions(one, effective));
  const featured = named?.product ?? matching.find(isAvailable);
  const variants = featured ? [featured, ...matching.filter((one) => one !== featured)] : matching;
  const printed = await printer.print(family, variants);
  const messages = [...narrowing.messages, ...safetyNotes(variants)];
  return {
    ucp: statementOf('lookup'),
    product: {
      ...printed,
      ...(options.size > 0 && { options: signalled(family, options, effective), selected: effective }),
    },
    ...(messages.length > 0 && { messages }),
  };
}

/** The selection that variants can match: that of the named variant, or else the asked one without what nothing matches. */
function effectiveOf(
  { members }: Family,
  options: Options,
  named: Product | undefined,
  { selected, preferences }: { selected: readonly SelectedOption[]; preferences: readonly string[] },
): SelectedOption[] {
  if (named) return ownOptions(named, options);
  const first = members.find(isAvailable) ?? members[0];
  if (selected.length === 0) return first ? ownOptions(first, options) : [];
  const rank = (name: string) => {
    const at = preferences.indexOf(name);
    return at === -1 ? preferences.length : at;
  };
  // What is last in the preferences, and before that what is not in them, gives way first.
  const left = selected
    .filter(({ name, label }) => options.get(name)?.has(label))
    .map(({ name, label }) => ({ name, label }))
    .sort((one, other) => rank(one.name) - rank(other.name));
  while (left.length > 0 && !members.some((one) => hasOptions(one, left))) left.pop();
  return left;
}

/** The values of each option, with whether a variant has it and can be bought beside the rest of the selection. */
function signalled({ members }: Family, options: Options, effective: readonly SelectedOption[]) {
  return [...options].map(([name, values]) => {
    const others = effective.filter((one) => one.name !== name);
    const beside = members.filter((one) => hasOptions(one, others));
    const having = Map.groupBy(beside, ({ attributes }) => attributes[name]);
    return {
      name,
      values: [...values].map((label) => {
        const variants = having.get(label) ?? [];
        return { label, available: variants.some(isAvailable), exists: variants.length > 0 };
      }),
    };
  });
}

/** Warnings that a page must show with the variants they are about. */
function safetyNotes(variants: readonly Product[]): Message[] {
  return variants
    .flatMap(({ safetyNotes }, i): Message[] =>
      safetyNotes === null
        ? []
        : [
            {
              type: 'warning',
              code: 'safety',
              path: `$.product.variants[${i}]`,
              content: safetyNotes,
              presentation: 'disclosure',
            },
          ],
    )
    .slice(0, maxNotes);
}

/** The operations of the catalogue, by the last part of their path. */
const operations = { search: searchCatalog, lookup: lookupCatalog, product: getCatalogProduct } as const;
export type UcpOperation = keyof typeof operations;
export const ucpOperations = Object.keys(operations) as readonly UcpOperation[];

/** Carries out an operation. @throws CommerceError `validation` */
export function runUcp(ctx: Context, operation: UcpOperation, input: unknown, origin?: string): Promise<object> {
  return operations[operation](ctx, input, origin);
}
