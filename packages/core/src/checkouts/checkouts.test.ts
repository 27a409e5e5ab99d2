import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type CheckoutInput,
  type Context,
  cancelCheckout,
  closeDuePages,
  configureProvider,
  createCheckout,
  createDiscount,
  endReservations,
  getCheckout,
  getDiscount,
  getOrder,
  getProduct,
  listOrders,
  listPayments,
  type ProductInput,
  type ProviderName,
  providerNames,
  returnFromProvider,
  type SettingsChanges,
  updateOrder,
  updateSettings,
} from '../index.ts';
import { fakeClock, type RunningStub, startProviderStub } from '../testing/index.ts';

const minute = 60_000;
const shopUrl = 'https://shop.example';
const publicUrl = 'https://api.example';

forEachStorage('checkouts', (database) => {
  const clock = fakeClock('2026-11-20T12:00:00Z');
  const commerce = useCommerce(database, { clock, publicUrl });
  let stub: RunningStub;
  beforeAll(async () => {
    stub = await startProviderStub({ clock, retryDelays: [] });
  });
  beforeEach(() => {
    stub.calls.length = 0;
    stub.notifications.length = 0;
  });
  afterAll(() => stub.close());

  /** Where the stub's notifications go: to the service, in this process. */
  const receiver = (shop: Context, provider: ProviderName) => async (sent: { body: string; headers: object }) => {
    // As a server hands them over.
    const headers = Object.fromEntries(
      Object.entries(sent.headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    const notification = { body: Buffer.from(sent.body), headers };
    try {
      await commerce().receiveNotification(provider, notification, { storeId: shop.store.id });
      return 200;
    } catch {
      return 500;
    }
  };

  async function openShop(
    providers: readonly ProviderName[] = ['stripe'],
    {
      stock = 10,
      settings = {},
      more = {},
    }: { stock?: number; settings?: SettingsChanges; more?: Partial<ProductInput> } = {},
  ) {
    const shop = await newShop(commerce());
    await updateSettings(shop, { returnUrls: [shopUrl], ...settings });
    for (const provider of providers) {
      await configureProvider(shop, provider, stub.account(provider, receiver(shop, provider)));
    }
    const product = await newProduct(shop, { price: '12.50', trackStock: true, stock, ...more });
    const input = (changes: Partial<CheckoutInput> = {}): CheckoutInput => ({
      items: [{ productId: product.id, quantity: 2 }],
      customer: { email: 'ada@shop.test', name: 'Ada Lovelace' },
      successUrl: `${shopUrl}/thanks?lang=en`,
      cancelUrl: `${shopUrl}/cart`,
      ...changes,
    });
    return { shop, product, input };
  }
  /** The provider's id of the page of a checkout. */
  const pageOf = async (shop: Context, id: string) => {
    const rows = shop.engine.storage.db.selectFrom('checkouts').selectAll().where('store_id', '=', shop.store.id);
    const row = await rows.where('id', '=', id).executeTakeFirstOrThrow();
    return row.page_id ?? '';
  };
  const held = async (shop: Context) =>
    (
      await shop.engine.storage.db
        .selectFrom('reservations')
        .selectAll()
        .where('store_id', '=', shop.store.id)
        .execute()
    ).length;
  const ended = async (shop: Context) => {
    await closeDuePages(commerce().engine);
    await endReservations(commerce().engine);
    return { held: await held(shop) };
  };

  it.each(providerNames)(
    'are paid at %s: the buyer pays what the store says, once, and the stock is theirs',
    async (provider) => {
      const { shop, product, input } = await openShop([provider]);
      const checkout = await createCheckout(shop, input());
      expect(checkout).toEqual({
        id: checkout.id,
        orderId: checkout.orderId,
        orderNumber: 'ORD-1001',
        provider,
        url: expect.stringContaining(stub.url),
        status: 'open',
        subtotal: '25.00',
        discount: '0.00',
        shipping: '0.00',
        tax: '0.00',
        total: '25.00',
        currency: 'EUR',
        expiresAt: new Date(clock.now() + 29 * minute).toISOString(),
        secret: expect.stringMatching(/^[\w-]{43}$/),
      });
      const { secret: _, ...shown } = checkout;
      expect(await getCheckout(shop, checkout.id)).toEqual(shown);
      expect(await held(shop)).toBe(1);

      const { location } = await stub.act(provider, await pageOf(shop, checkout.id), 'pay');
      const back = new URL(location ?? '');
      const expected = `${shopUrl}/thanks?lang=en&checkout=${checkout.id}`;
      if (provider === 'paypal') {
        expect(`${back.origin}${back.pathname}`).toBe(`${publicUrl}/checkout/return/${checkout.id}`);
        const ids = {
          storeId: back.searchParams.get('store'),
          checkoutId: checkout.id,
          page: back.searchParams.get('token'),
        };
        expect(await returnFromProvider(shop.engine, ids)).toBe(expected);
      } else {
        expect(location).toContain(expected);
      }
      await stub.settled();
      expect(await getCheckout(shop, checkout.id)).toEqual({ ...shown, status: 'paid', url: null });
      expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'paid', paymentProvider: provider });
      expect((await getProduct(shop, product.id)).stock).toBe(8);
      expect(await listPayments(shop)).toMatchObject({
        total: 1,
        items: [{ matched: 'paid', capturedAmount: '25.00' }],
      });
      // Long after: nothing is left to be tidied up, and nothing is taken back.
      clock.advance(60 * minute);
      expect(await ended(shop)).toEqual({ held: 0 });
      expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'paid' });
      expect((await getProduct(shop, product.id)).stock).toBe(8);
      await expect(cancelCheckout(shop, checkout.id)).rejects.toMatchObject({ kind: 'conflict' });
    },
  );

  it.each(providerNames)('at %s charge tax, shipping and discount to the minor unit', async (provider) => {
    const settings: SettingsChanges = {
      taxRate: '0.19',
      shippingMethods: [{ id: 'standard', name: 'Standard', price: '4.90', countries: ['DE'] }],
    };
    for (const taxIncluded of [false, true]) {
      const { shop, input } = await openShop([provider], { settings: { ...settings, taxIncluded } });
      const { id } = await createDiscount(shop, { code: 'THIRD', type: 'percent', value: '33.33' });
      const checkout = await createCheckout(shop, {
        ...input({ discountCode: 'third', shippingMethodId: 'standard' }),
        shippingAddress: { address1: 'Weg 1', city: 'Bonn', postalCode: '53111', country: 'DE' },
      });
      expect(checkout).toMatchObject(
        taxIncluded
          ? { discount: '8.33', shipping: '4.90', tax: '3.44', total: '21.57' }
          : { discount: '8.33', shipping: '4.90', tax: '3.17', total: '24.74' },
      );
      expect(await getDiscount(shop, id)).toMatchObject({ used: 1 });
      expect(await getOrder(shop, checkout.orderId)).toMatchObject({ discountCode: 'THIRD', taxIncluded });
    }
  });

  it('of what costs nothing are paid at once, without a provider', async () => {
    const { shop, input } = await openShop([], { more: { price: '0' } });
    const types = await emittedBy(shop, async () => {
      const checkout = await createCheckout(shop, input());
      expect(checkout).toMatchObject({ status: 'paid', url: null, provider: null, expiresAt: null, total: '0.00' });
      expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'paid', paymentProvider: 'none' });
    });
    expect(types).toContain('order.paid');
    expect(await held(shop)).toBe(0);
  });

  it('with the same contents are one, and another replaces it', async () => {
    const { shop, input } = await openShop(['stripe'], { stock: 2 });
    const first = await createCheckout(shop, input());
    const again = await createCheckout(shop, input());
    expect(again).toEqual({ ...first, secret: null });
    // All pieces are held by the first one.
    await expect(createCheckout(shop, input({ customerNote: 'ring twice' }))).rejects.toMatchObject({
      kind: 'insufficientStock',
    });
    const replaces = { id: first.id, secret: first.secret ?? '' };
    const second = await createCheckout(shop, input({ customerNote: 'ring twice', replaces }));
    expect(second.id).not.toBe(first.id);
    expect(await getCheckout(shop, first.id)).toMatchObject({ status: 'cancelled', url: null });
    expect(stub.calls.map(({ operation }) => operation)).toEqual(['stripe.create', 'stripe.expire', 'stripe.create']);
    expect(
      await createCheckout(shop, input({ customerNote: 'ring twice', replaces: { id: second.id } })),
    ).toMatchObject({
      id: second.id,
    });
    expect((await listOrders(shop)).total).toBe(2);
  });

  it('asked for ten times at once are one order and one page', async () => {
    const { shop, input } = await openShop();
    const all = await Promise.all(Array.from({ length: 10 }, () => createCheckout(shop, input())));
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    expect(all.filter(({ secret }) => secret !== null)).toHaveLength(1);
    expect(await listOrders(shop)).toMatchObject({ total: 1 });
    expect(await held(shop)).toBe(1);
  });

  it('of the last use of a discount go to one of 50 buyers', async () => {
    const { shop, input } = await openShop([], { stock: 100, more: { price: '10' } });
    const { id } = await createDiscount(shop, { code: 'ONCE', type: 'percent', value: '100', usageLimit: 1 });
    const tried = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        createCheckout(shop, input({ discountCode: 'once', customer: { email: `b${i}@shop.test` } })),
      ),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tried) {
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ kind: 'discountUsedUp' });
    }
    expect(await getDiscount(shop, id)).toMatchObject({ used: 1 });
    expect((await listOrders(shop)).total).toBe(1);
  });

  it('give the use of a discount back with their order, and count it again when late money pays', async () => {
    const { shop, input } = await openShop();
    const { id } = await createDiscount(shop, { code: 'ONE', type: 'amount', value: '5', usageLimit: 1 });
    const used = async () => (await getDiscount(shop, id)).used;
    const first = await createCheckout(shop, input({ discountCode: 'ONE' }));
    expect(await used()).toBe(1);
    await cancelCheckout(shop, first.id, { secret: first.secret ?? '' });
    expect(await used()).toBe(0);
    const second = await createCheckout(shop, input({ discountCode: 'ONE', customerNote: '2' }));
    const page = await pageOf(shop, second.id);
    clock.advance(31 * minute);
    await ended(shop);
    expect(await getCheckout(shop, second.id)).toMatchObject({ status: 'expired' });
    expect(await used()).toBe(0);
    expect(page).not.toBe('');
    await createCheckout(shop, input({ discountCode: 'ONE', customerNote: '3' }));
    expect(await used()).toBe(1);
  });

  it.each<[string, Partial<CheckoutInput>, string]>([
    ['a page of another shop', { successUrl: 'https://other.example/' }, 'successUrl'],
    ['a way back to another shop', { cancelUrl: 'https://shop.example.evil.test/' }, 'cancelUrl'],
    ['a script as a page', { successUrl: 'javascript:alert(1)' }, 'successUrl'],
    ['no address of a buyer', { customer: { email: 'ada' } }, 'customer.email'],
    ['nothing', { items: [] }, 'items'],
    [
      'more lines than a page shows',
      { items: Array.from({ length: 101 }, () => ({ sku: 'A', quantity: 1 })) },
      'items',
    ],
    ['a product that is not there', { items: [{ sku: 'NONE', quantity: 1 }] }, 'items.0.sku'],
    ['a discount that is not there', { discountCode: 'NONE' }, 'discountCode'],
    ['a provider that opens no pages', { provider: 'square' }, 'provider'],
  ])('refuse %s, and write nothing', async (_, changes, field) => {
    const { shop, input } = await openShop();
    await expectDenied(commerce(), () => createCheckout(shop, input(changes)), { kind: 'validation', fields: [field] });
    expect(stub.calls).toEqual([]);
  });

  it('refuse what is not published, as if it were not there', async () => {
    const { shop, input } = await openShop(['stripe'], { more: { status: 'draft' } });
    await expectDenied(commerce(), () => createCheckout(shop, input()), {
      kind: 'validation',
      fields: ['items.0.productId'],
    });
  });

  it('need a shipping method where there are any, a provider where there are several, and one where there is none', async () => {
    const { shop, input } = await openShop(['stripe', 'square'], {
      settings: { shippingMethods: [{ id: 'standard', name: 'Standard', price: '4.90' }] },
    });
    await expect(createCheckout(shop, input())).rejects.toMatchObject({ details: [{ field: 'shippingMethodId' }] });
    const shippingMethodId = 'standard';
    await expect(createCheckout(shop, input({ shippingMethodId }))).rejects.toMatchObject({
      details: [{ field: 'provider' }],
    });
    expect(await createCheckout(shop, input({ shippingMethodId, provider: 'square' }))).toMatchObject({
      provider: 'square',
    });
    const none = await openShop([]);
    await expectDenied(commerce(), () => createCheckout(none.shop, none.input()), { kind: 'conflict' });
  });

  it.each<[string, Parameters<RunningStub['fault']>[1][], string]>([
    ['is at fault itself', [{ status: 500 }, { status: 500 }], 'unavailable'],
    ['limits our calls', [{ status: 429 }, { status: 429 }], 'unavailable'],
    ['breaks off after it has done its work, twice', ['reset', 'reset'], 'unavailable'],
    ['refuses our key', [{ status: 401 }], 'internal'],
  ])('leave nothing behind where the provider %s', async (_, faults, kind) => {
    const { shop, input } = await openShop();
    stub.fault('stripe.create', ...faults);
    await expect(createCheckout(shop, input())).rejects.toMatchObject({ kind });
    expect(await held(shop)).toBe(0);
    const { items } = await listOrders(shop);
    expect(items).toMatchObject([{ status: 'cancelled' }]);
    expect((await auditOf(shop)).filter(({ action }) => action === 'checkout.refused')).toHaveLength(
      kind === 'internal' ? 1 : 0,
    );
    // The next try of the same buyer is a new one.
    expect(await createCheckout(shop, input())).toMatchObject({ status: 'open' });
  });

  it('tell the buyer what the provider says about the e-mail address', async () => {
    const { shop, input } = await openShop();
    const error = {
      type: 'invalid_request_error',
      code: 'email_invalid',
      param: 'customer_email',
      message: 'Invalid email',
    };
    stub.fault('stripe.create', { status: 400, body: { error } });
    await expect(createCheckout(shop, input())).rejects.toMatchObject({ kind: 'validation' });
    expect(await held(shop)).toBe(0);
  });

  it.each(providerNames)('that are cancelled at %s close their page, and cannot be paid any more', async (provider) => {
    const { shop, product, input } = await openShop([provider]);
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    await expect(cancelCheckout(shop, checkout.id, { secret: 'guessed' })).rejects.toMatchObject({ kind: 'forbidden' });
    expect(await cancelCheckout(shop, checkout.id, { secret: checkout.secret ?? '' })).toMatchObject({
      status: 'cancelled',
      url: null,
    });
    expect(await held(shop)).toBe(0);
    await stub.act(provider, page, 'pay').catch(() => {});
    await stub.settled();
    const payments = await listPayments(shop);
    expect(payments.items.filter(({ status }) => status === 'succeeded')).toEqual([]);
    expect((await getProduct(shop, product.id)).stock).toBe(10);
    // Again, it stays as it is.
    expect(await cancelCheckout(shop, checkout.id)).toMatchObject({ status: 'cancelled' });
  });

  it('stay open while their page cannot be closed', async () => {
    const { shop, input } = await openShop();
    const checkout = await createCheckout(shop, input());
    stub.fault('stripe.expire', { status: 500 }, { status: 500 });
    await expect(cancelCheckout(shop, checkout.id)).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
    expect(await held(shop)).toBe(1);
  });

  it('whose order the shop cancels have their page closed within seconds', async () => {
    const { shop, input } = await openShop(['square']);
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    await updateOrder(shop, checkout.orderId, { status: 'cancelled' });
    await closeDuePages(commerce().engine);
    expect(stub.calls.map(({ operation }) => operation)).toContain('square.delete');
    await stub.act('square', page, 'pay').catch(() => {});
    await stub.settled();
    expect((await listPayments(shop)).items).toEqual([]);
  });

  it.each(providerNames)('that nobody pays at %s end with their page, then with their stock', async (provider) => {
    const { shop, input } = await openShop([provider], { stock: 2 });
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    clock.advance(29 * minute);
    await stub.tick();
    await stub.settled();
    await closeDuePages(commerce().engine);
    // A wallet cannot be ended; what is approved there before the reservation is over is taken.
    if (provider !== 'paypal') await stub.act(provider, page, 'pay').catch(() => {});
    await stub.settled();
    clock.advance(2 * minute);
    expect(await ended(shop)).toEqual({ held: 0 });
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'expired', url: null });
    const { items } = await listPayments(shop);
    expect(items.filter(({ status }) => status === 'succeeded')).toEqual([]);
    expect(await createCheckout(shop, input())).toMatchObject({ status: 'open' });
  });

  it('whose page cannot be closed give their stock back all the same, and it is tried again, for three days', async () => {
    const { shop, input } = await openShop(['square']);
    // Pages that other tests have left do not count here.
    clock.advance(60 * minute);
    await ended(shop);
    const checkout = await createCheckout(shop, input());
    const errors: unknown[] = [];
    const close = () => closeDuePages(commerce().engine, { onError: (error) => errors.push(error) });
    const deletions = () => stub.calls.filter(({ operation }) => operation === 'square.delete').length;
    stub.fault('square.delete', { status: 500 }, { status: 500 });
    clock.advance(29 * minute);
    expect(await close()).toBe(0);
    expect(errors).toHaveLength(1);
    const tried = deletions();
    expect(await close()).toBe(0);
    expect(deletions()).toBe(tried);
    clock.advance(2 * minute);
    await endReservations(commerce().engine);
    expect(await held(shop)).toBe(0);
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'expired', url: null });
    expect(await close()).toBe(1);
    expect(deletions()).toBe(tried + 1);
    expect(await close()).toBe(0);
  });

  it('are given back by the word of Stripe that the page has ended, once', async () => {
    const { shop, input } = await openShop(['stripe'], { settings: { reservationMinutes: 60 } });
    const checkout = await createCheckout(shop, input());
    stub.faultNotifications('twice');
    clock.advance(58 * minute);
    await stub.tick();
    await stub.settled();
    expect(stub.notifications.map(({ event, status }) => [event, status])).toEqual([
      ['checkout.session.expired', 200],
      ['checkout.session.expired', 200],
    ]);
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'expired' });
    expect(await held(shop)).toBe(0);
    expect(await ended(shop)).toEqual({ held: 0 });
  });

  it('capture the wallet once, from the return and from the notification at once', async () => {
    const { shop, input } = await openShop(['paypal']);
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    const ids = { storeId: shop.store.id, checkoutId: checkout.id, page };
    stub.fault('paypal.capture', { delay: 50 });
    const [acted, ...locations] = await Promise.all([
      stub.act('paypal', page, 'pay'),
      ...Array.from({ length: 5 }, () => returnFromProvider(shop.engine, ids)),
    ]);
    expect(acted.location).toContain(checkout.id);
    for (const location of locations) expect(location).toContain('/thanks');
    // The buyer may have come back before the approval was there.
    await returnFromProvider(shop.engine, ids);
    await stub.settled();
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'paid' });
    const captures = stub.calls.filter(({ operation, status }) => operation === 'paypal.capture' && status === 201);
    expect(new Set(captures.map(({ headers }) => headers['paypal-request-id'])).size).toBe(1);
    expect(await listPayments(shop, { status: 'succeeded' })).toMatchObject({ total: 1, items: [{ matched: 'paid' }] });
  });

  it('send a buyer whose card was declined back, and take the money of the next try', async () => {
    const { shop, input } = await openShop(['paypal']);
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    const ids = { storeId: shop.store.id, checkoutId: checkout.id, page };
    await stub.act('paypal', page, 'decline');
    expect(await returnFromProvider(shop.engine, ids)).toBe(`${shopUrl}/cart?checkout=${checkout.id}&reason=declined`);
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
    await stub.act('paypal', page, 'pay');
    expect(await returnFromProvider(shop.engine, ids)).toContain('/thanks');
    await stub.settled();
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'paid' });
  });

  it('take no money of a wallet once the stock is somebody else’s', async () => {
    const { shop, input } = await openShop(['paypal'], { stock: 2 });
    const late = await createCheckout(shop, input());
    const page = await pageOf(shop, late.id);
    clock.advance(31 * minute);
    await ended(shop);
    await createCheckout(shop, input({ customerNote: 'faster' }));
    await stub.act('paypal', page, 'pay');
    const ids = { storeId: shop.store.id, checkoutId: late.id, page };
    expect(await returnFromProvider(shop.engine, ids)).toContain('reason=expired');
    await stub.settled();
    expect(stub.calls.filter(({ operation }) => operation === 'paypal.capture')).toEqual([]);
    expect(await getCheckout(shop, late.id)).toMatchObject({ status: 'expired' });
  });

  it('take the money of a wallet after the end while the stock is still there', async () => {
    const { shop, product, input } = await openShop(['paypal'], { stock: 2 });
    const late = await createCheckout(shop, input());
    const page = await pageOf(shop, late.id);
    clock.advance(31 * minute);
    await ended(shop);
    await stub.act('paypal', page, 'pay');
    const ids = { storeId: shop.store.id, checkoutId: late.id, page };
    expect(await returnFromProvider(shop.engine, ids)).toContain('/thanks');
    await stub.settled();
    expect(await getCheckout(shop, late.id)).toMatchObject({ status: 'paid' });
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('are made, seen and cancelled with a storefront key, whose holder sees no order, no buyer and no more stock than its lists', async () => {
    const { shop, input } = await openShop(['stripe'], { stock: 30 });
    const page: Context = { ...shop, actor: { type: 'apiKey', id: 'key', isPublic: true } };
    const checkout = await createCheckout(page, input());
    expect(JSON.stringify(await getCheckout(page, checkout.id))).not.toMatch(/ada|lovelace/i);
    await expect(getOrder(page, checkout.orderId)).rejects.toMatchObject({ kind: 'forbidden' });
    for (const secret of [undefined, '', 'x', `${checkout.secret}x`]) {
      await expectDenied(commerce(), () => cancelCheckout(page, checkout.id, secret ? { secret } : {}), {
        kind: 'forbidden',
      });
    }
    await expect(
      createCheckout(page, input({ items: [{ productId: input().items[0]?.productId, quantity: 40 }] })),
    ).rejects.toThrow(/more than 10, but fewer than 40/);
    expect(await cancelCheckout(page, checkout.id, { secret: checkout.secret ?? '' })).toMatchObject({
      status: 'cancelled',
    });
  });

  it('answer a return that names another store, another page or nothing at all as if there were no such checkout', async () => {
    const { shop, input } = await openShop(['paypal']);
    const other = await newShop(commerce());
    const { id: checkoutId } = await createCheckout(shop, input());
    const page = await pageOf(shop, checkoutId);
    for (const ids of [
      { storeId: other.store.id, checkoutId, page },
      { storeId: null, checkoutId, page },
      { storeId: 'x', checkoutId, page },
      { storeId: shop.store.id, checkoutId: 'x', page },
      { storeId: shop.store.id, checkoutId, page: 'ANOTHER' },
    ]) {
      await expect(returnFromProvider(shop.engine, ids)).rejects.toMatchObject({ kind: 'notFound' });
    }
    await expect(getCheckout(other, checkoutId)).rejects.toMatchObject({ kind: 'notFound' });
    await expect(cancelCheckout(other, checkoutId)).rejects.toMatchObject({ kind: 'notFound' });
  });
});
