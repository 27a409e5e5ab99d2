import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { type Statement, statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { type Context, createOrder, createWebhook, type EventPattern, type Product, updateProduct } from '../index.ts';
import { claimDeliveries, nextDue } from './claims.ts';

forEachStorage('the cost of webhooks', (database, dialect) => {
  const commerce = useCommerce(database, { allowInsecureWebhooks: true });

  const subscribe = (shop: Context, n: number, events: EventPattern[]) =>
    createWebhook(shop, { url: `http://127.0.0.1:9/${n}`, events });

  const insertsInto = (table: string, statements: readonly Statement[]) =>
    statements.filter(({ text }) => text.includes(`insert into "${table}"`));

  /** A paid order with a line for each product. */
  async function payFor(shop: Context, products: readonly Product[]): Promise<Statement[]> {
    const order = await createOrder(shop, { items: products.map(({ id }) => ({ productId: id, quantity: 1 })) });
    const paid = payment(order.id, products.length * 1000).intentSucceeded();
    return statementsOf(async () => {
      const answer = await send(shop, paid);
      expect(answer).toMatchObject({ outcome: 'paid' });
    });
  }

  it('an update that changes nothing emits nothing and writes no delivery', async () => {
    const shop = await newShop(commerce());
    await subscribe(shop, 1, ['product.*']);
    const product = await newProduct(shop, { title: 'Mug', description: 'Blue' });
    let statements: Statement[] = [];
    const emitted = await emittedBy(shop, async () => {
      statements = await statementsOf(() => updateProduct(shop, product.id, { title: 'Mug', description: 'Blue' }));
    });
    expect(emitted).toEqual([]);
    expect(insertsInto('events', statements)).toEqual([]);
    expect(insertsInto('deliveries', statements)).toEqual([]);
    expect(await emittedBy(shop, () => updateProduct(shop, product.id, { title: 'Cup' }))).toEqual(['product.updated']);
  });

  it('a paid order with 30 tracked lines emits 30 product.updated and three order events, in one statement', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    for (let n = 0; n < 5; n++) await subscribe(shop, n, ['product.*', 'order.*']);
    const products: Product[] = [];
    for (let n = 0; n < 30; n++) products.push(await newProduct(shop, { trackStock: true, stock: 10 }));
    const before = await shop.engine.storage.db.selectFrom('deliveries').select('id').execute();
    let statements: Statement[] = [];
    const emitted = await emittedBy(shop, async () => {
      statements = await payFor(shop, products);
    });
    expect(emitted.filter((type) => type === 'product.updated')).toHaveLength(30);
    expect(emitted.filter((type) => type !== 'product.updated').sort()).toEqual([
      'order.created',
      'order.paid',
      'order.updated',
    ]);
    expect(insertsInto('events', statements)).toHaveLength(1);
    expect(insertsInto('deliveries', statements)).toHaveLength(1);
    const after = await shop.engine.storage.db.selectFrom('deliveries').select('id').execute();
    expect(after.length - before.length).toBe(33 * 5);
  });

  it('the claims of many queues take one statement each and a few for all', async () => {
    const shop = await newShop(commerce());
    const webhooks = [];
    for (let n = 0; n < 20; n++) webhooks.push(await subscribe(shop, n, ['product.created']));
    for (let n = 0; n < 3; n++) await newProduct(shop);
    const wanted = webhooks.map(({ id }) => ({ subscriberId: id, limit: 2 }));
    const statements = await statementsOf(async () => {
      expect(await claimDeliveries(shop.engine, shop.store.id, wanted)).toHaveLength(40);
    });
    const asked = statements.filter(({ text }) => /^(select|update|insert|delete)/.test(text));
    expect(asked).toHaveLength(20 + 3);
  });

  it('attempts that end together are recorded together', async () => {
    const shop = await newShop(commerce());
    const subscriber = await startSubscriber();
    await createWebhook(shop, { url: subscriber.url, events: ['product.created'] });
    for (let n = 0; n < 60; n++) await newProduct(shop);
    const statements = await statementsOf(async () => void (await commerce().deliverDue()));
    await subscriber.close();
    expect(subscriber.received.length).toBeGreaterThanOrEqual(60);
    const rows = await shop.engine.storage.db
      .selectFrom('deliveries')
      .select(['status', 'attempts', 'log'])
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(rows).toHaveLength(60);
    for (const { status, attempts, log } of rows) {
      expect([status, attempts, JSON.parse(log)]).toMatchObject(['succeeded', 1, [{ responseCode: 200 }]]);
    }
    const recording = statements.filter(({ text }) => text.includes(`"status" = 'succeeded'`));
    expect(recording.length).toBeGreaterThan(0);
    expect(recording.length).toBeLessThan(60);
  });

  it('waiting deliveries are found by their index, however many they are', async () => {
    const shop = await newShop(commerce());
    const { db } = shop.engine.storage;
    const [dead] = [await subscribe(shop, 1, ['product.created']), await subscribe(shop, 2, ['product.created'])];
    await newProduct(shop);
    const [row] = await db
      .selectFrom('deliveries')
      .selectAll()
      .where('store_id', '=', shop.store.id)
      .where('subscriber_id', '=', dead.id)
      .execute();
    if (!row) throw new Error('nothing waits');
    for (let from = 0; from < 20_000; from += 2000) {
      const some = Array.from({ length: 2000 }, (_, i) => ({
        ...row,
        id: shop.engine.ids.next(row.created_at + from + i),
        due_at: row.created_at - 20_000 + from + i,
        ...((from + i) % 3 === 0 ? { status: 'succeeded', due_at: null } : {}),
      }));
      await db.transaction().execute((tx) => tx.insertInto('deliveries').values(some).execute());
    }
    if (dialect === 'postgres') {
      // The engine does this itself within a minute.
      for (const table of ['deliveries', 'events', 'webhooks'])
        await db.executeQuery(CompiledQuery.raw(`analyze ${table}`));
    }
    const statements = await statementsOf(async () => {
      await nextDue(shop.engine, []);
      expect(await claimDeliveries(shop.engine, shop.store.id, [{ subscriberId: dead.id, limit: 64 }])).toHaveLength(
        64,
      );
    });
    const plans: string[] = [];
    for (const { text, values } of statements.filter((one) => /deliveries/.test(one.text))) {
      const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain';
      // Also for read-only statements, so that nothing remains.
      const { rows } = await db
        .transaction()
        .execute((tx) => tx.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...values])));
      plans.push(rows.map((line) => Object.values(line as object).join(' ')).join('\n'));
    }
    const [look, take, ...rest] = plans;
    expect(plans).toHaveLength(4);
    for (const plan of [look, take]) {
      expect(plan).toMatch(/deliveries_queue/);
      expect(plan).not.toMatch(/TEMP B-TREE|Sort/);
    }
    for (const plan of rest) expect(plan).toMatch(/deliveries_pkey|sqlite_autoindex_deliveries|Index Scan/);
    for (const plan of plans) expect(plan).not.toMatch(/SCAN deliveries|Seq Scan on deliveries/);
  });
});
