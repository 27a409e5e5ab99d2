import { randomBytes } from 'node:crypto';
import type * as z from 'zod';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import type { Actor, Context, Engine, TxContext } from '../engine/context.ts';
import { rateLimitOf } from '../engine/plans.ts';
import { sellingEntity } from '../engine/settings/settings.ts';
import type { Store, StoreContext } from '../engine/store.ts';
import { transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, invalid, quote } from '../kernel/errors.ts';
import { isId } from '../kernel/ids.ts';
import { type List, toJson } from '../kernel/json.ts';
import { currencyDecimals } from '../kernel/money.ts';
import { definedOnly, fields, flag, integer, oneOf, parse, requiredText, ruled, text } from '../kernel/parse.ts';
import { lockRows } from '../storage/locks.ts';
import { prepared } from '../storage/prepared.ts';
import { reading, storageError } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { StoreTable } from '../storage/tables/stores.ts';
import { plans } from '../storage/tables/stores.ts';
import { storeChanged } from './changes.ts';

/** Ten thousand a second; a bucket's level stays a safe integer. */
const maxRequestsPerMinute = 600_000;

export const StoreFields = fields({
  /** The name of the shop. 1 to 255 characters. */
  name: requiredText(255),
  /** ISO 4217 code such as `EUR`, of all prices and orders; it cannot be changed. */
  currency: text(255)
    .transform((code) => code.toUpperCase())
    .refine(
      (code) => currencyDecimals(code) !== undefined,
      ruled('must be an ISO 4217 currency code such as "EUR"', 'NOT_OFFERED'),
    ),
});
export type StoreInput = z.input<typeof StoreFields>;

export const StoreChangeFields = fields({
  /** The name of the shop. 1 to 255 characters. */
  name: requiredText(255),
  /** True if a category with children cannot become a child itself. */
  strictCategoryDepth: flag,
  /** Allows recording payments by hand, such as bank transfers. */
  manualPayments: flag,
  /** `free`, `pro` or `enterprise`: the rate limit of its API keys. */
  plan: oneOf(plans),
  /** Accepted only on the plan `enterprise`; null removes the limit. */
  rateLimit: fields({
    /** 1 to 600,000. */
    requestsPerMinute: integer(1, maxRequestsPerMinute),
    /** Defaults to a sixth of the requests per minute. */
    burst: integer(1, maxRequestsPerMinute).optional(),
  }).nullable(),
}).partial();
export type StoreChanges = z.input<typeof StoreChangeFields>;

/**
 * Creates a store.
 * @throws CommerceError `validation` for a blank name or a currency that ISO 4217 does not list.
 */
export async function createStore(engine: Engine, actor: Actor, input: StoreInput): Promise<StoreContext> {
  const fields = parse(StoreFields, input);
  return transact(newStoreContext(engine, actor, fields), insertStore);
}

/** A new key for the links to buyers' pages of orders. */
export const newLinkSecret = () => randomBytes(32).toString('base64url');

/** The context for creating a store: the store itself, before it has a number. */
export function newStoreContext(
  engine: Engine,
  actor: Actor,
  { name, currency }: z.output<typeof StoreFields>,
): Context {
  const now = engine.clock.now();
  const row: StoreTable = {
    id: engine.ids.next(now),
    number: 0,
    name,
    currency,
    strict_category_depth: 0,
    manual_payments: 0,
    plan: 'enterprise',
    requests_per_minute: null,
    burst: null,
    settings: toJson(sellingEntity.of(sellingEntity.initial)),
    smtp_password: null,
    link_secret: newLinkSecret(),
    feed_token: null,
    ucp_host: null,
    created_at: now,
    updated_at: now,
  };
  return { engine, store: toStoreScope(row), actor, requestId: null };
}

export async function insertStore(tx: TxContext): Promise<StoreContext> {
  const { id, name, currency } = tx.store;
  // Two stores created at the same time would otherwise get the same number.
  await tx.engine.storage.lockName(tx.db, 'stores');
  const { last } = await tx.db
    .selectFrom('stores')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('last'))
    .executeTakeFirstOrThrow();
  const row: StoreTable = {
    id,
    number: last + 1,
    name,
    currency,
    strict_category_depth: 0,
    manual_payments: 0,
    plan: 'enterprise',
    requests_per_minute: null,
    burst: null,
    settings: toJson(sellingEntity.of(sellingEntity.initial)),
    smtp_password: null,
    link_secret: newLinkSecret(),
    feed_token: null,
    ucp_host: null,
    created_at: tx.now,
    updated_at: tx.now,
  };
  await tx.db.insertInto('stores').values(row).execute();
  audit(tx, { action: 'store.created', resourceType: 'store', resourceId: id, changes: { name, currency } });
  return toStoreScope(row);
}

/**
 * Changes the store's name and options; absent ones keep their value. Running servers apply the change within a second.
 * @throws CommerceError `validation`, also on `rateLimit` for a plan with fixed numbers
 */
