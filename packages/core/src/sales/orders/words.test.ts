import { useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy, newProduct } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import {
  type Context,
  createCategory,
  createCheckout,
  createCustomer,
  createOrder,
  getCategory,
  getCheckout,
  getOrder,
  getProduct,
  type OrderChanges,
  quoteCheckout,
  updateCustomer,
  updateOrder,
  updateProduct,
} from '../../index.ts';

const page = (shop: Context): Context => ({ ...shop, actor: { type: 'apiKey', id: 'storefront', isPublic: true } });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 'v']));
const settings = {
  paymentMethods: [{ id: 'transfer', name: 'Bank transfer', kind: 'transfer' as const, instructions: 'Pay.' }],
};

forEachStorage('what buyers and programs write on an order', (database) => {
  const { openShop } = useSelling(database);
  const open = () => openShop([], { settings });

  it('is in a checkout, and in its order: options of each line, the gift note, metadata', async () => {
    const { shop, product, input } = await open();
    const items = [
      { productId: product.id, quantity: 1, options: { Engraving: 'Ada', Font: 'Serif' } },
      { productId: product.id, quantity: 2, options: { Engraving: 'Byron' } },
      { productId: product.id, quantity: 1 },
    ];
    const words = { items, giftNote: 'With love', paymentMethodId: 'transfer' };
    const quote = await quoteCheckout(page(shop), { items, giftNote: 'With love' });
    expect(quote).toMatchObject({ problems: [], subtotal: '50.00' });
    const { orderId } = await createCheckout(shop, { ...input(words), metadata: { 'erp.id': '4711' } });
    expect(await getOrder(shop, orderId)).toMatchObject({
      items: [{ options: items[0]?.options }, { options: items[1]?.options }, { options: {} }],
      ...{ giftNote: 'With love', metadata: { 'erp.id': '4711' }, tags: [] },
    });
    const { order } = await newest(shop, input(words));
    expect(order).toMatchObject({ giftNote: 'With love', metadata: {} });
  });

  /** The order of a checkout by a page. */
  async function newest(shop: Context, input: Parameters<typeof createCheckout>[1]) {
    const { id, orderId } = await createCheckout(page(shop), input);
    return { checkout: await getCheckout(shop, id), order: await getOrder(shop, orderId) };
  }

  it('never sells more of a product than there is, however many lines it has', async () => {
    const { shop, product, input } = await open();
    const items = ['a', 'b'].map((text) => ({ productId: product.id, quantity: 6, options: { Engraving: text } }));
    await expect(createCheckout(shop, input({ items, paymentMethodId: 'transfer' }))).rejects.toMatchObject({
      code: 'INSUFFICIENT_STOCK',
    });
  });

  it('has bounds', async () => {
    const { shop, product, input } = await open();
    const line = (options: unknown) => ({
      items: [{ productId: product.id, quantity: 1, options: options as Record<string, string> }],
      paymentMethodId: 'transfer',
    });
    const lines = (count: number, length: number) => ({
      items: Array.from({ length: count }, (_, i) => ({
        productId: product.id,
        quantity: 1,
        options: { [`o${i}`.padEnd(10)]: 'x'.repeat(length) },
      })),
      paymentMethodId: 'transfer',
    });
    const refused = [
      [line(many(11)), 'items.0.options'],
      [line({ a: 'x'.repeat(501) }), 'items.0.options.a'],
      [line({ ['n'.repeat(65)]: 'x' }), /^items\.0\.options/],
      [line({ ' ': 'x' }), /^items\.0\.options/],
      [line({ a: 1 }), 'items.0.options.a'],
      [line(JSON.parse('{"__proto__": "x"}')), 'items.0.options'],
      [lines(20, 491), 'items'],
      [{ ...line({}), giftNote: 'x'.repeat(1001) }, 'giftNote'],
    ] as const;
    for (const [words, field] of refused) {
      const error = { kind: 'validation', details: [{ field: expect.stringMatching(field) }] };
      await expect(createCheckout(shop, input(words)), JSON.stringify(field)).rejects.toMatchObject(error);
      await expect(quoteCheckout(shop, words), JSON.stringify(field)).rejects.toMatchObject(error);
    }
    await createCheckout(shop, input(lines(2, 490)));
    await expect(createOrder(shop, { items: lines(20, 491).items })).rejects.toMatchObject({
      details: [{ field: 'items' }],
    });
  });

  it('is metadata and tags of orders, which are replaced as a whole', async () => {
    const { shop, product } = await open();
    const items = [{ productId: product.id, quantity: 1 }];
    const order = await createOrder(shop, { items, metadata: { a: '1' }, tags: [' vip ', 'vip', 'phone'] });
    expect(order).toMatchObject({ metadata: { a: '1' }, tags: ['vip', 'phone'] });
    const types = await emittedBy(shop, async () => {
      const changed = await updateOrder(shop, order.id, { metadata: { b: '2' }, tags: ['late'] });
      expect(changed).toMatchObject({ metadata: { b: '2' }, tags: ['late'] });
      expect(await getOrder(shop, order.id)).toEqual(changed);
      // A client can send back what it read.
      expect(await updateOrder(shop, order.id, changed as OrderChanges)).toEqual(changed);
    });
    expect(types).toEqual(['order.updated']);
    await expect(updateOrder(shop, order.id, { giftNote: 'x' } as never)).rejects.toMatchObject({
      details: [{ field: 'giftNote' }],
    });
  });

  describe('metadata', () => {
    const refused: [unknown, string | RegExp][] = [
      [many(51), 'metadata'],
      [{ 'a b': 'x' }, /^metadata/],
      [{ ['k'.repeat(41)]: 'x' }, /^metadata/],
      [{ a: 'x'.repeat(501) }, 'metadata.a'],
      [{ a: 1 }, 'metadata.a'],
      [{ a: null }, 'metadata.a'],
      [['a'], 'metadata'],
      ['a', 'metadata'],
      [null, 'metadata'],
      [JSON.parse('{"__proto__": "x"}'), 'metadata'],
    ];
    it('is checked on all that has it', async () => {
      const { shop, product, input } = await open();
      const { id: customerId } = await createCustomer(shop, { email: 'b@shop.test', metadata: many(50), tags: ['x'] });
      const items = [{ productId: product.id, quantity: 1 }];
      const { id: orderId } = await createOrder(shop, { items });
      for (const [value, field] of refused) {
        const metadata = value as Record<string, string>;
        const writes = [
          () => updateProduct(shop, product.id, { metadata }),
          () => createCategory(shop, { name: 'x', slug: 'x', metadata }),
          () => updateCustomer(shop, customerId, { metadata }),
          () => createOrder(shop, { items, metadata }),
          () => updateOrder(shop, orderId, { metadata }),
          () => createCheckout(shop, input({ metadata, paymentMethodId: 'transfer' })),
        ];
        for (const write of writes) {
          await expect(write(), JSON.stringify(value)).rejects.toMatchObject({
            kind: 'validation',
            details: [{ field: expect.stringMatching(field) }],
          });
        }
      }
    });

    it('is neither written nor seen by a page', async () => {
      const { shop, input } = await open();
      const secret = { metadata: { cost: '1.20' } };
      const product = await newProduct(shop, secret);
      const category = await createCategory(shop, { name: 'x', slug: 'x', status: 'published', ...secret });
      expect((await getProduct(page(shop), product.id)).metadata).toEqual({});
      expect((await getCategory(page(shop), category.id)).metadata).toEqual({});
      for (const metadata of [{ a: '1' }, {}]) {
        const words = input({ metadata, paymentMethodId: 'transfer' });
        await expect(createCheckout(page(shop), words)).rejects.toMatchObject({ details: [{ field: 'metadata' }] });
        await expect(quoteCheckout(page(shop), { items: words.items, metadata })).rejects.toMatchObject({
          details: [{ field: 'metadata' }],
        });
      }
    });
  });

  it('are at most 50 tags of 64 characters', async () => {
    const { shop, product } = await open();
    const items = [{ productId: product.id, quantity: 1 }];
    for (const tags of [Array.from({ length: 51 }, (_, i) => `t${i}`), ['x'.repeat(65)], [''], [' '], [1], 'x']) {
      const given = { tags: tags as string[] };
      for (const write of [
        () => createOrder(shop, { items, ...given }),
        () => createCustomer(shop, { email: 'c@shop.test', ...given }),
      ]) {
        await expect(write(), JSON.stringify(tags)).rejects.toMatchObject({
          kind: 'validation',
          details: [{ field: expect.stringMatching(/^tags/) }],
        });
      }
    }
  });
});
