import {
  type Actor,
  type Commerce,
  type CommerceOptions,
  type Context,
  createProduct,
  openCommerce,
  type Product,
  type ProductInput,
} from '@commerce/core';
import { afterAll, beforeAll } from 'vitest';
import type { TestDatabase } from './storages.ts';

/** Opens the suite's database before its first test and closes it after its last. */
export function useCommerce(database: TestDatabase, options: Omit<CommerceOptions, 'storage'> = {}): () => Commerce {
  let commerce: Commerce | undefined;
  beforeAll(async () => {
    commerce = await openCommerce({ ...options, storage: database.open() });
  });
  afterAll(() => commerce?.close());
  return () => {
    if (!commerce) throw new Error('the database is opened before the first test, not before');
    return commerce;
  };
}

/** A new store, so that each test has one for itself. */
export async function newShop(commerce: Commerce, currency = 'EUR', actor?: Actor): Promise<Context> {
  const { id } = await commerce.createStore({ name: 'Shop', currency });
  return commerce.store(id, actor);
}

let made = 0;

/** A new published product with a slug of its own. */
export function newProduct(shop: Context, input: Partial<ProductInput> = {}): Promise<Product> {
  return createProduct(shop, {
    title: 'Mug',
    slug: `product-${++made}`,
    price: '10',
    status: 'published',
    ...input,
  });
}

export interface SeenEvent {
  id: string;
  type: string;
  resourceId: string;
  data: unknown;
}

/** The store's events in the order they were written. */
export async function eventsOf(shop: Context): Promise<SeenEvent[]> {
  const rows = await shop.engine.storage.db
    .selectFrom('events')
    .selectAll()
    .where('store_id', '=', shop.store.id)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    resourceId: row.resource_id,
    data: JSON.parse(row.data),
  }));
}

export async function eventTypesOf(shop: Context): Promise<string[]> {
  return (await eventsOf(shop)).map((event) => event.type);
}

/** The types of the events that the work emits. */
export async function emittedBy(shop: Context, work: () => Promise<unknown>): Promise<string[]> {
  const before = (await eventsOf(shop)).length;
  await work();
  return (await eventTypesOf(shop)).slice(before);
}

/** The store's audit entries in the order they were written. */
export function auditOf(shop: Context) {
  return shop.engine.storage.db
    .selectFrom('audit_logs')
    .selectAll()
    .where('store_id', '=', shop.store.id)
    .orderBy('id')
    .execute();
}

/** Every order of a list. */
export function orderingsOf<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((first, i) => orderingsOf(list.toSpliced(i, 1)).map((rest) => [first, ...rest]));
}

/** Every choice of some of a list, but none at all. */
export function choicesOf<T>(list: readonly T[]): T[][] {
  return Array.from({ length: 2 ** list.length - 1 }, (_, n) => list.filter((_, i) => ((n + 1) >> i) % 2 === 1));
}
