import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initStore } from '@commerce/test-support/fixtures/payments-cli';
import { client } from '@commerce/test-support/fixtures/served-shop';
import { commerceJson, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStorefront, type StorefrontError } from '../examples/storefront-client/storefront.ts';

describe('createStorefront() of the example', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-storefront-client-'));
  const file = join(folder, 'shop.db');
  let server: RunningServer;
  let shop: ReturnType<typeof createStorefront>;
  let publicKey: string;
  let storeId: string;

  beforeAll(async () => {
    const store = await initStore(file);
    storeId = store.storeId;
    const made = await commerceJson(['keys', 'create', '--name', 'Page', '--preset', 'storefront', '--db', file]);
    publicKey = made.item.key;
    server = await startServer(file);
    const call = client(server.url, store);
    const statuses = [
      await call('PUT', '/settings', {
        returnUrls: ['https://shop.example'],
        orderUrl: 'https://shop.example/order#{token}',
      }),
      await call('POST', '/categories', { name: 'Mugs', slug: 'mugs', status: 'published' }),
      await call('POST', '/pages', { title: 'Imprint', slug: 'imprint', content: 'We', status: 'published' }),
      await call('POST', '/products', {
        title: 'Blue',
        slug: 'blue',
        price: '9',
        variantGroupId: 'm',
        attributes: { color: 'red' },
        status: 'published',
      }),
      await call('POST', '/products', {
        title: 'Gift',
        slug: 'gift',
        price: '0',
        variantGroupId: 'm',
        attributes: { color: 'green' },
        status: 'published',
      }),
      await call('POST', '/products', { title: 'Draft', slug: 'draft', price: '1', variantGroupId: 'm' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 201, 201, 201, 201, 201]);
    shop = createStorefront({ url: server.url, storeId, key: publicKey });
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const order = (productId: string) => ({
    items: [{ productId, quantity: 1 }],
    customer: { email: 'ada@shop.test' },
    successUrl: 'https://shop.example/thanks',
    cancelUrl: 'https://shop.example/cart',
  });

  it('reads what is published', async () => {
    const { items, total } = await shop.products({ limit: 1 });
    expect([items.map(({ slug }) => slug), total]).toEqual([['gift'], 2]);
    expect((await shop.product('blue'))?.price).toBe('9.00');
    expect(await shop.product('draft')).toBeUndefined();
    expect((await shop.product('blue'))?.variants?.map(({ slug }) => slug)).toEqual(['gift']);
    expect(await shop.shop()).toMatchObject({ currency: 'EUR', shippingMethods: [] });
    const red = await shop.products({ attributes: { color: ['red', 'green'] }, facets: 'color', group: 'variants' });
    expect(red).toMatchObject({
      total: 1,
      items: [{ slug: 'gift', group: { count: 2, minPrice: '0.00', maxPrice: '9.00' } }],
      facets: { attributes: { color: [{ count: 1 }, { count: 1 }] } },
    });
    expect((await shop.products({ attributes: { color: 'red' }, sort: '-price' })).total).toBe(1);
    expect((await shop.categories()).map(({ name }) => name)).toEqual(['Mugs']);
    expect((await shop.page('imprint'))?.content).toBe('We');
  });

  it('orders once under one key, and tells what became of it', async () => {
    const gift = await shop.product('gift');
    const items = [{ productId: gift?.id ?? '', quantity: 2 }];
    expect(await shop.quote({ items, discountCode: 'NONE' })).toMatchObject({
      total: '0.00',
      problems: [{ code: 'DISCOUNT_UNKNOWN' }],
    });
    const key = crypto.randomUUID();
    const made = await shop.checkout(order(gift?.id ?? ''), key);
    expect(made).toMatchObject({ status: 'paid', url: null, total: '0.00', secret: expect.any(String) });
    const { secret, orderUrl } = made;
    const again = await shop.checkout(order(gift?.id ?? ''), key);
    expect([again.id, again.secret]).toEqual([made.id, undefined]);
    expect(await shop.checkoutStatus(made.id)).toMatchObject({ status: 'paid', orderNumber: made.orderNumber });
    expect((await shop.checkoutStatus(made.id, secret)).orderUrl).toMatch(/^https:\/\/shop\.example\/order#/);
    const token = new URL(orderUrl ?? '').hash.slice(1);
    expect(await shop.order(token)).toMatchObject({ orderNumber: made.orderNumber, status: 'preparing' });
    const received = await shop.withdraw({ name: 'Ada' }, { token });
    expect(Object.keys(received)).toEqual(['id', 'receivedAt']);
    await shop.withdraw({ name: 'Ada', email: 'ada@shop.test', orderNumber: 'none' });
  });

  it.each<[string, () => Promise<unknown>, object]>([
    ['an unknown checkout', () => shop.checkoutStatus('none'), { status: 404, error: { code: 'NOT_FOUND' } }],
    ['an unknown image', () => shop.image('none'), { status: 404, error: { code: 'NOT_FOUND' } }],
    [
      'a wrong field',
      () => shop.checkout({ ...order('x'), successUrl: 'https://other.example' }),
      { status: 400, error: { details: [{ field: 'successUrl' }] } },
    ],
    [
      'no provider to pay at',
      async () => shop.checkout(order((await shop.product('blue'))?.id ?? '')),
      { status: 409, error: { code: 'CONFLICT' } },
    ],
    [
      'another key',
      () => createStorefront({ url: server.url, storeId, key: `${publicKey.slice(0, -1)}_` }).products(),
      { status: 401 },
    ],
  ])('says what was refused: %s', async (_, work, refusal) => {
    const error = await work().catch((caught: StorefrontError) => caught);
    expect(error).toMatchObject(refusal);
    expect((error as Error).message).not.toBe('');
  });
});
