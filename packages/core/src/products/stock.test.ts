import { auditOf, emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  adjustStock,
  type Context,
  changeProducts,
  createCategory,
  createOrder,
  deleteCategory,
  getProduct,
  getProductJson,
  importFile,
  type Product,
  type ProductInput,
  type StockAdjustment,
  updateOrder,
  updateProduct,
} from '../index.ts';
import { versionOf } from '../resources/versions.ts';
import { fakeClock } from '../testing/index.ts';
import { maxStock } from './fields.ts';

forEachStorage('stock that orders move while somebody sets it', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  async function openShop(more: Partial<ProductInput> = {}) {
    const shop = await newShop(commerce(), 'EUR', { type: 'apiKey', id: 'key-1' });
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock: 10, ...more });
    return { shop, product, now: () => getProduct(shop, product.id) };
  }
  /** Sells three pieces, a second after the previous event. */
  async function sell(shop: Context, product: Product, quantity = 3) {
    clock.advance(1000);
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity }] });
    await send(shop, payment(order.id, quantity * 1000).intentSucceeded());
    clock.advance(1000);
    return order;
  }
  const importText = (shop: Context, content: string, overwriteStock = false) => {
    const open = async function* () {
      yield Buffer.from(content);
    };
    return importFile(shop, 'products', { open }, { onError: 'skip', overwriteStock });
  };
  const seenBy = (shop: Context, id: string, ...versions: string[]): Context => ({
    ...shop,
    expected: { id, versions },
  });

  it('is not brought back by who read the product before: refused with the stock as it is', async () => {
    const { shop, product, now } = await openShop();
    await sell(shop, product);
    for (const changes of [{ stock: 10 }, { ...product, title: 'New' }, { stock: 20, updatedAt: null }]) {
      await expectDenied(commerce(), () => updateProduct(shop, product.id, changes as object), {
        kind: 'conflict',
        fields: ['stock'],
        message: /\b7\b/,
      });
    }
    expect((await now()).stock).toBe(7);
  });

  it('is set by who has seen it: with its updatedAt, or with its version', async () => {
    const { shop, product, now } = await openShop();
    await sell(shop, product);
    const { updatedAt } = await now();
    const sent = { stock: 20, updatedAt } as object;
    expect(await updateProduct(shop, product.id, sent)).toMatchObject({ stock: 20 });
    await sell(shop, product);
    const version = versionOf(await getProductJson(shop, product.id));
    expect(await updateProduct(seenBy(shop, product.id, version), product.id, { stock: 30 })).toMatchObject({
      stock: 30,
    });
    expect((await now()).stock).toBe(30);
  });

  it('is not set with another version, or another updatedAt', async () => {
    const { shop, product } = await openShop();
    const old = versionOf(await getProductJson(shop, product.id));
    await sell(shop, product);
    const stale = { stock: 20, updatedAt: product.updatedAt } as object;
    await expectDenied(commerce(), () => updateProduct(shop, product.id, stale), {
      kind: 'conflict',
      fields: ['stock'],
    });
    await expectDenied(commerce(), () => updateProduct(seenBy(shop, product.id, old), product.id, { stock: 20 }), {
      kind: 'conflict',
    });
  });

  it('is set unseen while no order has moved it since the last change', async () => {
    const { shop, product, now } = await openShop();
    for (const stock of [20, 5, 10]) {
      expect(await updateProduct(shop, product.id, { stock })).toMatchObject({ stock });
    }
    await sell(shop, product);
    const { updatedAt } = await now();
    await updateProduct(shop, product.id, { stock: 9, updatedAt } as object);
    expect(await updateProduct(shop, product.id, { stock: 12 })).toMatchObject({ stock: 12 });
  });

  it('may be sent along as it is, and other fields may be changed unseen', async () => {
    const { shop, product, now } = await openShop();
    await sell(shop, product);
    expect(await updateProduct(shop, product.id, { stock: 7, title: 'One' })).toMatchObject({ stock: 7, title: 'One' });
    await sell(shop, product);
    expect(await updateProduct(shop, product.id, { title: 'Two' })).toMatchObject({ stock: 4, title: 'Two' });
    expect((await now()).stock).toBe(4);
  });

  it.each<[string, (shop: Context, product: Product) => Promise<unknown>]>([
    ['a change of the title', (shop, { id }) => updateProduct(shop, id, { title: 'Two' })],
    [
      'a change of the price that has seen the product',
      async (shop, { id }) =>
        updateProduct(shop, id, { price: '11', updatedAt: (await getProduct(shop, id)).updatedAt } as object),
    ],
    [
      'the stock as it is, from an older state of the product',
      (shop, { id, updatedAt }) => updateProduct(shop, id, { title: 'Two', stock: 7, updatedAt } as object),
    ],
    [
      'a change of many products',
      (shop, { id }) => changeProducts(shop, { ids: [id], changes: { pricePercent: '10' } }),
    ],
    ['the end of its category', async (shop, { categoryIds: [id = ''] }) => deleteCategory(shop, id)],
    ['an import without stock', (shop, { slug }) => importText(shop, `slug,title\n${slug},Two\n`)],
    [
      'an import with the stock as it is, from an older state',
      (shop, { slug, updatedAt }) => importText(shop, `slug,title,stock,updatedAt\n${slug},Two,7,${updatedAt}\n`),
    ],
    ['an adjustment', (shop, { id }) => adjustStock(shop, id, { adjustment: 1 })],
  ])('is kept from being brought back after %s', async (_, change) => {
    const { shop, product: made, now } = await openShop();
    const category = await createCategory(shop, { name: 'Mugs', slug: 'mugs' });
    const product = await updateProduct(shop, made.id, { categoryIds: [category.id] });
    await sell(shop, product);
    await change(shop, product);
    const { stock } = await now();
    expect((await now()).updatedAt).not.toBe(product.updatedAt);
    await expectDenied(commerce(), () => updateProduct(shop, product.id, { stock: 10 }), {
      kind: 'conflict',
      fields: ['stock'],
    });
    expect(await importText(shop, `slug,stock\n${product.slug},10\n`)).toMatchObject({ refused: 1 });
    // A matching version proves nothing about a body that was read before.
    const version = versionOf(await getProductJson(shop, product.id));
    const stale = { ...product, stock: 10 };
    await expectDenied(
      commerce(),
      () => updateProduct(seenBy(shop, product.id, version), product.id, stale as object),
      {
        kind: 'conflict',
        fields: ['stock'],
      },
    );
    expect((await now()).stock).toBe(stock);
  });

  it('is moved by what an order returns, too', async () => {
    const { shop, product, now } = await openShop();
    const order = await sell(shop, product);
    const { updatedAt } = await now();
    await updateProduct(shop, product.id, { stock: 7, title: 'Seen', updatedAt } as object);
    await updateOrder(shop, order.id, { status: 'cancelled' });
    await expectDenied(commerce(), () => updateProduct(shop, product.id, { stock: 7 }), {
      kind: 'conflict',
      fields: ['stock'],
      message: /\b10\b/,
    });
  });

  it('is enough for exactly as many pieces, of which the lines of one product are one demand', async () => {
    const { shop, product } = await openShop({ stock: 3 });
    const lines = (...quantities: number[]) => ({
      items: quantities.map((quantity) => ({ productId: product.id, quantity })),
      reserveMinutes: 60,
    });
    await expectDenied(commerce(), () => createOrder(shop, lines(2, 2)), {
      kind: 'insufficientStock',
      fields: ['items'],
    });
    expect((await createOrder(shop, lines(1, 2))).status).toBe('pending');
    await expect(createOrder(shop, lines(1))).rejects.toMatchObject({ kind: 'insufficientStock' });
  });

  it('is not filled above its maximum by what an order returns', async () => {
    const { shop, product, now } = await openShop();
    const order = await sell(shop, product);
    const { updatedAt } = await now();
    await updateProduct(shop, product.id, { stock: maxStock - 1, updatedAt } as object);
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect((await now()).stock).toBe(maxStock);
  });

  it('is not moved by an order that is only pending', async () => {
    const { shop, product } = await openShop();
    await createOrder(shop, { items: [{ productId: product.id, quantity: 3 }] });
    expect(await updateProduct(shop, product.id, { stock: 50 })).toMatchObject({ stock: 50 });
  });

  it('is adjusted by a difference, whatever orders do meanwhile', async () => {
    const { shop, product, now } = await openShop();
    await sell(shop, product);
    const types = await emittedBy(shop, async () => {
      const adjusted = await adjustStock(shop, product.id, { adjustment: 5, reason: 'a delivery' });
      expect(adjusted).toEqual({ ...product, stock: 12, updatedAt: new Date(clock.now()).toISOString() });
      expect(await now()).toEqual(adjusted);
    });
    expect(types).toEqual(['product.updated']);
    const entry = (await auditOf(shop)).at(-1);
    expect(entry).toMatchObject({ action: 'product.stock_adjusted', actor_id: 'key-1', resource_id: product.id });
    expect(JSON.parse(entry?.changes ?? '')).toMatchObject({
      adjustment: 5,
      reason: 'a delivery',
      stock: { from: 7, to: 12 },
    });
    expect(await adjustStock(shop, product.id, { adjustment: -12 })).toMatchObject({ stock: 0 });
  });

  it.each<[string, unknown]>([
    ['nothing', { adjustment: 0 }],
    ['half a piece', { adjustment: 0.5 }],
    ['a text', { adjustment: '1' }],
    ['no adjustment', {}],
    ['more than can be kept', { adjustment: 2 ** 31 }],
  ])('is not adjusted by %s', async (_, input) => {
    const { shop, product } = await openShop();
    await expectDenied(
      commerce(),
      () => adjustStock(shop, product.id, input as StockAdjustment),
      invalid('adjustment'),
    );
  });

  it('does not go below 0 by hand, and comes closer to it where back-orders took it there', async () => {
    const { shop, product, now } = await openShop({ allowBackorder: true, stock: 1 });
    await expectDenied(commerce(), () => adjustStock(shop, product.id, { adjustment: -2 }), {
      kind: 'conflict',
      fields: ['adjustment'],
      message: /\b1\b/,
    });
    await sell(shop, product, 4);
    expect((await now()).stock).toBe(-3);
    await expectDenied(commerce(), () => adjustStock(shop, product.id, { adjustment: -1 }), {
      kind: 'conflict',
      fields: ['adjustment'],
    });
    expect(await adjustStock(shop, product.id, { adjustment: 2 })).toMatchObject({ stock: -1 });
  });

  it("is found neither by an unknown id nor by another store's", async () => {
    const [ours, theirs] = [await openShop(), await openShop()];
    for (const id of [theirs.product.id, '0190a5c8-0000-7000-8000-00000000dead', 'x']) {
      await expectDenied(commerce(), () => adjustStock(ours.shop, id, { adjustment: 1 }), { kind: 'notFound' });
    }
  });

  it('is right after adjustments and sales that come together', async () => {
    const { shop, product, now } = await openShop({ stock: 100 });
    const orders = [];
    for (let i = 0; i < 10; i++) {
      orders.push(await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] }));
    }
    await Promise.all([
      ...orders.map((order) => send(shop, payment(order.id, 1000).intentSucceeded())),
      ...[5, -2, 7, -1].map((adjustment) => adjustStock(shop, product.id, { adjustment })),
    ]);
    expect((await now()).stock).toBe(99);
  });

  it('is told as low once, by the sale that takes it to the threshold or below', async () => {
    const { shop, product, now } = await openShop({ lowStockThreshold: 5 });
    const low = async (work: () => Promise<unknown>) =>
      (await emittedBy(shop, work)).filter((type) => type === 'product.low_stock');
    expect(await low(() => sell(shop, product, 4))).toEqual([]);
    expect(await low(() => sell(shop, product, 1))).toEqual(['product.low_stock']);
    expect((await eventsOf(shop)).filter(({ type }) => type === 'product.low_stock')).toMatchObject([
      { resourceId: product.id, data: { ...(await now()), stock: 5, lowStockThreshold: 5 } },
    ]);
    expect(await low(() => sell(shop, product, 1))).toEqual([]);
    // Counted by hand, or with a lower threshold, it is no sale.
    expect(await low(() => adjustStock(shop, product.id, { adjustment: 6 }))).toEqual([]);
    expect(await low(() => adjustStock(shop, product.id, { adjustment: -6 }))).toEqual([]);
    await adjustStock(shop, product.id, { adjustment: 2 });
    expect(await low(() => sell(shop, product, 3))).toEqual(['product.low_stock']);
    await updateProduct(shop, product.id, { lowStockThreshold: null });
    // Without a threshold, it is low when nothing is left.
    expect(await low(() => sell(shop, product, 2))).toEqual([]);
    expect(await low(() => sell(shop, product, 1))).toEqual(['product.low_stock']);
  });

  it('is not told as low if it is not tracked, or if the product is archived', async () => {
    const { shop, product } = await openShop({ trackStock: false, lowStockThreshold: 50 });
    expect(await emittedBy(shop, () => sell(shop, product, 4))).not.toContain('product.low_stock');
  });
});
