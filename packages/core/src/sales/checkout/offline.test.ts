import { createHash } from 'node:crypto';
import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy, eventsOf } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type CheckoutInput,
  type Context,
  cancelCheckout,
  createCheckout,
  createFulfilment,
  createProduct,
  endReservations,
  expirePendingOrders,
  getCheckout,
  getCustomer,
  getOrder,
  getProduct,
  getSettings,
  getShop,
  once,
  quoteCheckout,
  recordPayment,
  type SettingsChanges,
  updateOrder,
  updateSettings,
} from '../../index.ts';

type Methods = NonNullable<SettingsChanges['paymentMethods']>;
const transfer = {
  id: 'transfer',
  name: 'Bank transfer',
  kind: 'transfer',
  instructions: 'Pay {total} {currency} for {orderNumber}. {unknown}',
} as const;
const cod = {
  id: 'cod',
  name: 'Cash on delivery',
  kind: 'cash_on_delivery',
  countries: ['DE', 'PL'],
} satisfies Methods[number];
const invoice = { id: 'invoice', name: 'Invoice', kind: 'invoice', maxTotal: '100' } as const;
const card = { id: 'card', name: 'Card', kind: 'provider', provider: 'stripe' } as const;
const to = (country: string | null) => ({ address1: '1 Street', city: 'X', country });