export async function updateStore(ctx: Context, input: StoreChanges): Promise<Store> {
  const given = definedOnly(parse(StoreChangeFields, input));
  const store = await transact(ctx, async (tx) => {
    const row = await lockRows(
      tx.db,
      tx.db.selectFrom('stores').selectAll().where('id', '=', tx.store.id),
    ).executeTakeFirstOrThrow();
    const before = toStore(row);
    const own = ownLimit(row, given);
    const changed: StoreTable = {
      ...row,
      name: given.name ?? row.name,
      strict_category_depth: (given.strictCategoryDepth ?? before.strictCategoryDepth) ? 1 : 0,
      manual_payments: (given.manualPayments ?? before.manualPayments) ? 1 : 0,
      plan: given.plan ?? row.plan,
      ...own,
      updated_at: tx.now,
    };
    const after = toStore(changed);
    const changes = changedFields(before, { ...after, updatedAt: before.updatedAt });
    if (Object.keys(changes).length === 0) return before;
    await tx.db
      .updateTable('stores')
      .set({
        name: changed.name,
        strict_category_depth: changed.strict_category_depth,
        manual_payments: changed.manual_payments,
        plan: changed.plan,
        ...own,
        updated_at: tx.now,
      })
      .where('id', '=', tx.store.id)
      .execute();
    audit(tx, { action: 'store.updated', resourceType: 'store', resourceId: tx.store.id, changes });
    return after;
  });
  storeChanged(ctx.engine);
  return store;
}

/**
 * The store's own rate limit after a change; null on plans with fixed numbers.
 * @throws CommerceError `validation`
 */
function ownLimit(row: StoreTable, given: StoreChanges): Pick<StoreTable, 'requests_per_minute' | 'burst'> {
  const plan = given.plan ?? row.plan;
  if (plan !== 'enterprise') {
    if (given.rateLimit)
      throw invalid('rateLimit', `must be left out: the plan "${plan}" has a fixed rate limit`, {
        code: 'CONFLICTING',
      });
    return { requests_per_minute: null, burst: null };
  }
  if (given.rateLimit === undefined) return { requests_per_minute: row.requests_per_minute, burst: row.burst };
  if (given.rateLimit === null) return { requests_per_minute: null, burst: null };
  const { requestsPerMinute, burst = Math.ceil(requestsPerMinute / 6) } = given.rateLimit;
  return { requests_per_minute: requestsPerMinute, burst };
}

const storeById = prepared<{ id: string }, StoreTable>((db, p) =>
  db.selectFrom('stores').selectAll().where('id', '=', p('id')),
);

/** The store with that id; undefined when no such store exists or the id is malformed. */
export async function findStore(engine: Engine, id: string): Promise<StoreContext | undefined> {
  if (!isId(id)) return undefined;
  const { storage } = engine;
  try {
    const [row] = await storeById(storage.reads, { id });
    return row && toStoreScope(row);
  } catch (error) {
    throw storageError(storage, error);
  }
}

/**
 * The store with that id; without an id, the only store of the database.
 * @throws CommerceError `notFound`; `validation` when no id is given and the database has several stores.
 */
export async function requireStore(engine: Engine, id?: string): Promise<StoreContext> {
  if (id !== undefined) {
    const store = await findStore(engine, id);
    if (!store) throw new CommerceError('notFound', `no store ${quote(id)}`);
    return store;
  }
  const rows = await reading(engine.storage, (db) => oldestFirst(db).limit(2).execute());
  const [only] = rows;
  if (!only) throw new CommerceError('notFound', 'there is no store yet', { reason: 'noStore' });
  if (rows.length > 1)
    throw invalid('store', 'is required, because the database has several stores', {
      reason: 'severalStores',
      code: 'REQUIRED',
    });
  return toStoreScope(only);
}

/** Every store, oldest first. */
export async function listStores(engine: Engine): Promise<List<Store>> {
  const rows = await reading(engine.storage, (db) => oldestFirst(db).execute());
  return { items: rows.map(toStore), total: rows.length };
}

const oldestFirst = (db: Db) => db.selectFrom('stores').selectAll().orderBy('number');

/** The store as interfaces answer it, without the facts that only core needs. */
export function publicStore({ number: _, decimals: __, settings: ___, ...store }: StoreContext): Store {
  return store;
}

function toStore(row: StoreTable): Store {
  return {
    id: row.id,
    name: row.name,
    currency: row.currency,
    strictCategoryDepth: row.strict_category_depth === 1,
    manualPayments: row.manual_payments === 1,
    plan: row.plan,
    rateLimit: rateLimitOf(row),
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  };
}

function toStoreScope(row: StoreTable): StoreContext {
  return {
    ...toStore(row),
    number: row.number,
    decimals: currencyDecimals(row.currency) ?? 2,
    settings: sellingEntity.read(row.settings),
  };
}
