import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { afterEach, describe, expect, it } from 'vitest';
import {
  createCheckout,
  createProduct,
  getProduct,
  openCommerce,
  providerNames,
  refundOrder,
  resendMail,
} from '../index.ts';
import { openTestCommerce, type TestCommerce, type TestCommerceOptions } from './index.ts';

describe('a store for tests', () => {
  const opened: TestCommerce[] = [];
  const open = async (options?: TestCommerceOptions) => {
    const test = await openTestCommerce(options);
    opened.push(test);
    return test;
  };
  afterEach(async () => {
    for (const { close } of opened.splice(0)) await close();
  });
  const buy = async ({ shop }: TestCommerce, provider: (typeof providerNames)[number] = 'stripe') => {
    const slug = `mug-${provider}`;
    const mug = await createProduct(shop, {
      title: 'Mug',
      slug,
      price: '12.50',
      status: 'published',
      trackStock: true,
      stock: 3,
    });
    const checkout = await createCheckout(shop, {
      items: [{ productId: mug.id, quantity: 2 }],
      customer: { email: 'ada@shop.test', name: 'Ada' },
      provider,
      successUrl: 'https://shop.test/thanks',
      cancelUrl: 'https://shop.test/cart',
    });
    return { mug, checkout };
  };

  it.each(providerNames)('is paid at %s, refunds, and tells the buyer', async (provider) => {
    const test = await open({ providers: providerNames });
    const { mug, checkout } = await buy(test, provider);
    expect(await test.pay(checkout)).toMatchObject({ status: 'paid', total: '25.00' });
    expect((await getProduct(test.shop, mug.id)).stock).toBe(1);
    test.clock.advance(3_600_000);
    await refundOrder(test.shop, checkout.orderId, { amount: '5', execute: true });
    await test.providers.settled();
    expect(test.providers.refunds(provider)).toMatchObject([{ amount: 500n }]);
    const mails = await test.mails();
    expect(mails.map(({ to, kind, status }) => [to, kind, status])).toEqual(
      expect.arrayContaining([
        ['ada@shop.test', 'order.confirmed', 'succeeded'],
        ['ada@shop.test', 'order.refunded', 'succeeded'],
        ['owner@shop.test', 'owner.new_order', 'succeeded'],
      ]),
    );
    expect(mails[0]?.text).toContain('Mug');
    expect(mails.at(-1)?.kind).toBe('order.refunded');
  });

  it('has all mails, however many', async () => {
    const test = await open();
    const { checkout } = await buy(test);
    await test.pay(checkout);
    const [first] = await test.mails();
    for (let n = 0; n < 100; n++) await resendMail(test.shop, first?.id ?? '', { to: `buyer-${n}@shop.test` });
    const all = await test.mails();
    expect([all.length > 100, all[0]?.id]).toEqual([true, first?.id]);
  });

  it('has its own time, store and settings', async () => {
    const test = await open({
      now: '2026-05-01T10:00:00Z',
      store: { name: 'Tea', currency: 'JPY' },
      settings: { returnUrls: ['https://tea.test'], mail: { from: 'tea@tea.test' } },
    });
    expect(test.shop.store).toMatchObject({ name: 'Tea', currency: 'JPY', createdAt: '2026-05-01T10:00:00.000Z' });
    const tea = await createProduct(test.shop, { title: 'Tea', slug: 'tea', price: '1200' });
    test.clock.advance(1000);
    expect([tea.price, tea.createdAt]).toEqual(['1200', '2026-05-01T10:00:00.000Z']);
  });

  it('leaves nothing behind, also if it cannot open', async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('commerce-test-shop-'));
    const before = folders();
    const test = await openTestCommerce();
    const [own = ''] = folders().filter((name) => !before.includes(name));
    expect(existsSync(`${tmpdir()}/${own}/shop.db`)).toBe(true);
    await test.close();
    await test.close();
    await expect(openTestCommerce({ store: { currency: 'no currency' } })).rejects.toThrow(/currency/);
    expect(folders()).toEqual(before);
  });

  it('opens on another storage, which stays', async () => {
    await withDatabase('postgres', async (database) => {
      const test = await openTestCommerce({ storage: database.open() });
      await test.pay((await buy(test)).checkout);
      await test.close();
      const commerce = await openCommerce({ storage: database.open() });
      expect((await commerce.store(test.shop.store.id)).store.name).toBe('Test shop');
      await commerce.close();
    });
  });

  it('can be opened beside others in the same process, each with its own mails and time', async () => {
    const [one, other] = await Promise.all([open(), open({ now: '2026-06-01' })]);
    const both = [one, other] as const;
    await Promise.all(both.map(async (test) => test.pay((await buy(test)).checkout)));
    one.clock.advance(1000);
    expect(other.clock.now()).toBe(Date.parse('2026-06-01'));
    const mails = await Promise.all(both.map((test) => test.mails()));
    expect(mails.map((all) => all.map(({ kind }) => kind))).toEqual(
      both.map(() => ['order.confirmed', 'owner.new_order']),
    );
    await one.close();
    expect((await other.mails()).length).toBe(2);
  });

  it('refuses to pay what has no page', async () => {
    const test = await open();
    await expect(test.pay({ id: 'c', orderId: 'o', provider: null, url: null })).rejects.toThrow(/has no page/);
  });
});
