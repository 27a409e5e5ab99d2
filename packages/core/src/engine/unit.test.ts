import { setTimeout as sleep } from 'node:timers/promises';
import {
  auditOf,
  eventsOf,
  eventTypesOf,
  newProduct,
  newShop,
  useCommerce,
} from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  adjustStock,
  type CommerceError,
  type Context,
  cancelCheckout,
  createApiKey,
  createCategory,
  createCheckout,
  createMedia,
  createOrder,
  createProduct,
  deleteCategory,
  deleteMedia,
  exportText,
  findStore,
  getCategory,
  getOrder,
  getProduct,
  getSettings,
  importFile,
  type KeptAnswer,
  listAuditLogs,
  listCategories,
  listOrders,
  listProducts,
  once,
  openMediaFile,
  replayNotification,
  replayWebhook,
  revokeApiKey,
  rotateSecrets,
  startImport,
  sweepMedia,
  updateProduct,
  updateSettings,
} from '../index.ts';

forEachStorage('several operations as one transaction', (database, dialect) => {
  const commerce = useCommerce(database);
  const storedAs = (error: unknown) => ({ kind: (error as CommerceError).kind, message: (error as Error).message });
  /** The error with which a promise was rejected. */
  const refusalOf = (work: Promise<unknown>) =>
    work.then((answer) => expect.fail(`answered ${JSON.stringify(answer)}`), storedAs);

  it('are all kept, with their events, entries and counts, and what the callback returns', async () => {
    const shop = await newShop(commerce());
    const product = await commerce().transaction(shop, async (tx) => {
      const category = await createCategory(tx, { name: 'Mugs', slug: 'mugs' });
      const made = await createProduct(tx, { title: 'Mug', slug: 'mug', price: '5', categoryIds: [category.id] });
      // Each sees the results of the previous ones.
      expect(await getProduct(tx, made.id)).toEqual(made);
      expect((await listProducts(tx)).items).toEqual([made]);
      return updateProduct(tx, made.id, { title: 'Big mug', stock: 3, trackStock: true });
    });
    expect(await getProduct(shop, product.id)).toEqual(product);
    expect(product).toMatchObject({ title: 'Big mug', stock: 3 });
    expect(await listProducts(shop)).toEqual({ items: [product], total: 1 });
    expect((await listProducts(shop, { search: 'big mug' })).items).toEqual([product]);
    expect(await listProducts(shop, { search: 'big mug', status: 'draft' })).toMatchObject({ total: 1 });
    expect((await listCategories(shop)).total).toBe(1);
    const events = await eventsOf(shop);
    expect(events.map(({ type }) => type)).toEqual(['category.created', 'product.created', 'product.updated']);
    expect(events.at(-1)?.data).toEqual(product);
    const entries = (await auditOf(shop)).filter(({ resource_type }) => resource_type !== 'store');
    expect(entries.map(({ action }) => action)).toEqual(['category.created', 'product.created', 'product.updated']);
    // One time for everything.
    expect(new Set(entries.map((entry) => entry.created_at))).toHaveLength(1);
    expect(product.createdAt).toBe(product.updatedAt);
    expect((await listAuditLogs(shop, { resourceType: 'product' })).total).toBe(2);
  });

  it('are seen by nobody else before the end', async () => {
    const shop = await newShop(commerce());
    const seen = { inside: -1, reads: -1 };
    await commerce().transaction(shop, async (tx) => {
      const { id } = await createProduct(tx, { title: 'Mug', slug: 'mug', price: '5' });
      seen.inside = (await listProducts(tx)).items.length;
      // Reading outside is allowed: it sees committed data.
      seen.reads = (await listProducts(shop)).items.length;
      expect(await refusalOf(getProduct(shop, id))).toMatchObject({ kind: 'notFound' });
    });
    expect(seen).toEqual({ inside: 1, reads: 0 });
    expect((await listProducts(shop)).items).toHaveLength(1);
  });

  it('leave nothing when the callback throws half way', async () => {
    const shop = await newShop(commerce());
    const mug = await newProduct(shop, { trackStock: true, stock: 5 });
    const before = { events: await eventTypesOf(shop), entries: (await auditOf(shop)).length };
    const boom = new Error('the application changed its mind');
    const work = commerce().transaction(shop, async (tx) => {
      await adjustStock(tx, mug.id, { adjustment: -3 });
      await createProduct(tx, { title: 'Plate', slug: 'plate', price: '7' });
      await createOrder(tx, { items: [{ productId: mug.id, quantity: 1 }], customer: { email: 'a@example.org' } });
      throw boom;
    });
    await expect(work).rejects.toBe(boom);
    expect(await getProduct(shop, mug.id)).toEqual(mug);
    expect(await listProducts(shop)).toEqual({ items: [mug], total: 1 });
    expect(await listProducts(shop, { search: 'plate' })).toEqual({ items: [], total: 0 });
    expect((await listOrders(shop)).total).toBe(0);
    expect({ events: await eventTypesOf(shop), entries: (await auditOf(shop)).length }).toEqual(before);
    // Its locks are free again.
    expect((await createOrder(shop, { items: [{ productId: mug.id, quantity: 5 }] })).orderNumber).toBe('ORD-1001');
    await createProduct(shop, { title: 'Plate', slug: 'plate', price: '7' });
  });

  it('go on after one of them that failed, of which nothing is left', async () => {
    const shop = await newShop(commerce());
    const mug = await newProduct(shop, { slug: 'mug', title: 'tea mug', trackStock: true, stock: 1 });
    const events = (await eventTypesOf(shop)).length;
    await commerce().transaction(shop, async (tx) => {
      await createProduct(tx, { title: 'first', slug: 'first', price: '5' });
      // Refused by a rule of the database, after its search text was queued.
      const taken = createProduct(tx, { title: 'second mug', slug: 'mug', price: '5' });
      expect(await refusalOf(taken)).toMatchObject({ kind: 'conflict', message: expect.stringContaining('slug') });
      // It had written its customer and its number before it found too little stock.
      const order = createOrder(tx, {
        items: [{ productId: mug.id, quantity: 2 }],
        customer: { email: 'nobody@example.org' },
      });
      expect(await refusalOf(order)).toMatchObject({ kind: 'insufficientStock' });
      await createProduct(tx, { title: 'third mug', slug: 'third', price: '5' });
    });
    expect((await listProducts(shop)).items.map(({ slug }) => slug).sort()).toEqual(['first', 'mug', 'third']);
    expect((await listProducts(shop)).total).toBe(3);
    expect((await listProducts(shop, { search: 'mug' })).items.map(({ slug }) => slug).sort()).toEqual([
      'mug',
      'third',
    ]);
    expect((await eventTypesOf(shop)).slice(events)).toEqual(['product.created', 'product.created']);
    const customers = await shop.engine.storage.db
      .selectFrom('customers')
      .selectAll()
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(customers).toEqual([]);
  });

  it('wait for each other where the callback starts them together', async () => {
    const shop = await newShop(commerce());
    await commerce().transaction(shop, async (tx) => {
      const results = await Promise.allSettled(
        ['a', 'b', 'a', 'c'].map((slug) => createProduct(tx, { title: slug, slug, price: '5' })),
      );
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    });
    expect((await listProducts(shop)).total).toBe(3);
    expect((await eventTypesOf(shop)).length).toBe(3);
  });

  it('never sell a piece twice', async () => {
    const shop = await newShop(commerce());
    const [mug, plate] = await Promise.all([
      newProduct(shop, { trackStock: true, stock: 10 }),
      newProduct(shop, { trackStock: true, stock: 10 }),
    ]);
    const take = (i: number) =>
      commerce().transaction(shop, async (tx) => {
        // In random order, so that two of them can wait for each other.
        const both = i % 2 === 0 ? [mug, plate] : [plate, mug];
        for (const { id } of both) await adjustStock(tx, id, { adjustment: -1 });
        return i;
      });
    const results = await Promise.allSettled([
      ...Array.from({ length: 16 }, (_, i) => take(i)),
      ...Array.from({ length: 4 }, () => adjustStock(shop, mug.id, { adjustment: -1 })),
    ]);
    const sold = results.filter(({ status }) => status === 'fulfilled').length;
    const refusals = results
      .filter((result) => result.status === 'rejected')
      .map(({ reason }) => storedAs(reason).kind);
    const ofUnits = results.slice(0, 16).filter(({ status }) => status === 'fulfilled').length;
    expect([(await getProduct(shop, mug.id)).stock, (await getProduct(shop, plate.id)).stock]).toEqual([
      10 - sold,
      10 - ofUnits,
    ]);
    expect(sold).toBeLessThanOrEqual(10);
    // A database that had to give up five times reports it; all others found no stock left.
    expect(new Set(refusals)).not.toContain('internal');
    if (dialect === 'sqlite') expect([sold, new Set(refusals)]).toEqual([10, new Set(['conflict'])]);
    expect((await eventTypesOf(shop)).filter((type) => type === 'product.updated').length).toBe(
      sold - ofUnits + 2 * ofUnits,
    );
  });

  it.skipIf(dialect === 'sqlite')('are run again as a whole when the database gives them up', async () => {
    const shop = await newShop(commerce());
    const [a, b] = await Promise.all([newProduct(shop), newProduct(shop)]);
    let runs = 0;
    let waiting: (() => void)[] = [];
    /** The first two callers wait for each other; later callers do not wait. */
    const met = async () => {
      if (waiting.length === 1) for (const go of waiting) go();
      else if (waiting.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      waiting = [() => {}, () => {}];
    };
    const cross = (first: string, second: string) =>
      commerce().transaction(shop, async (tx) => {
        runs++;
        await updateProduct(tx, first, { title: `after ${first}` });
        await met();
        // Caught by the application, which cannot save the rest that way.
        await updateProduct(tx, second, { title: `after ${first}` }).catch(() => {});
        await createProduct(tx, { title: 'made', slug: `made-${first}`, price: '1' }).catch(() => {});
      });
    await Promise.all([cross(a.id, b.id), cross(b.id, a.id)]);
    expect(runs).toBeGreaterThan(2);
    const titles = [(await getProduct(shop, a.id)).title, (await getProduct(shop, b.id)).title];
    expect(new Set(titles)).toHaveLength(1);
    expect((await listProducts(shop)).total).toBe(4);
  });

  it('carry a request out once, with its answer', async () => {
    const shop = await newShop(commerce());
    const print = (result: unknown): KeptAnswer => ({ status: 201, body: JSON.stringify(result) });
    const request = { key: 'a', route: 'bundle', fingerprint: 'f', print, printError: () => undefined };
    const send = () =>
      once(shop, request, (ctx) =>
        commerce().transaction(ctx, async (tx) => {
          await createProduct(tx, { title: 'one', slug: 'one', price: '1' });
          return (await createProduct(tx, { title: 'two', slug: 'two', price: '2' })).slug;
        }),
      );
    const answers = await Promise.all([send(), send()]);
    expect(answers).toContainEqual({ result: 'two' });
    expect(answers).toContainEqual({ replay: { status: 201, body: '"two"' } });
    expect((await listProducts(shop)).total).toBe(2);
  });

  it('see the settings that they have changed, and so does the rest of the process afterwards', async () => {
    const shop = await newShop(commerce());
    const mug = await newProduct(shop, { price: '10' });
    const items = [{ productId: mug.id, quantity: 1 }];
    expect((await createOrder(shop, { items })).tax).toBe('0.00');
    const inside = await commerce().transaction(shop, async (tx) => {
      await updateSettings(tx, { taxRate: '0.2' });
      expect(await getSettings(tx)).toMatchObject({ taxRate: '0.2' });
      return createOrder(tx, { items });
    });
    expect(inside.tax).toBe('2.00');
    expect((await getOrder(shop, inside.id)).tax).toBe('2.00');
    expect((await createOrder(shop, { items })).tax).toBe('2.00');
  });

  it('revoke a key at once', async () => {
    const shop = await newShop(commerce());
    const { id, key } = await createApiKey(shop, { name: 'key', scopes: ['product.read'] });
    expect(await commerce().identities.authenticate(key)).toMatchObject({ actor: { id } });
    await commerce().transaction(shop, (tx) => revokeApiKey(tx, id));
    expect(await commerce().identities.authenticate(key)).toBeUndefined();
  });

  it('deliver to the application as soon as they are committed', async () => {
    const shop = await newShop(commerce());
    const seen: string[] = [];
    const off = await commerce().on('product.*', (event) => seen.push(event.type), { name: `seen-${dialect}` });
    const stop = commerce().startDelivery();
    await commerce().transaction(shop, async (tx) => {
      const { id } = await createProduct(tx, { title: 'Mug', slug: 'mug', price: '5' });
      await updateProduct(tx, id, { title: 'Cup' });
      await sleep(50);
      expect(seen).toEqual([]);
    });
    await expect.poll(() => seen).toEqual(['product.created', 'product.updated']);
    off();
    await stop();
    await commerce().forgetSubscriber(`seen-${dialect}`);
  });

  it('leave the products of a deleted category to upkeep where they are many', async () => {
    const shop = await newShop(commerce());
    const { id } = await createCategory(shop, { name: 'Mugs', slug: 'mugs' });
    for (let i = 0; i < 120; i++) await newProduct(shop, { categoryIds: [id] });
    await commerce().transaction(shop, (tx) => deleteCategory(tx, id), { maxOperations: 1 });
    expect(await refusalOf(getCategory(shop, id))).toMatchObject({ kind: 'notFound' });
    const left = await shop.engine.storage.db
      .selectFrom('category_removals')
      .select('category_id')
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(left).toEqual([{ category_id: id }]);
  });

  describe('are refused', () => {
    it('with the context from outside, at once, and the rest can be kept', async () => {
      const shop = await newShop(commerce());
      const message =
        'inside of commerce.transaction(), operations take the context that its callback is given, not the one outside';
      await commerce().transaction(shop, async (tx) => {
        const began = performance.now();
        expect(await refusalOf(newProduct(shop))).toEqual({ kind: 'conflict', message });
        expect(await refusalOf(commerce().createStore({ name: 'Other', currency: 'EUR' }))).toEqual({
          kind: 'conflict',
          message,
        });
        expect(await refusalOf(commerce().transaction(shop, async () => 1))).toEqual({ kind: 'conflict', message });
        expect(performance.now() - began).toBeLessThan(1000);
        await createProduct(tx, { title: 'Mug', slug: 'mug', price: '5' });
      });
      expect((await listProducts(shop)).total).toBe(1);
      // Afterwards the same works, even in work that the callback has started.
      let later: Promise<unknown> = Promise.resolve();
      await commerce().transaction(shop, async () => {
        later = sleep(20).then(() => newProduct(shop));
      });
      await later;
      expect((await listProducts(shop)).total).toBe(2);
    });

    it('inside of another one', async () => {
      const shop = await newShop(commerce());
      await commerce().transaction(shop, async (tx) => {
        expect(await refusalOf(commerce().transaction(tx, async () => 1))).toEqual({
          kind: 'conflict',
          message: 'a transaction is already open: pass its context on instead of opening another',
        });
      });
    });

    it('for another store or actor', async () => {
      const shop = await newShop(commerce());
      const other = await newShop(commerce());
      await commerce().transaction(shop, async (tx) => {
        const product = { title: 'Mug', slug: 'mug', price: '5' };
        const message = 'every operation of a transaction must have the same store and the same actor';
        const elsewhere = { ...tx, store: other.store };
        expect(await refusalOf(createProduct(elsewhere, product))).toEqual({ kind: 'conflict', message });
        const asCli: Context = { ...tx, actor: { type: 'cli', id: null } };
        expect(await refusalOf(createProduct(asCli, product))).toEqual({ kind: 'conflict', message });
      });
      expect((await listProducts(shop)).total + (await listProducts(other)).total).toBe(0);
      expect(await findStore(shop.engine, other.store.id)).toBeDefined();
    });

    it('after their end', async () => {
      const shop = await newShop(commerce());
      const kept = await commerce().transaction(shop, async (tx) => tx);
      const ended = {
        kind: 'conflict',
        message: 'the transaction has ended: use its context only in its callback',
      };
      expect(await refusalOf(newProduct(kept))).toEqual(ended);
      expect(await refusalOf(listProducts(kept))).toEqual(ended);
      expect(await refusalOf(getSettings(kept))).toEqual(ended);
    });

    it('when one of them was not awaited', async () => {
      const shop = await newShop(commerce());
      const work = commerce().transaction(shop, async (tx) => {
        void createProduct(tx, { title: 'Mug', slug: 'mug', price: '5' }).catch(() => {});
        await createProduct(tx, { title: 'Plate', slug: 'plate', price: '5' });
        void createProduct(tx, { title: 'Cup', slug: 'cup', price: '5' }).catch(() => {});
      });
      expect(await refusalOf(work)).toEqual({
        kind: 'conflict',
        message: 'an operation of the transaction is still running: await each operation before the callback returns',
      });
      expect((await listProducts(shop)).total).toBe(0);
    });

    it('when they are too many', async () => {
      const shop = await newShop(commerce());
      const make = (n: number) =>
        commerce().transaction(
          shop,
          async (tx) => {
            for (let i = 0; i < n; i++) await createProduct(tx, { title: `${i}`, slug: `p-${i}`, price: '5' });
          },
          { maxOperations: 3 },
        );
      expect(await refusalOf(make(4))).toEqual({
        kind: 'conflict',
        message: 'a transaction can have at most 3 operations (maxOperations, up to 1000)',
      });
      expect((await listProducts(shop)).total).toBe(0);
      await make(3);
      expect((await listProducts(shop)).total).toBe(3);
    });

    it('when they take too long, and others go on at once', async () => {
      const shop = await newShop(commerce());
      const began = performance.now();
      let late: Promise<unknown> = Promise.resolve();
      const work = commerce().transaction(
        shop,
        async (tx) => {
          await createProduct(tx, { title: 'Mug', slug: 'mug', price: '5' });
          late = sleep(600).then(() => createProduct(tx, { title: 'Cup', slug: 'cup', price: '5' }));
          late.catch(() => {});
          await late;
        },
        { timeout: 300 },
      );
      const beside = sleep(50).then(() => newProduct(shop));
      expect(await refusalOf(work)).toEqual({
        kind: 'unavailable',
        message: 'the transaction took longer than 300 ms and was rolled back',
      });
      await beside;
      expect(performance.now() - began).toBeLessThan(3000);
      expect(await refusalOf(late)).toMatchObject({ kind: 'conflict' });
      expect((await listProducts(shop)).total).toBe(1);
    });

    it.each([
      [{ timeout: 0 }, 'timeout: must be a whole number from 1 to 5000, not 0'],
      [{ timeout: 6000 }, 'timeout: must be a whole number from 1 to 5000, not 6000'],
      [{ timeout: 1.5 }, 'timeout: must be a whole number from 1 to 5000, not 1.5'],
      [{ maxOperations: 1001 }, 'maxOperations: must be a whole number from 1 to 1000, not 1001'],
    ])('with bounds of their own such as %j', async (options, message) => {
      const shop = await newShop(commerce());
      let called = false;
      const work = commerce().transaction(
        shop,
        async () => {
          called = true;
        },
        options,
      );
      expect(await refusalOf(work)).toEqual({ kind: 'validation', message });
      expect(called).toBe(false);
    });

    const elsewhere: [string, (tx: Context) => unknown][] = [
      ['createCheckout asks a payment provider', (tx) => createCheckout(tx, {} as never)],
      ['cancelCheckout asks a payment provider', (tx) => cancelCheckout(tx, 'x')],
      ['replayNotification asks a payment provider', (tx) => replayNotification(tx, 'x')],
      ['createMedia writes files', (tx) => createMedia(tx, [])],
      ['deleteMedia removes files', (tx) => deleteMedia(tx, 'x')],
      ['openMediaFile reads and writes files', (tx) => openMediaFile(tx.engine, tx.store.id, 'x.jpg')],
      ['sweepMedia removes files', (tx) => sweepMedia(tx.engine)],
      ['importFile runs many transactions', (tx) => importFile(tx, 'products', {} as never)],
      ['startImport continues in the background', (tx) => startImport(tx, {} as never, [] as never)],
      ['exportText reads for as long as its reader takes', (tx) => exportText(tx, 'products')],
      ['replayWebhook runs many transactions', (tx) => replayWebhook(tx, 'x', {} as never)],
      ['rotateSecrets runs many transactions', (tx) => rotateSecrets(tx.engine)],
    ];
    it.each(elsewhere)('where they reach beyond the database: %s', async (what, call) => {
      const shop = await newShop(commerce());
      await commerce().transaction(shop, async (tx) => {
        expect(await refusalOf((async () => call(tx))())).toEqual({
          kind: 'conflict',
          message: `${what}: call it outside commerce.transaction()`,
        });
      });
    });
  });
});