forEachStorage('ways to pay without a provider', (database) => {
  const { clock, commerce, openShop, held } = useSelling(database);
  const at = (ms = clock.now()) => new Date(ms).toISOString();
  const day = 24 * 60 * minute;
  const shopOf = (paymentMethods: Methods, settings: SettingsChanges = {}) =>
    openShop(['stripe'], { stock: 1000, settings: { paymentMethods, ...settings } });
  const visitor = (shop: Context, address = '203.0.113.1'): Context => ({
    ...shop,
    address,
    actor: { type: 'apiKey', id: 'storefront', isPublic: true },
  });

  it('place the order at once, hold its stock, and say what to do', async () => {
    const { shop, product, input } = await shopOf([transfer]);
    const types = await emittedBy(shop, async () => {
      const checkout = await createCheckout(shop, input());
      const until = at(clock.now() + 7 * day);
      const order = await getOrder(shop, checkout.orderId);
      expect(checkout).toMatchObject({
        status: 'placed',
        provider: null,
        url: null,
        instructions: `Pay 25.00 EUR for ${order.orderNumber}. {unknown}`,
        expiresAt: until,
        secret: expect.any(String),
      });
      expect(order).toMatchObject({
        status: 'pending',
        paymentStatus: 'pending',
        placedAt: at(),
        paidAt: null,
        reservedUntil: until,
        paymentMethod: null,
        paymentOption: { id: 'transfer', name: 'Bank transfer', kind: 'transfer' },
      });
      const { secret: _, ...shown } = checkout;
      expect(await getCheckout(shop, checkout.id)).toEqual(shown);
      expect(await getCustomer(shop, order.customerId ?? '')).toMatchObject({
        orderCount: 1,
        totalSpent: '0.00',
        lastOrderAt: at(),
      });
    });
    expect(types).toEqual(['customer.created', 'order.created', 'order.updated']);
    expect([await held(shop), (await getProduct(shop, product.id)).stock]).toEqual([1, 1000]);
  });

  it('are paid by hand whatever the settings say, and create no second order', async () => {
    const { shop, product, input } = await shopOf([transfer]);
    expect((await getSettings(shop)).manualPayments).toBe(false);
    const { id, orderId } = await createCheckout(shop, input());
    clock.advance(day);
    const paidAt = at(clock.now() - minute);
    const types = await emittedBy(shop, () =>
      recordPayment(shop, orderId, { method: 'transfer', amount: '25', paidAt }),
    );
    expect(types).toEqual(['product.updated', 'order.paid', 'order.updated']);
    expect(await getOrder(shop, orderId)).toMatchObject({
      status: 'paid',
      paidAt,
      placedAt: at(clock.now() - day),
      reservedUntil: null,
    });
    expect(await getCheckout(shop, id)).toMatchObject({ status: 'paid', instructions: null, expiresAt: null });
    expect([await held(shop), (await getProduct(shop, product.id)).stock]).toEqual([0, 998]);
    expect((await eventsOf(shop)).filter(({ type }) => type === 'order.created')).toHaveLength(1);
  });

  it('wait for a transfer until its time is over; late money pays it all the same', async () => {
    const { shop, input } = await shopOf([{ ...transfer, holdDays: 2 }]);
    const { id, orderId } = await createCheckout(shop, input());
    clock.advance(2 * day - 1);
    await endReservations(commerce().engine);
    await expirePendingOrders(commerce().engine, 0);
    expect(await getCheckout(shop, id)).toMatchObject({ status: 'placed' });
    clock.advance(1);
    const types = await emittedBy(shop, () => endReservations(commerce().engine));
    expect(types).toEqual(['order.updated', 'order.cancelled', 'checkout.expired']);
    expect(await getCheckout(shop, id)).toMatchObject({ status: 'expired', instructions: null });
    expect(await held(shop)).toBe(0);
    const late = await emittedBy(shop, () => recordPayment(shop, orderId, { method: 'transfer', amount: '25' }));
    expect(late).toEqual(['product.updated', 'order.paid', 'order.updated']);
    expect(await getCheckout(shop, id)).toMatchObject({ status: 'paid' });
  });

  it.each(['cash_on_delivery', 'on_pickup', 'invoice'] as const)('hold the stock of %s without end', async (kind) => {
    const { shop, input } = await shopOf([{ id: 'later', name: 'Later', kind }]);
    const { id, orderId, expiresAt } = await createCheckout(shop, input());
    clock.advance(365 * day);
    await endReservations(commerce().engine);
    await expirePendingOrders(commerce().engine, 0);
    expect([expiresAt, (await getCheckout(shop, id)).status, await held(shop)]).toEqual([null, 'placed', 1]);
    // An attempt at a provider that fails does not end it.
    await configureStripe(shop);
    await send(shop, payment(orderId, 2500).intentFailed());
    await expirePendingOrders(commerce().engine, 0);
    expect(await getOrder(shop, orderId)).toMatchObject({ status: 'pending', paymentStatus: 'failed' });
    await createFulfilment(shop, orderId);
    await send(shop, payment(orderId, 2500).intentProcessing());
    expect(await getOrder(shop, orderId)).toMatchObject({ status: 'fulfilled', paymentStatus: 'processing' });
    // Money that a provider tells of pays the shipped order.
    expect(await send(shop, payment(orderId, 2500).intentSucceeded())).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, orderId)).toMatchObject({ status: 'fulfilled', paymentStatus: 'succeeded' });
    expect(await getCheckout(shop, id)).toMatchObject({ status: 'paid' });
  });

  it('are cancelled by the secret of the buyer, and by the shop', async () => {
    const { shop, input } = await shopOf([cod, transfer]);
    const codInput = { paymentMethodId: 'cod', shippingAddress: to('DE') };
    for (const changes of [codInput, { paymentMethodId: 'transfer' }]) {
      const { id, secret } = await createCheckout(visitor(shop), input(changes));
      const key = visitor(shop);
      await expectDenied(commerce(), () => cancelCheckout(key, id, { secret: 'x' }), { kind: 'forbidden' });
      const types = await emittedBy(shop, () => cancelCheckout(key, id, { secret: secret ?? '' }));
      expect(types).toEqual(['order.updated', 'order.cancelled']);
      const { orderId } = await createCheckout(shop, input(changes));
      await updateOrder(shop, orderId, { status: 'cancelled' });
    }
    expect(await held(shop)).toBe(0);
  });

  it('are offered by country, total and key, in the order of the settings', async () => {
    const other = { ...transfer, id: 'off', active: false };
    const small = { id: 'small', name: 'At the counter', kind: 'on_pickup', maxTotal: '20' } as const;
    const { shop, input } = await shopOf([cod, other, card, invoice, small, { ...transfer, minTotal: '25' }]);
    const ids = async (ctx: Context, changes: Partial<CheckoutInput> = {}) =>
      (await quoteCheckout(ctx, input(changes))).paymentMethods.map(({ id }) => id);
    expect(await ids(shop)).toEqual(['card', 'invoice', 'transfer']);
    expect(await ids(visitor(shop))).toEqual(['card', 'transfer']);
    expect(await ids(shop, { shippingAddress: to('pl') })).toEqual(['cod', 'card', 'invoice', 'transfer']);
    expect(await ids(shop, { billingAddress: to('PL') })).toEqual(['cod', 'card', 'invoice', 'transfer']);
    expect(await ids(shop, { shippingAddress: to('FR'), billingAddress: to('PL') })).not.toContain('cod');
    const one = { items: [{ ...input().items[0], quantity: 1 }] } as Partial<CheckoutInput>;
    expect(await ids(shop, one)).toEqual(['card', 'invoice', 'small']);
    const shown = (await getShop(visitor(shop))).paymentMethods;
    expect(shown.map(({ id, kind }) => `${id} ${kind}`)).toEqual([
      'cod cash_on_delivery',
      'card provider',
      'small on_pickup',
      'transfer transfer',
    ]);
    const refusals: [Context, Partial<CheckoutInput>, string, string][] = [
      [shop, {}, 'paymentMethodId', 'PAYMENT_METHOD_REQUIRED'],
      [shop, { paymentMethodId: 'off' }, 'paymentMethodId', 'PAYMENT_METHOD_NOT_OFFERED'],
      [shop, { paymentMethodId: 'cod' }, 'paymentMethodId', 'PAYMENT_METHOD_NOT_OFFERED'],
      [shop, { paymentMethodId: 'cod', shippingAddress: to('FR') }, 'paymentMethodId', 'PAYMENT_METHOD_NOT_OFFERED'],
      [shop, { paymentMethodId: 'small' }, 'paymentMethodId', 'PAYMENT_METHOD_NOT_OFFERED'],
      [visitor(shop), { paymentMethodId: 'invoice' }, 'paymentMethodId', 'PAYMENT_METHOD_NOT_OFFERED'],
      [shop, { provider: 'paypal' }, 'provider', 'PAYMENT_METHOD_NOT_OFFERED'],
    ];
    for (const [ctx, changes, field, code] of refusals) {
      expect((await quoteCheckout(ctx, input(changes))).problems).toMatchObject([{ field, code }]);
      await expect(createCheckout(ctx, input(changes)), code).rejects.toMatchObject({
        kind: expect.stringMatching(/validation|conflict/),
        details: [{ field, code }],
      });
    }
    expect(await createCheckout(shop, input({ provider: 'stripe' }))).toMatchObject({ provider: 'stripe' });
    expect(await createCheckout(shop, input({ paymentMethodId: 'invoice' }))).toMatchObject({ status: 'placed' });
    // A provider stands for the first of its ways that is active.
    const ways = [{ ...card, id: 'off', active: false }, { ...card, id: 'first', name: 'Card and more' }, card];
    await updateSettings(shop, { paymentMethods: ways });
    const first = await createCheckout(shop, input({ provider: 'stripe' }));
    expect((await getOrder(shop, first.orderId)).paymentOption).toEqual({
      id: 'first',
      name: 'Card and more',
      kind: 'provider',
    });
    await updateSettings(shop, { paymentMethods: [cod] });
    expect((await quoteCheckout(shop, input())).problems).toMatchObject([
      { field: 'shippingAddress.country', code: 'COUNTRY_REQUIRED' },
    ]);
    expect((await quoteCheckout(shop, input({ shippingAddress: to('FR') }))).problems).toMatchObject([
      { field: 'paymentMethodId', code: 'PAYMENT_METHOD_NOT_OFFERED' },
    ]);
    // The only one that serves is chosen.
    const { orderId } = await createCheckout(shop, input({ shippingAddress: to('DE') }));
    expect((await getOrder(shop, orderId)).paymentOption?.id).toBe('cod');
  });

  it('are bounded for storefront keys: three an e-mail, five an hour an address, and as many as the shop says', async () => {
    const { shop, input } = await shopOf([transfer], { maxOpenOffline: 8 });
    let n = 0;
    const buy = (ctx: Context, email = `b${++n}@shop.test`) =>
      createCheckout(ctx, input({ customer: { email }, items: [{ ...input().items[0], quantity: 1 } as never] }));
    const limited = { kind: 'rateLimited' } as const;
    const made = [];
    for (let i = 0; i < 3; i++) made.push(await buy(visitor(shop, `192.0.2.${i}`), 'Ada@shop.test'));
    await expectDenied(commerce(), () => buy(visitor(shop, '192.0.2.9'), 'ada@shop.test'), limited);
    // Money, or the end of the order, makes room. Secret keys are never refused, and do not count.
    for (let i = 0; i < 4; i++) await buy(shop, 'ada@shop.test');
    await cancelCheckout(shop, made[0]?.id ?? '');
    await buy(visitor(shop, '192.0.2.9'), 'ada@shop.test');
    await recordPayment(shop, made[1]?.orderId ?? '', { method: 'transfer', amount: '12.50' });
    await buy(visitor(shop, '192.0.2.9'), 'ada@shop.test');
    // Five of one network, whatever became of them.
    for (let i = 0; i < 5; i++) await cancelCheckout(shop, (await buy(visitor(shop))).id);
    await expectDenied(commerce(), () => buy(visitor(shop)), limited);
    clock.advance(60 * minute);
    await buy(visitor(shop));
    // Three of Ada's are open, and this one: four more.
    for (let i = 0; i < 4; i++) await buy(visitor(shop, `198.51.100.${i}`));
    const full = { kind: 'tooManyOpenCheckouts' } as const;
    await expectDenied(commerce(), () => buy(visitor(shop, '198.51.100.9')), full);
    await buy(shop);
    // A page at a provider stays open to buyers.
    await updateSettings(shop, { paymentMethods: [transfer, card] });
    expect(await createCheckout(visitor(shop, '198.51.100.9'), input({ paymentMethodId: 'card' }))).toMatchObject({
      status: 'open',
    });
    await updateSettings(shop, { paymentMethods: [transfer], maxOpenOffline: 9 });
    await buy(visitor(shop, '198.51.100.9'));
    const hashes = await shop.engine.storage.db
      .selectFrom('checkouts')
      .select('address_hash')
      .where('store_id', '=', shop.store.id)
      .where('address_hash', 'is not', null)
      .execute();
    expect(
      hashes.some(({ address_hash }) => address_hash === createHash('sha256').update('192.0.2.1').digest('hex')),
    ).toBe(false);
  });

  it('are five a day for an e-mail, cancelled ones too, because each sends mail', async () => {
    const { shop, input } = await shopOf([{ ...cod, countries: null }]);
    for (let i = 0; i < 5; i++) {
      const { id, secret } = await createCheckout(visitor(shop, `192.0.2.${i}`), input());
      await cancelCheckout(shop, id, { secret: secret ?? '' });
    }
    await expectDenied(commerce(), () => createCheckout(visitor(shop, '192.0.2.7'), input()), { kind: 'rateLimited' });
    // Trusted code is not limited, and the day ends.
    await createCheckout(shop, input());
    clock.advance(24 * 60 * minute);
    await createCheckout(visitor(shop, '192.0.2.7'), input());
  });

  it('count shipped orders for their e-mail, and no longer for the shop', async () => {
    const { shop, input } = await shopOf([{ ...cod, countries: null }], { maxOpenOffline: 3 });
    for (let i = 0; i < 3; i++) {
      const { orderId } = await createCheckout(visitor(shop, `192.0.2.${i}`), input());
      await createFulfilment(shop, orderId);
    }
    await expectDenied(commerce(), () => createCheckout(visitor(shop, '192.0.2.7'), input()), { kind: 'rateLimited' });
    await createCheckout(visitor(shop, '192.0.2.7'), input({ customer: { email: 'other@shop.test' } }));
  });

  it('take the last place once, however many ask at the same moment', async () => {
    const { shop, input } = await shopOf([transfer], { maxOpenOffline: 2 });
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) =>
        createCheckout(visitor(shop, `192.0.2.${i}`), input({ customer: { email: `r${i}@shop.test` } })),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    const other = await shopOf([transfer]);
    const same = await Promise.allSettled(
      Array.from({ length: 8 }, (_, i) => createCheckout(visitor(other.shop, `192.0.2.${i}`), other.input())),
    );
    expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  });

  it.each(['placed', 'free'] as const)('order once for a repeated request whose order is %s', async (kind) => {
    const { shop, input } = await shopOf([transfer]);
    const { id } =
      kind === 'free'
        ? await createProduct(shop, {
            title: 'Gift',
            slug: 'gift',
            price: '0',
            status: 'published',
          })
        : { id: '' };
    const body = kind === 'free' ? input({ items: [{ productId: id, quantity: 1 }] }) : input();
    const request = {
      key: 'a key of sixteen or more',
      route: 'POST /checkouts',
      fingerprint: 'one',
      print: (result: unknown) => ({ status: 201, body: JSON.stringify(result) }),
      printError: () => undefined,
    };
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => once(shop, request, (ctx) => createCheckout(ctx, body))),
    );
    const orders = answers.map((answer) => {
      const text = 'replay' in answer ? (answer.replay.body ?? '') : JSON.stringify(answer.result);
      return JSON.parse(text).orderId as string;
    });
    expect(new Set(orders).size).toBe(1);
    expect(answers.filter((answer) => 'replay' in answer)).toHaveLength(3);
  });

  it('cost nothing: such an order is paid at once, whatever way is asked for', async () => {
    const { shop, input } = await shopOf([transfer]);
    const { id } = await createProduct(shop, { title: 'Gift', slug: 'gift', price: '0', status: 'published' });
    const checkout = await createCheckout(shop, input({ items: [{ productId: id, quantity: 1 }] }));
    expect(checkout).toMatchObject({ status: 'paid', instructions: null, expiresAt: null });
    expect((await getOrder(shop, checkout.orderId)).paymentOption).toBeNull();
  });

  it.each<[string, Methods[number], string]>([
    ['a provider that is missing', { name: 'Card', kind: 'provider' }, 'provider'],
    ['a provider that is not one', { name: 'Card', kind: 'provider', provider: 'mollie' as never }, 'provider'],
    ['a provider of another kind', { name: 'X', kind: 'transfer', provider: 'stripe' }, 'provider'],
    ['days of another kind', { name: 'X', kind: 'invoice', holdDays: 3 }, 'holdDays'],
    ['too many days', { name: 'X', kind: 'transfer', holdDays: 31 }, 'holdDays'],
    ['limits that exclude all', { name: 'X', kind: 'transfer', minTotal: '2', maxTotal: '1' }, 'minTotal'],
    ['long instructions', { name: 'X', kind: 'transfer', instructions: 'x'.repeat(2001) }, 'instructions'],
    ['no name', { kind: 'transfer' } as never, 'name'],
    ['a fee', { name: 'X', kind: 'cash_on_delivery', fee: '2' } as never, 'fee'],
    ['an unknown kind', { name: 'X', kind: 'barter' as never }, 'kind'],
  ])('are refused in the settings with %s', async (_, method, field) => {
    const { shop } = await shopOf([transfer]);
    const change = () => updateSettings(shop, { paymentMethods: [transfer, method] });
    await expectDenied(commerce(), change, invalid(`paymentMethods.1.${field}`));
  });

  it('keep their ids and get usual values in the settings', async () => {
    const { shop } = await shopOf([transfer]);
    const { paymentMethods } = await updateSettings(shop, {
      paymentMethods: [...(await getSettings(shop)).paymentMethods, { name: 'Later', kind: 'invoice' }],
    });
    expect(paymentMethods).toEqual([
      { ...transfer, provider: null, countries: null, minTotal: null, maxTotal: null, holdDays: 7, active: true },
      {
        id: expect.stringMatching(/^[\da-f-]{36}$/),
        name: 'Later',
        kind: 'invoice',
        provider: null,
        instructions: null,
        countries: null,
        minTotal: null,
        maxTotal: null,
        holdDays: null,
        active: true,
      },
    ]);
    expect(await updateSettings(shop, { paymentMethods })).toMatchObject({ paymentMethods });
    const twice = () => updateSettings(shop, { paymentMethods: [transfer, transfer] });
    await expectDenied(commerce(), twice, invalid('paymentMethods'));
  });
});
