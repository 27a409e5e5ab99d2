import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  adjustStock,
  applyPayment,
  CommerceError,
  type Context,
  changeProducts,
  createApiKey,
  createCategory,
  createCustomer,
  createDiscount,
  createOrder,
  createProduct,
  createUser,
  createWebhook,
  deleteCustomer,
  listProducts,
  type Order,
  type ProblemCode,
  type Reason,
  type RefusalCode,
  refundOrder,
  setPassword,
  signIn,
  updateCustomer,
  updateOrder,
  updateProduct,
  updateSettings,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { readPassword } from '../users/password.ts';

const unknownId = '0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52';

forEachStorage('refusals', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let shop: Context;
  let order: Order;

  beforeAll(async () => {
    shop = await newShop(commerce());
    const { id } = await newProduct(shop, { title: 'Mug', slug: 'mug', sku: 'MUG', price: '12.50' });
    order = await createOrder(shop, { customer: { email: 'ada@shop.test' }, items: [{ productId: id, quantity: 1 }] });
  });

  const refusalOf = (call: Promise<unknown>): Promise<CommerceError> =>
    call.then(
      () => expect.fail('nothing was refused'),
      (error: unknown) => {
        expect(error).toBeInstanceOf(CommerceError);
        return error as CommerceError;
      },
    );
  const product = { title: 'Cup', slug: 'cup', price: '5' };

  /** For each code a call that is refused with it, the field, and the limits. */
  const rows: Record<
    Exclude<RefusalCode, ProblemCode>,
    [call: () => Promise<unknown>, field: string, limits?: object]
  > = {
    REQUIRED: [() => createProduct(shop, { ...product, title: ' ' }), 'title', { min: 1, max: 255 }],
    TOO_SHORT: [
      () => createWebhook(shop, { url: 'https://shop.example/hook', events: ['order.paid'], secret: 'short' }),
      'secret',
      { min: 16, max: 255 },
    ],
    TOO_LONG: [() => createProduct(shop, { ...product, sku: 'x'.repeat(256) }), 'sku', { max: 255 }],
    WRONG_TYPE: [() => createProduct(shop, { ...product, trackStock: 'yes' as never }), 'trackStock'],
    NOT_A_NUMBER: [() => listProducts(shop, { limit: 'all' as never }), 'limit', { min: 1, max: 200 }],
    NOT_WHOLE: [
      () => createProduct(shop, { ...product, lowStockThreshold: 1.5 }),
      'lowStockThreshold',
      { min: 0, max: 2_147_483_647 },
    ],
    TOO_SMALL: [() => listProducts(shop, { limit: 0 }), 'limit', { min: 1, max: 200 }],
    TOO_LARGE: [() => updateSettings(shop, { maxQuantity: 1e9 }), 'maxQuantity', { min: 1, max: 1_000_000 }],
    NOT_AN_AMOUNT: [() => createProduct(shop, { ...product, price: '1,50' }), 'price', { decimals: 2 }],
    NOT_A_SLUG: [() => createProduct(shop, { ...product, slug: 'A cup' }), 'slug', { min: 1, max: 255 }],
    NOT_AN_EMAIL: [() => createCustomer(shop, { email: 'ada' }), 'email', { max: 320 }],
    NOT_A_URL: [
      () => createWebhook(shop, { url: 'shop.example', events: ['order.paid'] }),
      'url',
      { min: 1, max: 2048 },
    ],
    NOT_A_TIME: [() => createDiscount(shop, { code: 'A', type: 'percent', value: '10', startsAt: 'soon' }), 'startsAt'],
    NOT_A_COUNTRY: [
      () => updateSettings(shop, { shippingMethods: [{ name: 'Post', price: '5', countries: ['UK'] }] }),
      'shippingMethods.0.countries.0',
      { max: 2 },
    ],
    NOT_OFFERED: [
      () => createProduct(shop, { ...product, status: 'sold' as never }),
      'status',
      { values: ['draft', 'published', 'archived'] },
    ],
    TAKEN: [() => createProduct(shop, { ...product, slug: 'mug' }), 'slug'],
    NOT_FOUND: [() => createProduct(shop, { ...product, categoryIds: [unknownId] }), 'categoryIds'],
    TOO_MANY: [() => createProduct(shop, { ...product, mediaIds: Array(251).fill('a') }), 'mediaIds', { max: 250 }],
    UNKNOWN_FIELD: [
      () => changeProducts(shop, { ids: [unknownId], changes: { title: 'Cup' } as never }),
      'changes.title',
    ],
    IN_THE_PAST: [
      () => createApiKey(shop, { name: 'old', scopes: ['product.read'], expiresAt: '2001-01-01T00:00:00Z' }),
      'expiresAt',
    ],
    CONFLICTING: [
      () =>
        createDiscount(shop, {
          code: 'A',
          type: 'percent',
          value: '10',
          startsAt: '2030-01-02T00:00:00Z',
          endsAt: '2030-01-01T00:00:00Z',
        }),
      'endsAt',
    ],
    GUESSABLE: [() => readPassword('qwerty123456', 'ada@shop.test'), 'password'],
    INCORRECT: [
      async () => {
        const { code } = await createUser(shop, { email: 'ada@shop.test' });
        const begun = await signIn(commerce().engine, { code });
        const identity = await commerce().sessions.authenticate('token' in begun ? begun.token : '');
        const session = { ...shop, actor: identity?.actor ?? shop.actor };
        await setPassword(session, { password: 'nine cups and a kettle' });
        return setPassword(session, { password: 'twelve other cups', current: 'no cups' });
      },
      'current',
    ],
  };

  it.each(Object.entries(rows))('%s', async (code, [call, field, limits]) => {
    const { details } = await refusalOf(call());
    const found = details.find((detail) => detail.field === field);
    expect(found).toMatchObject({ field, code });
    expect(found?.limits).toEqual(limits);
  });

  describe('of other places', () => {
    it.each<[RefusalCode, string, () => Promise<unknown>]>([
      ['REQUIRED', 'title', () => createProduct(shop, { slug: 'cup', price: '5' } as never)],
      ['REQUIRED', 'title', () => createProduct(shop, { ...product, title: null as never })],
      ['REQUIRED', 'price', () => createProduct(shop, { ...product, price: '' })],
      ['WRONG_TYPE', 'price', () => createProduct(shop, { ...product, price: 5 as never })],
      ['WRONG_TYPE', 'attributes.size', () => createProduct(shop, { ...product, attributes: { size: 3 as never } })],
      ['WRONG_TYPE', 'body', () => createProduct(shop, [] as never)],
      ['NOT_A_NUMBER', 'stock', () => createProduct(shop, { ...product, stock: '3' as never })],
      ['NOT_WHOLE', 'limit', () => listProducts(shop, { limit: 1.5 })],
      ['TAKEN', 'sku', () => createProduct(shop, { ...product, sku: 'MUG' })],
      ['TAKEN', 'email', () => createCustomer(shop, { email: 'Ada@shop.test' })],
      ['NOT_FOUND', 'parentId', () => createCategory(shop, { name: 'C', slug: 'c', parentId: unknownId })],
      ['PRODUCT_NOT_FOUND', 'items.0.sku', () => createOrder(shop, { items: [{ sku: 'NONE', quantity: 1 }] })],
      [
        'NOT_FOUND',
        'customerId',
        () => createOrder(shop, { customerId: unknownId, items: [{ sku: 'MUG', quantity: 1 }] }),
      ],
      ['NOT_OFFERED', 'scopes.0', () => createApiKey(shop, { name: 'n', scopes: ['product.eat' as never] })],
      [
        'NOT_FOUND',
        'addresses',
        () => updateCustomer(shop, order.customerId ?? '', { addresses: [{ id: unknownId }] }),
      ],
      ['CONFLICTING', 'status', () => updateOrder(shop, order.id, { status: 'fulfilled' })],
    ])('%s of %s', async (code, field, call) => {
      const { details } = await refusalOf(call());
      expect(details).toContainEqual(expect.objectContaining({ field, code }));
    });
  });

  it.each<[Reason, () => Promise<unknown>]>([
    ['taken', () => createProduct(shop, { ...product, slug: 'mug' })],
    ['orderStatus', () => updateOrder(shop, order.id, { status: 'fulfilled' })],
    ['orderNotPaid', () => refundOrder(shop, order.id, { amount: '1' })],
    ['customerHasOrders', () => deleteCustomer(shop, order.customerId ?? '')],
    ['stockOutOfRange', () => adjustStock(shop, order.items[0]?.productId ?? '', { adjustment: -1 })],
    [
      'stale',
      () => {
        const id = order.items[0]?.productId ?? '';
        return updateProduct({ ...shop, expected: { id, versions: ['old'] } }, id, { title: 'Cup' });
      },
    ],
  ])('say why a conflict is one: %s', async (reason, call) => {
    expect(await refusalOf(call())).toMatchObject({ kind: 'conflict', reason });
  });

  it('have neither code nor limits where none fits', async () => {
    const refused = await refusalOf(applyPayment(shop, unknownId, { orderId: unknownId }));
    expect(refused).toMatchObject({ kind: 'notFound', details: [] });
  });
});
