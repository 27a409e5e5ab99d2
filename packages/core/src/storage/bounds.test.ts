import { eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { type Statement, statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import {
  anonymiseCustomer,
  type Context,
  createCustomer,
  createWebhook,
  deliveryBacklog,
  getProductAttributes,
  listAuditLogs,
  listCategories,
  listCustomers,
  listDeliveries,
  listMedia,
  listNotifications,
  listOrders,
  listPages,
  listPayments,
  listProducts,
  listProductsByAttributes,
  type Product,
  replayWebhook,
} from '../index.ts';
import type { Schema } from './schema.ts';

type Row = Record<string, unknown>;

/** Rows of a large and of a small store. Each third of the large one exceeds what the main thread can read. */
const [many, few] = [3300, 8];

/** The id of the row that was created as the i-th. */
const idOf = (i: number) => `0190a5c8-0000-7000-8000-${String(i).padStart(12, '0')}`;

/** The third to which a row belongs by its age: the oldest, the middle or the newest. */
const thirdOf = (i: number, n: number) => Math.floor((3 * i) / n);

async function fill(shop: Context, table: keyof Schema, n: number, rowOf: (i: number) => Row): Promise<void> {
  const { id: store_id } = shop.store;
  await shop.engine.storage.db.transaction().execute(async (tx) => {
    for (let from = 0; from < n; from += 200) {
      const rows = Array.from({ length: Math.min(200, n - from) }, (_, k) => ({ store_id, ...rowOf(from + k) }));
      await tx
        .insertInto(table)
        .values(rows as never)
        .execute();
    }
  });
}

/** Writes the counts of a list that the rows would have produced. */
async function count(shop: Context, list: string, n: number, nameOf: (i: number) => string): Promise<void> {
  const sums = new Map<string, number>();
  for (let i = 0; i < n; i++) sums.set(nameOf(i), (sums.get(nameOf(i)) ?? 0) + 1);
  const counts = [...sums].map(([value, sum]) => ({ list, value, n: sum }));
  await fill(shop, 'list_counts', counts.length, (i) => counts[i] as Row);
}

interface Case {
  /** Tables that grow with the store. */
  tables: readonly (keyof Schema)[];
  /** Fills the store. */
  seed(shop: Context, n: number): Promise<unknown>;
  /** Reads the list like a client. */
  list(shop: Context, seeded: unknown): Promise<{ items: readonly { id: string }[]; total: number }>;
  /** Whether the i-th row is in the list. */
  includes(i: number, n: number): boolean;
  /** Whether the page is among the first rows, and its total is known. */
  isNear?: boolean;
}

const item = (i: number) => ({ id: idOf(i), created_at: i, json: JSON.stringify({ id: idOf(i) }) });

const ordersWith = (seen: { status: (third: number) => string; payment: (third: number) => string }) => ({
  tables: ['orders'] as const,
  async seed(shop: Context, n: number) {
    const status = (i: number) => seen.status(thirdOf(i, n));
    const payment = (i: number) => seen.payment(thirdOf(i, n));
    await fill(shop, 'orders', n, (i) => ({
      ...item(i),
      number: i,
      customer_id: idOf(1),
      status: status(i),
      payment_status: payment(i),
    }));
    await count(shop, 'orders.status', n, (i) => `${status(i)} ${payment(i)}`);
  },
});

const paymentsOf = (thirds: readonly (readonly [provider: string, status: string, matched: string])[]) => ({
  tables: ['payments'] as const,
  async seed(shop: Context, n: number) {
    const kindOf = (i: number) => thirds[thirdOf(i, n)] ?? ['stripe', 'succeeded', 'paid'];
    await fill(shop, 'payments', n, (i) => {
      const [provider, status, matched] = kindOf(i);
      return {
        id: idOf(i),
        provider,
        provider_payment_id: `pi_${i}`,
        order_id: idOf(1),
        status,
        captured: 0,
        refunded: 0,
        matched,
        wrong_payee: 0,
        related_ids: '{}',
        disputes: '[]',
        status_since: i,
        created_at: i,
        updated_at: i,
      };
    });
    await count(shop, 'payments', n, (i) => kindOf(i).join(' '));
  },
});

const succeeded = ['stripe', 'succeeded', 'paid'] as const;

const auditOf = (thirds: readonly (readonly [actor: string, type: string, action: string])[]) => ({
  tables: ['audit_logs'] as const,
  async seed(shop: Context, n: number) {
    const kindOf = (i: number) => thirds[thirdOf(i, n)] ?? ['key', 'product', 'product.updated'];
    await fill(shop, 'audit_logs', n, (i) => {
      const [actor_id, resource_type, action] = kindOf(i);
      return {
        id: idOf(i),
        actor_type: 'apiKey',
        actor_id,
        action,
        resource_type,
        resource_id: 'one',
        changes: '{}',
        created_at: i,
      };
    });
    await count(shop, 'auditLogs', n, (i) => JSON.stringify(kindOf(i)));
  },
});

const updated = ['key', 'product', 'product.updated'] as const;

const deliveriesOf = (status: (i: number, n: number) => string) => ({
  tables: ['deliveries'] as const,
  async seed(shop: Context, n: number) {
    const { id } = await createWebhook(shop, { url: 'https://example.com/', events: ['page.created'] });
    await fill(shop, 'deliveries', n, (i) => ({
      id: idOf(i),
      subscriber_id: id,
      event_id: idOf(i),
      event: 'page.created',
      status: status(i, n),
      attempts: 0,
      due_at: null,
      log: '[]',
      created_at: i,
    }));
    return id;
  },
});

const inbox = {
  tables: ['payment_notifications'] as const,
  seed: (shop: Context, n: number) =>
    fill(shop, 'payment_notifications', n, (i) => ({
      id: idOf(i),
      provider: 'stripe',
      event_id: `evt_${i}`,
      event_type: 'payment_intent.succeeded',
      outcome: thirdOf(i, n) === 0 ? 'order_not_found' : 'paid',
      payload: '{}',
      received_at: i,
      updated_at: i,
    })),
};

const categories = (parent: string | null) => ({
  tables: ['categories'] as const,
  async seed(shop: Context, n: number) {
    const statusOf = (i: number) => (thirdOf(i, n) === 0 ? 'draft' : 'published');
    await fill(shop, 'categories', n, (i) => ({
      ...item(i),
      status: statusOf(i),
      slug: `c-${i}`,
      parent_id: parent,
      search: 'tea',
    }));
    await count(shop, 'categories.status', n, statusOf);
  },
});

const pages = {
  tables: ['pages'] as const,
  async seed(shop: Context, n: number) {
    const statusOf = (i: number) => (thirdOf(i, n) === 0 ? 'draft' : 'published');
    await fill(shop, 'pages', n, (i) => ({ ...item(i), status: statusOf(i), slug: `p-${i}`, search: 'tea' }));
    await count(shop, 'pages.status', n, statusOf);
  },
};

/** Products whose oldest third differs in title, attributes and status. */
const products = {
  tables: ['products', 'product_facets'] as readonly (keyof Schema)[],
  async seed(shop: Context, n: number) {
    for (let from = 0; from < n; from += 100) {
      // One after the other within a store, so that their order is known.
      for (let i = from; i < Math.min(n, from + 100); i++) {
        const isOld = thirdOf(i, n) === 0;
        await newProduct(shop, {
          title: isOld ? 'Mug' : 'Cup',
          status: isOld ? 'draft' : 'published',
          attributes: { kind: isOld ? 'mug' : 'cup', all: 'x' },
          variantGroupId: 'group',
        });
      }
    }
  },
};

const cases: Record<string, Case> = {
  'orders of a customer': {
    ...ordersWith({ status: () => 'paid', payment: () => 'succeeded' }),
    list: (shop) => listOrders(shop, { customerId: idOf(1) }),
    includes: () => true,
  },
  'orders of a customer in a status': {
    ...ordersWith({ status: (third) => (third === 0 ? 'cancelled' : 'paid'), payment: () => 'succeeded' }),
    list: (shop) => listOrders(shop, { customerId: idOf(1), status: 'cancelled' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'orders that have two statuses, all of them old': {
    ...ordersWith({
      status: (third) => (third === 2 ? 'fulfilled' : 'paid'),
      payment: (third) => (third === 1 ? 'refunded' : 'succeeded'),
    }),
    list: (shop) => listOrders(shop, { status: 'paid', paymentStatus: 'succeeded' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'orders in a status, by their totals': {
    ...ordersWith({ status: (third) => (third === 0 ? 'cancelled' : 'paid'), payment: () => 'succeeded' }),
    list: (shop) => listOrders(shop, { status: 'cancelled', sort: '-total' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'customers by what they have spent, of whom few match': {
    tables: ['customers'],
    async seed(shop, n) {
      await fill(shop, 'customers', n, (i) => ({
        ...item(i),
        email: `${i}@example.org`,
        search: thirdOf(i, n) === 0 ? 'ada' : 'grace',
        total_spent: i,
      }));
      await count(shop, 'customers', n, () => '');
    },
    list: (shop) => listCustomers(shop, { sort: '-spent', search: 'ada' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'payments of an order': {
    ...paymentsOf([succeeded, succeeded, succeeded]),
    list: (shop) => listPayments(shop, { orderId: idOf(1) }),
    includes: () => true,
  },
  'payments of a provider in a status, all of them old': {
    ...paymentsOf([succeeded, ['stripe', 'failed', '-'], ['paypal', 'succeeded', 'paid']]),
    list: (shop) => listPayments(shop, { provider: 'stripe', status: 'succeeded' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'payments that succeeded, all of them old': {
    ...paymentsOf([succeeded, ['stripe', 'failed', '-'], ['stripe', 'failed', '-']]),
    list: (shop) => listPayments(shop, { status: 'succeeded' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'payments of several kinds': {
    ...paymentsOf([
      ['stripe', 'succeeded', 'none'],
      ['stripe', 'succeeded', 'mismatch'],
      ['stripe', 'succeeded', 'second'],
    ]),
    list: (shop) => listPayments(shop, { unmatched: true }),
    includes: () => true,
  },
  'payments of a provider that paid, which most do': {
    ...paymentsOf([succeeded, succeeded, succeeded]),
    list: (shop) => listPayments(shop, { provider: 'stripe', matched: 'paid' }),
    includes: () => true,
    isNear: true,
  },
  'entries about a resource': {
    ...auditOf([updated, updated, updated]),
    list: (shop) => listAuditLogs(shop, { resourceId: 'one' }),
    includes: () => true,
  },
  'entries of an actor about an action, all of them old': {
    ...auditOf([updated, ['key', 'product', 'product.created'], ['cli', 'product', 'product.updated']]),
    list: (shop) => listAuditLogs(shop, { actorId: 'key', action: 'product.updated' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  deliveries: {
    ...deliveriesOf(() => 'succeeded'),
    list: (shop, id) => listDeliveries(shop, id as string),
    includes: () => true,
  },
  'deliveries in a status': {
    ...deliveriesOf((i, n) => (thirdOf(i, n) === 0 ? 'failed' : 'succeeded')),
    list: (shop, id) => listDeliveries(shop, id as string, { status: 'failed', event: 'page.created' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  notifications: { ...inbox, list: (shop) => listNotifications(shop), includes: () => true },
  'notifications that are not settled': {
    ...inbox,
    list: (shop) => listNotifications(shop, { unmatched: true }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'children of a category': {
    ...categories(idOf(1)),
    list: (shop) => listCategories(shop, { parentId: idOf(1) }),
    includes: () => true,
  },
  'roots in a status': {
    ...categories(null),
    list: (shop) => listCategories(shop, { parentId: null, status: 'draft' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'categories in a status, all of them old': {
    ...categories(null),
    list: (shop) => listCategories(shop, { status: 'draft' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'categories by their text': {
    ...categories(null),
    list: (shop) => listCategories(shop, { search: 'tea' }),
    includes: () => true,
  },
  'pages in a status, all of them old': {
    ...pages,
    list: (shop) => listPages(shop, { status: 'draft' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
  'media of a type, all of them old': {
    tables: ['media'],
    async seed(shop, n) {
      const typeOf = (i: number) => (thirdOf(i, n) === 0 ? 'image/gif' : 'image/jpeg');
      await fill(shop, 'media', n, (i) => ({
        id: idOf(i),
        mime_type: typeOf(i),
        created_at: i,
        json: JSON.stringify({ id: idOf(i), url: '' }),
      }));
      await count(shop, 'media.mimeType', n, typeOf);
    },
    list: (shop) => listMedia(shop, { mimeType: 'image/gif' }),
    includes: (i, n) => thirdOf(i, n) === 0,
  },
};

/** Requests for a store's products; with `isOld`, only the oldest third matches. */
const productCases: Record<string, { list: (shop: Context) => ReturnType<typeof listProducts>; isOld: boolean }> = {
  'a variant group': { list: (shop) => listProducts(shop, { variantGroupId: 'group' }), isOld: false },
  'a variant group in a status': {
    list: (shop) => listProducts(shop, { variantGroupId: 'group', status: 'draft' }),
    isOld: true,
  },
  'a common word that only old products have': { list: (shop) => listProducts(shop, { search: 'mug' }), isOld: true },
  'an attribute of all, in a status that only old ones have': {
    list: (shop) => listProductsByAttributes(shop, { attributes: { all: 'x' }, status: 'draft' }),
    isOld: true,
  },
};

forEachStorage('a list of which much would have to be looked at', (database, dialect) => {
  const commerce = useCommerce(database);

  /** Runs work and returns the number of its scans and its statements on the main thread. */
  async function watched<T>(shop: Context, work: () => Promise<T>) {
    const { storage } = shop.engine;
    const { scan } = storage;
    let scans = 0;
    const seen: Statement[] = [];
    let inScan = false;
    Object.assign(storage, {
      scan: async (...args: Parameters<typeof scan>) => {
        scans++;
        inScan = true;
        return scan.apply(storage, args);
      },
    });
    let result: T | undefined;
    try {
      seen.push(
        ...(await statementsOf(async () => {
          result = await work();
        })),
      );
    } finally {
      Object.assign(storage, { scan });
    }
    // This thread also requests PostgreSQL's scans.
    const timed = seen.findIndex(({ text }) => text.includes('statement_timeout'));
    return { result: result as T, scans, here: inScan && timed >= 0 ? seen.slice(0, timed) : seen };
  }

  /** Fails if a statement can read more rows of the tables than it is allowed to. */
  async function expectBounded(statements: readonly Statement[], tables: readonly string[]) {
    const asked = statements.filter(({ text }) => tables.some((table) => new RegExp(`\\b${table}\\b`).test(text)));
    for (const { text } of asked) expect(text).toMatch(/ limit (\?|\$?\d+)/);
    if (dialect !== 'sqlite') return;
    for (const { text, values } of asked) {
      const plan = await commerce().engine.storage.reads.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...values]),
      );
      const steps = plan.rows.map(({ detail }) => detail).join('\n');
      expect(steps).not.toMatch(new RegExp(`SCAN (${tables.join('|')})\\b(?! USING)|TEMP B-TREE`));
    }
  }

  it.each(Object.entries(cases))('is read apart: %s', async (_, { tables, seed, list, includes, isNear }) => {
    for (const n of [few, many]) {
      const shop = await newShop(commerce());
      const seeded = await seed(shop, n);
      const { result, scans, here } = await watched(shop, () => list(shop, seeded));
      const expected = Array.from({ length: n }, (_, i) => i).filter((i) => includes(i, n));
      expect(result.total).toBe(expected.length);
      const newest = expected.toReversed().slice(0, 50).map(idOf);
      expect(result.items.map(({ id }) => id)).toEqual(newest);
      expect(scans).toBe(n === few || isNear ? 0 : 1);
      if (n === many) await expectBounded(here, tables);
    }
  });

  it('is read apart: products, whatever they are asked for', async () => {
    const shop = await newShop(commerce());
    await products.seed(shop, many);
    const walked: Product[] = [];
    for (let offset = 0; offset < many; offset += 200) {
      walked.push(...(await listProducts(shop, { limit: 200, offset })).items);
    }
    const idsOf = (items: Product[]) => items.map(({ id }) => id);
    const old = walked.filter(({ status }) => status === 'draft');
    for (const { list, isOld } of Object.values(productCases)) {
      const expected = isOld ? old : walked;
      // The first time they are found, the second time the process remembers them.
      for (let time = 0; time < 2; time++) {
        const { result, scans, here } = await watched(shop, () => list(shop));
        expect(result.total).toBe(expected.length);
        expect(idsOf(result.items)).toEqual(idsOf(expected).slice(0, 50));
        expect(scans).toBe(time === 0 ? 1 : 0);
        if (time === 0) await expectBounded(here, products.tables);
      }
    }
  });

  it('is read apart: attributes, where there are very many values', async () => {
    for (const n of [few, many]) {
      const shop = await newShop(commerce());
      await count(shop, 'products.facets', n, (i) => JSON.stringify(['attr.number', String(i)]));
      const { result, scans } = await watched(shop, () => getProductAttributes(shop));
      expect(result.keys).toEqual(['number']);
      expect(result.values.number).toEqual(Array.from({ length: n }, (_, i) => String(i)).sort());
      expect(scans).toBe(n === few ? 0 : 1);
    }
  });

  it('is counted apart: the deliveries that wait', async () => {
    const shop = await newShop(commerce());
    const waiting = async () => (await watched(shop, () => deliveryBacklog(shop.engine))) as { scans: number };
    expect(await waiting()).toMatchObject({ scans: 0, result: { waiting: 0 } });
    await fill(shop, 'deliveries', many, (i) => ({
      id: idOf(i),
      subscriber_id: 'app:x',
      event_id: idOf(i),
      event: 'page.created',
      status: 'pending',
      attempts: 0,
      due_at: 1000 + i,
      log: '[]',
      created_at: i,
    }));
    expect(await waiting()).toMatchObject({ scans: 1, result: { waiting: many } });
  });

  it('is looked through some at a time: events that are replayed', async () => {
    const shop = await newShop(commerce());
    const now = Date.now();
    const eventId = (i: number) => shop.engine.ids.next(now - (many - i) * 10);
    const wanted = new Set([3, many - 5]);
    await fill(shop, 'events', many, (i) => ({
      id: eventId(i),
      type: wanted.has(i) ? 'page.created' : 'product.updated',
      resource_id: idOf(i),
      created_at: now,
      data: '{}',
    }));
    const { id } = await createWebhook(shop, { url: 'https://example.com/', events: ['page.created'] });
    const since = new Date(now - 86_400_000).toISOString();
    const { result, here } = await watched(shop, () => replayWebhook(shop, id, { since }));
    expect(result).toEqual({ queued: 2 });
    const stretches = here.filter(({ text }) => /from "events"/.test(text) && !/exists/.test(text));
    expect(stretches.length).toBe(Math.ceil(many / 500) + 1);
    for (const { text } of here.filter((one) => /from "events"/.test(one.text))) expect(text).toMatch(/limit/);
    // Writes happen only where events are missing.
    expect(here.filter(({ text }) => /from "events".*exists/s.test(text))).toHaveLength(2);
    expect((await listDeliveries(shop, id)).total).toBe(2);
  });

  it('is looked through some at a time: events that are rewritten without a person', async () => {
    const shop = await newShop(commerce());
    const customer = await createCustomer(shop, { email: 'ada@example.org', name: 'Ada' });
    const about = new Set([0, 998, 999, 1000, 1001, 2000, many - 1]);
    const now = Date.now();
    await fill(shop, 'events', many, (i) => ({
      id: shop.engine.ids.next(now + i),
      type: 'customer.updated',
      resource_id: about.has(i) ? customer.id : idOf(i),
      created_at: now + i,
      data: '{"name":"Ada"}',
    }));
    const { here } = await watched(shop, () => anonymiseCustomer(shop, customer.id));
    for (const { text } of here.filter((one) => /^select .*from "events"/.test(one.text))) {
      expect(text).toMatch(/ limit |"id" <= /);
    }
    const named = (await eventsOf(shop)).filter(({ data }) => JSON.stringify(data).includes('"Ada"'));
    expect(named.filter(({ resourceId }) => resourceId === customer.id)).toEqual([]);
    expect(named).toHaveLength(many - about.size);
  });
});
