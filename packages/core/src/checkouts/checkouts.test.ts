import { minute, publicUrl, shopUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf, emittedBy } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type CheckoutInput,
  type Context,
  type CreatedCheckout,
  cancelCheckout,
  createCheckout,
  createDiscount,
  getCheckout,
  getDiscount,
  getOrder,
  getProduct,
  listOrders,
  listPayments,
  providerNames,
  returnFromProvider,
  type SettingsChanges,
  updateDiscount,
  updateProduct,
  updateSettings,
} from '../index.ts';
import type { RunningStub } from '../testing/index.ts';

/** Like a request with an `Idempotency-Key` whose answer is not stored yet. */
const under = (shop: Context, name: string): Context => ({
  ...shop,
  once: { name, print: '', keptElsewhere: () => {}, begin: async () => {}, end: async () => {}, committed: () => {} },
});

forEachStorage('checkouts', (database) => {
  const { clock, commerce, stub, openShop, pageOf, held, ended } = useSelling(database);

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
        url: expect.stringContaining(stub().url),
        status: 'open',
        subtotal: '25.00',
        discount: '0.00',
        shipping: '0.00',
        tax: '0.00',
        total: '25.00',
        currency: 'EUR',
        instructions: null,
        expiresAt: new Date(clock.now() + 29 * minute).toISOString(),
        orderUrl: null,
        secret: expect.stringMatching(/^[\w-]{43}$/),
      });
      const { secret: _, ...shown } = checkout;
      expect(await getCheckout(shop, checkout.id)).toEqual(shown);
      expect(await held(shop)).toBe(1);

      const { location } = await stub().act(provider, await pageOf(shop, checkout.id), 'pay');
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
      await stub().settled();
      expect(await getCheckout(shop, checkout.id)).toEqual({ ...shown, status: 'paid', url: null });
      expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'paid', paymentProvider: provider });
      expect((await getProduct(shop, product.id)).stock).toBe(8);
      expect(await listPayments(shop)).toMatchObject({
        total: 1,
        items: [{ matched: 'paid', capturedAmount: '25.00' }],
      });
      // Much later, nothing is left to tidy up, and nothing is undone.
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

  it('under one key are one, and another replaces it', async () => {
    const { shop, input } = await openShop(['stripe'], { stock: 2 });
    const first = await createCheckout(under(shop, 'a'), input());
    const again = await createCheckout(under(shop, 'a'), input());
    expect(again).toEqual({ ...first, secret: null });
    // The first checkout holds all pieces.
    await expect(createCheckout(shop, input({ customerNote: 'ring twice' }))).rejects.toMatchObject({
      kind: 'insufficientStock',
    });
    const replaces = { id: first.id, secret: first.secret ?? '' };
    const second = await createCheckout(shop, input({ customerNote: 'ring twice', replaces }));
    expect(second.id).not.toBe(first.id);
    expect(await getCheckout(shop, first.id)).toMatchObject({ status: 'cancelled', url: null });
    expect(stub().calls.map(({ operation }) => operation)).toEqual(['stripe.create', 'stripe.expire', 'stripe.create']);
    expect(
      await createCheckout(
        shop,
        input({ customerNote: 'ring twice', replaces: { id: second.id, secret: second.secret ?? '' } }),
      ),
    ).toMatchObject({
      id: second.id,
    });
    expect((await listOrders(shop)).total).toBe(2);
  });

  it('with the same contents are those of two buyers, under two keys or none', async () => {
    const { shop, input } = await openShop(['stripe'], { stock: 10 });
    const all = [];
    for (const ctx of [shop, shop, under(shop, 'a'), under(shop, 'b')]) all.push(await createCheckout(ctx, input()));
    expect(new Set(all.map(({ id }) => id)).size).toBe(4);
    expect(new Set(all.map(({ url }) => url)).size).toBe(4);
    expect(all.filter(({ secret }) => secret === null)).toEqual([]);
    // Only a client with its secret gets the page again.
    const [first] = all as [CreatedCheckout];
    const everybody = { ...shop, actor: { type: 'apiKey', id: 'x', isPublic: true } } as Context;
    await expect(
      createCheckout(everybody, input({ replaces: { id: first.id, secret: 'guess' } })),
    ).rejects.toMatchObject({ kind: 'forbidden' });
    const replaces = { id: first.id, secret: first.secret ?? '' };
    expect(await createCheckout(everybody, input({ replaces }))).toEqual({ ...first, secret: null });
  });

  it('are not answered again with a price, a discount or a tax that is not the present one', async () => {
    const { shop, product, input } = await openShop(['stripe'], { stock: 10, more: { price: '10' } });
    const productId = product.id;
    const code = await createDiscount(shop, { code: 'TEN', type: 'percent', value: '10', usageLimit: 1 });
    const more = { discountCode: 'ten' };
    let last = await createCheckout(under(shop, 'k'), input(more));
    // Its own use of the discount, and its own reserved stock, do not block it.
    expect(await createCheckout(under(shop, 'k'), input(more))).toMatchObject({ id: last.id });
    const changes = [
      () => updateProduct(shop, productId, { price: '12' }),
      () => updateDiscount(shop, code.id, { value: '20' }),
      () => updateSettings(shop, { taxRate: '0.19' }),
    ];
    for (const change of changes) {
      await change();
      const next = await createCheckout(under(shop, 'k'), input(more));
      expect(next.id).not.toBe(last.id);
      expect(next.total).not.toBe(last.total);
      expect(await getCheckout(shop, last.id)).toMatchObject({ status: 'cancelled', url: null });
      last = next;
    }
    await updateProduct(shop, productId, { status: 'archived' });
    const replaces = { id: last.id, secret: last.secret ?? '' };
    await expect(createCheckout(shop, input({ ...more, replaces }))).rejects.toMatchObject({ kind: 'validation' });
    expect(await getCheckout(shop, last.id)).toMatchObject({ status: 'cancelled' });
    expect(await held(shop)).toBe(0);
  });

  it('asked for ten times at once are one order and one page', async () => {
    const { shop, input } = await openShop();
    const all = await Promise.all(Array.from({ length: 10 }, () => createCheckout(under(shop, 'a'), input())));
    expect(new Set(all.map(({ url }) => url)).size).toBe(1);
    expect(all.filter(({ secret }) => secret !== null)).toHaveLength(1);
    expect(await listOrders(shop)).toMatchObject({ total: 1 });
    expect(await held(shop)).toBe(1);
  });

  it('whose process ended before the provider answered give way to the same request a minute later', async () => {
    const { shop, input } = await openShop(['stripe'], { stock: 2 });
    const lost = await createCheckout(under(shop, 'a'), input());
    await commerce()
      .engine.storage.db.transaction()
      .execute((tx) =>
        tx
          .updateTable('checkouts')
          .set({ state: 'opening', page_id: null, url: null })
          .where('id', '=', lost.id)
          .execute(),
      );
    // Within seconds the first call can still be under way, so the same page is opened.
    expect(await createCheckout(under(shop, 'a'), input())).toMatchObject({
      id: lost.id,
      status: 'open',
      url: lost.url,
    });
    await commerce()
      .engine.storage.db.transaction()
      .execute((tx) => tx.updateTable('checkouts').set({ state: 'opening' }).where('id', '=', lost.id).execute());
    clock.advance(minute);
    const next = await createCheckout(under(shop, 'a'), input());
    expect(next.id).not.toBe(lost.id);
    expect(await getCheckout(shop, lost.id)).toMatchObject({ status: 'failed', url: null });
    expect(await held(shop)).toBe(1);
  });

  it('take a discount from its beginning to its end, to the millisecond', async () => {
    const { shop, input } = await openShop();
    const at = (wait: number) => new Date(clock.now() + wait).toISOString();
    await createDiscount(shop, { code: 'HOUR', type: 'amount', value: '5', startsAt: at(1), endsAt: at(3) });
    const tried = async (customerNote: string) => {
      const work = createCheckout(shop, input({ discountCode: 'HOUR', customerNote }));
      const outcome = await work.then(
        ({ discount }) => discount,
        (error: Error) => error.message,
      );
      clock.advance(1);
      return outcome;
    };
    const outcomes = [await tried('0'), await tried('1'), await tried('2'), await tried('3')];
    expect(outcomes).toEqual([
      expect.stringMatching(/not valid yet/),
      '5.00',
      '5.00',
      expect.stringMatching(/no longer valid/),
    ]);
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
    await expectDenied(commerce(), () => createCheckout(shop, input(changes)), invalid(field));
    expect(stub().calls).toEqual([]);
  });

  it('refuse what is not published, as if it were not there', async () => {
    const { shop, input } = await openShop(['stripe'], { more: { status: 'draft' } });
    await expectDenied(commerce(), () => createCheckout(shop, input()), invalid('items.0.productId'));
  });

  it('need a shipping method where there are any, a provider where there are several, and one where there is none', async () => {
    const { shop, input } = await openShop(['stripe', 'square'], {
      settings: { shippingMethods: [{ id: 'standard', name: 'Standard', price: '4.90' }] },
    });
    await expect(createCheckout(shop, input())).rejects.toMatchObject({
      details: [{ field: 'shippingMethodId' }, { field: 'provider' }],
    });
    const shippingMethodId = 'standard';
    await expect(createCheckout(shop, input({ shippingMethodId }))).rejects.toMatchObject({
      details: [{ field: 'provider' }],
    });
    expect(await createCheckout(shop, input({ shippingMethodId, provider: 'square' }))).toMatchObject({
      provider: 'square',
    });
    const none = await openShop([]);
    await expectDenied(commerce(), () => createCheckout(none.shop, none.input()), {
      kind: 'conflict',
      fields: ['provider'],
    });
  });

  it.each<[string, Parameters<RunningStub['fault']>[1][], string]>([
    ['is at fault itself', [{ status: 500 }, { status: 500 }], 'unavailable'],
    ['limits our calls', [{ status: 429 }, { status: 429 }], 'unavailable'],
    ['breaks off after it has done its work, twice', ['reset', 'reset'], 'unavailable'],
    ['refuses our key', [{ status: 401 }], 'internal'],
  ])('leave nothing behind where the provider %s', async (_, faults, kind) => {
    const { shop, input } = await openShop();
    stub().fault('stripe.create', ...faults);
    await expect(createCheckout(shop, input())).rejects.toMatchObject({ kind });
    expect(await held(shop)).toBe(0);
    const { items } = await listOrders(shop);
    expect(items).toMatchObject([{ status: 'cancelled' }]);
    expect((await auditOf(shop)).filter(({ action }) => action === 'checkout.refused')).toHaveLength(
      kind === 'internal' ? 1 : 0,
    );
    // The next attempt of the same buyer is a new one.
    expect(await createCheckout(shop, input())).toMatchObject({ status: 'open' });
  });

  it('are given to no buyer where the provider would charge another amount, and their page is closed', async () => {
    for (const [amount_total, currency] of [
      [2499, 'eur'],
      [2500, 'usd'],
    ] as const) {
      const { shop, input } = await openShop();
      const session = {
        id: 'cs_test_other',
        object: 'checkout.session',
        url: 'https://checkout.test/',
        status: 'open',
      };
      stub().fault('stripe.create', { status: 200, after: true, body: { ...session, amount_total, currency } });
      await expect(createCheckout(shop, input())).rejects.toMatchObject({ kind: 'internal' });
      const expired = stub().calls.filter(({ operation }) => operation === 'stripe.expire');
      expect(expired.map(({ path }) => path)).toEqual(['/v1/checkout/sessions/cs_test_other/expire']);
      stub().calls.length = 0;
      expect(await held(shop)).toBe(0);
      expect((await auditOf(shop)).filter(({ action }) => action === 'checkout.refused')).toHaveLength(1);
      expect((await listOrders(shop)).items).toMatchObject([{ status: 'cancelled' }]);
    }
  });

  it('tell the buyer what the provider says about the e-mail address', async () => {
    const { shop, input } = await openShop();
    const error = {
      type: 'invalid_request_error',
      code: 'email_invalid',
      param: 'customer_email',
      message: 'Invalid email',
    };
    stub().fault('stripe.create', { status: 400, body: { error } });
    await expect(createCheckout(shop, input())).rejects.toMatchObject({ kind: 'validation' });
    expect(await held(shop)).toBe(0);
  });
});
