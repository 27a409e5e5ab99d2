import { minute, shopUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy, newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { payment, send, stripeEvent, webhookSecret } from '@commerce/test-support/fixtures/stripe';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  applyPayment,
  type Context,
  cancelCheckout,
  closeDuePages,
  configureProvider,
  createCheckout,
  createDiscount,
  createOrder,
  dismissPayment,
  endReservations,
  getCheckout,
  getDiscount,
  getOrder,
  getProduct,
  listPayments,
  providerNames,
  recordPayment,
  returnFromProvider,
  updateOrder,
  updateProduct,
  updateSettings,
} from '../../index.ts';

forEachStorage('the end of checkouts', (database) => {
  const { clock, commerce, stub, openShop, pageOf, held, ended } = useSelling(database);

  const day = 24 * 60 * minute;
  /** A shop with two pieces, which accepts notifications of this test and of the stand-in. */
  const openToldShop = async () => {
    const opened = await openShop(['stripe'], { stock: 2 });
    await configureProvider(opened.shop, 'stripe', { ...opened.accounts.stripe, webhookSecret });
    return opened;
  };

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
    await stub()
      .act(provider, page, 'pay')
      .catch(() => {});
    await stub().settled();
    const payments = await listPayments(shop);
    expect(payments.items.filter(({ status }) => status === 'succeeded')).toEqual([]);
    expect((await getProduct(shop, product.id)).stock).toBe(10);
    // A repetition changes nothing.
    expect(await cancelCheckout(shop, checkout.id)).toMatchObject({ status: 'cancelled' });
  });

  it('stay open while their page cannot be closed', async () => {
    const { shop, input } = await openShop();
    const checkout = await createCheckout(shop, input());
    stub().fault('stripe.expire', { status: 500 }, { status: 500 });
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
    expect(stub().calls.map(({ operation }) => operation)).toContain('square.delete');
    await stub()
      .act('square', page, 'pay')
      .catch(() => {});
    await stub().settled();
    expect((await listPayments(shop)).items).toEqual([]);
  });

  it.each(providerNames)(
    'whose order is paid in another way have their page at %s closed within seconds',
    async (provider) => {
      const { shop, input } = await openShop([provider], { settings: { manualPayments: true } });
      const checkout = await createCheckout(shop, input());
      const page = await pageOf(shop, checkout.id);
      await recordPayment(shop, checkout.orderId, { method: 'cash', amount: '25.00' });
      await closeDuePages(commerce().engine);
      await stub()
        .act(provider, page, 'pay')
        .catch(() => {});
      await stub().settled();
      const { items } = await listPayments(shop);
      expect(items.map(({ provider: by, matched }) => [by, matched])).toEqual([['manual', 'paid']]);
      const rows = shop.engine.storage.db.selectFrom('checkouts').select('state').where('id', '=', checkout.id);
      expect(await rows.execute()).toEqual([{ state: 'closed' }]);
    },
  );

  it('whose order another payment of the same provider has paid have their page closed at its end', async () => {
    const { shop, input, product } = await openToldShop();
    await updateProduct(shop, product.id, { stock: 4 });
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    await send(shop, payment(checkout.orderId, 2500).intentSucceeded());
    clock.advance(29 * minute);
    await closeDuePages(commerce().engine);
    expect(stub().calls.map(({ operation }) => operation)).toContain('stripe.expire');
    await stub()
      .act('stripe', page, 'pay')
      .catch(() => {});
    await stub().settled();
    expect((await listPayments(shop)).items).toMatchObject([{ matched: 'paid' }]);
  });

  it.each(providerNames)('that nobody pays at %s end with their page, then with their stock', async (provider) => {
    const { shop, input } = await openShop([provider], { stock: 2 });
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    clock.advance(29 * minute);
    await stub().tick();
    await stub().settled();
    await closeDuePages(commerce().engine);
    // A wallet page cannot be ended; a payment approved there before the reservation ends is taken.
    if (provider !== 'paypal')
      await stub()
        .act(provider, page, 'pay')
        .catch(() => {});
    await stub().settled();
    clock.advance(2 * minute);
    expect(await ended(shop)).toEqual({ held: 0 });
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'expired', url: null });
    const { items } = await listPayments(shop);
    expect(items.filter(({ status }) => status === 'succeeded')).toEqual([]);
    expect(await createCheckout(shop, input())).toMatchObject({ status: 'open' });
  });

  it('whose page cannot be closed give their stock back all the same, and it is tried again, for three days', async () => {
    const { shop, input } = await openShop(['square']);
    // Pages left by other tests do not count here.
    clock.advance(60 * minute);
    await ended(shop);
    const checkout = await createCheckout(shop, input());
    const errors: unknown[] = [];
    const close = () => closeDuePages(commerce().engine, { onError: (error) => errors.push(error) });
    const deletions = () => stub().calls.filter(({ operation }) => operation === 'square.delete').length;
    stub().fault('square.delete', { status: 500 }, { status: 500 });
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

  it('of a provider that cannot be reached wait together: the first call of each of eight says enough', async () => {
    const { shop, input } = await openShop(['square'], { stock: 40 });
    clock.advance(60 * minute);
    await ended(shop);
    for (let i = 0; i < 12; i++) await createCheckout(shop, input({ customerNote: `${i}` }));
    const deletions = () => stub().calls.filter(({ operation }) => operation === 'square.delete').length;
    stub().fault('square.delete', ...Array.from({ length: 16 }, () => ({ status: 500 })));
    clock.advance(29 * minute);
    expect(await closeDuePages(commerce().engine)).toBe(0);
    // Two attempts for each of the eight.
    expect(deletions()).toBe(16);
    clock.advance(minute);
    expect(await closeDuePages(commerce().engine)).toBe(12);
    expect(deletions()).toBe(28);
  });

  it('are given back by the word of Stripe that the page has ended, once', async () => {
    const { shop, input } = await openShop(['stripe'], { settings: { reservationMinutes: 60 } });
    const checkout = await createCheckout(shop, input());
    stub().faultNotifications('twice');
    clock.advance(58 * minute);
    await stub().tick();
    await stub().settled();
    expect(stub().notifications.map(({ event, status }) => [event, status])).toEqual([
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
    stub().fault('paypal.capture', { delay: 50 });
    const [acted, ...locations] = await Promise.all([
      stub().act('paypal', page, 'pay'),
      ...Array.from({ length: 5 }, () => returnFromProvider(shop.engine, ids)),
    ]);
    expect(acted.location).toContain(checkout.id);
    for (const location of locations) expect(location).toContain('/thanks');
    // The buyer can come back before the approval arrives.
    await returnFromProvider(shop.engine, ids);
    await stub().settled();
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'paid' });
    const captures = stub().calls.filter(({ operation, status }) => operation === 'paypal.capture' && status === 201);
    expect(new Set(captures.map(({ headers }) => headers['paypal-request-id'])).size).toBe(1);
    expect(await listPayments(shop, { status: 'succeeded' })).toMatchObject({ total: 1, items: [{ matched: 'paid' }] });
  });

  it('send a buyer whose card was declined back, and take the money of the next try', async () => {
    const { shop, input } = await openShop(['paypal']);
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    const ids = { storeId: shop.store.id, checkoutId: checkout.id, page };
    await stub().act('paypal', page, 'decline');
    expect(await returnFromProvider(shop.engine, ids)).toBe(`${shopUrl}/cart?checkout=${checkout.id}&reason=declined`);
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
    await stub().act('paypal', page, 'pay');
    expect(await returnFromProvider(shop.engine, ids)).toContain('/thanks');
    await stub().settled();
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'paid' });
  });

  it('take no money of a wallet once the stock is somebody else’s', async () => {
    const { shop, input } = await openShop(['paypal'], { stock: 2 });
    const late = await createCheckout(shop, input());
    const page = await pageOf(shop, late.id);
    clock.advance(31 * minute);
    await ended(shop);
    await createCheckout(shop, input({ customerNote: 'faster' }));
    await stub().act('paypal', page, 'pay');
    const ids = { storeId: shop.store.id, checkoutId: late.id, page };
    expect(await returnFromProvider(shop.engine, ids)).toContain('reason=expired');
    await stub().settled();
    expect(stub().calls.filter(({ operation }) => operation === 'paypal.capture')).toEqual([]);
    expect(await getCheckout(shop, late.id)).toMatchObject({ status: 'expired' });
  });

  it('take the money of a wallet after the end while the stock is still there', async () => {
    const { shop, product, input } = await openShop(['paypal'], { stock: 2 });
    const late = await createCheckout(shop, input());
    const page = await pageOf(shop, late.id);
    clock.advance(31 * minute);
    await ended(shop);
    await stub().act('paypal', page, 'pay');
    const ids = { storeId: shop.store.id, checkoutId: late.id, page };
    expect(await returnFromProvider(shop.engine, ids)).toContain('/thanks');
    await stub().settled();
    expect(await getCheckout(shop, late.id)).toMatchObject({ status: 'paid' });
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('are neither prolonged nor reopened by a return without an approval', async () => {
    const { shop, input } = await openShop(['paypal'], { stock: 2 });
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    const ids = { storeId: shop.store.id, checkoutId: checkout.id, page };
    const before = await getOrder(shop, checkout.orderId);
    clock.advance(25 * minute);
    expect(await returnFromProvider(shop.engine, ids)).toContain('/thanks');
    expect(await getOrder(shop, checkout.orderId)).toEqual(before);
    clock.advance(6 * minute);
    await ended(shop);
    const over = await getOrder(shop, checkout.orderId);
    expect(over).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
    expect(await returnFromProvider(shop.engine, ids)).toContain('reason=expired');
    expect(await getOrder(shop, checkout.orderId)).toEqual(over);
    expect(await held(shop)).toBe(0);
  });

  it('are made, seen and cancelled with a storefront key, whose holder sees no order, no buyer and no more stock than its lists', async () => {
    const { shop, product, input } = await openShop(['stripe'], { stock: 30 });
    const page: Context = { ...shop, actor: { type: 'apiKey', id: 'key', isPublic: true } };
    const checkout = await createCheckout(page, input());
    expect(JSON.stringify(await getCheckout(page, checkout.id))).not.toMatch(/\bada\b|lovelace/i);
    await expect(getOrder(page, checkout.orderId)).rejects.toMatchObject({ kind: 'forbidden' });
    for (const secret of [undefined, '', 'x', `${checkout.secret}x`]) {
      await expectDenied(commerce(), () => cancelCheckout(page, checkout.id, secret ? { secret } : {}), {
        kind: 'forbidden',
      });
    }
    const many = (quantity: number) => input({ items: [{ productId: product.id, quantity }] });
    for (const stock of [5, 29, 38]) {
      await updateProduct(shop, product.id, { stock });
      await expect(createCheckout(page, many(40))).rejects.toThrow(/ has fewer than 40 in stock, 40 wanted$/);
    }
    await updateProduct(shop, product.id, { stock: 5 });
    await expect(createCheckout(page, many(10))).rejects.toThrow(/ has 3 in stock, 10 wanted$/);
    expect(await cancelCheckout(page, checkout.id, { secret: checkout.secret ?? '' })).toMatchObject({
      status: 'cancelled',
    });
  });

  it('have at most as many pieces of a product as the shop says, over all lines, with a storefront key', async () => {
    const { shop, product, input } = await openShop(['stripe'], { stock: 1000, more: { sku: 'MUG' } });
    const page: Context = { ...shop, actor: { type: 'apiKey', id: 'key', isPublic: true } };
    const lines = (...quantities: number[]) =>
      input({ items: quantities.map((quantity) => ({ productId: product.id, quantity })) });
    const refused = (field: string) => ({ kind: 'validation' as const, fields: [field] });
    await createCheckout(page, lines(100));
    await expectDenied(commerce(), () => createCheckout(page, lines(101)), refused('items.0.quantity'));
    await updateSettings(shop, { maxQuantity: 5 });
    const mixed = input({
      items: [
        { productId: product.id, quantity: 3 },
        { sku: 'MUG', quantity: 3 },
      ],
    });
    await expectDenied(commerce(), () => createCheckout(page, mixed), refused('items.1.quantity'));
    await expect(createCheckout(page, lines(6))).rejects.toThrow(/the maximum is 5 \(the store setting maxQuantity\)$/);
    await createCheckout(page, lines(2, 3));
    // Without a storefront key, the shop itself orders.
    await createCheckout(shop, lines(6));
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

  const ledger = (sent: ReturnType<typeof payment>, status: string) =>
    stripeEvent('refund.created', {
      id: `re_${sent.id}`,
      payment_intent: sent.id,
      amount: 2250,
      currency: 'eur',
      status,
    });

  it.each<[string, (sent: ReturnType<typeof payment>, shop: Context) => Promise<unknown>]>([
    ['fails', (sent, shop) => send(shop, sent.intentFailed())],
    ['is called off', (sent, shop) => send(shop, sent.intentCanceled())],
    ['comes, falls short of stock and is dismissed', dismissed],
    [
      'comes, falls short of stock and is refunded',
      (sent, shop) => fallsShort(sent, shop).then(() => send(shop, ledger(sent, 'succeeded'))),
    ],
    [
      'is not decided within two weeks',
      (_, shop) => {
        clock.advance(14 * day);
        return ended(shop);
      },
    ],
    ['pays another order', paysAnother],
  ])('whose time is over while money is under way end with it: when it %s', async (how, end) => {
    const { shop, product, input } = await openToldShop();
    const discount = await createDiscount(shop, { code: 'TEN', type: 'percent', value: '10', usageLimit: 1 });
    const checkout = await createCheckout(shop, input({ discountCode: 'TEN' }));
    const sent = payment(checkout.orderId, 2250);
    await send(shop, sent.intentProcessing());
    clock.advance(31 * minute);
    expect(await ended(shop)).toEqual({ held: 0 });
    const waiting = await getOrder(shop, checkout.orderId);
    expect(waiting).toMatchObject({ status: 'pending', paymentStatus: 'processing', reservedUntil: null });
    // At the next check, it still waits.
    clock.advance(day);
    expect(await emittedBy(shop, () => ended(shop))).toEqual([]);
    await updateProduct(shop, product.id, { stock: 0 });
    const types = await emittedBy(shop, () => end(sent, shop));
    expect(types.filter((type) => type === 'order.cancelled')).toEqual(['order.cancelled']);
    expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'expired', url: null });
    expect(await getDiscount(shop, discount.id)).toMatchObject({ used: 0 });
    await ended(shop);
    // Money that arrives later is still taken.
    await updateProduct(shop, product.id, { stock: 2 });
    if (how === 'fails') expect(await send(shop, sent.intentSucceeded())).toMatchObject({ outcome: 'paid' });
  });

  async function fallsShort(sent: ReturnType<typeof payment>, shop: Context) {
    await expect(send(shop, sent.intentSucceeded())).rejects.toMatchObject({ kind: 'insufficientStock' });
    const [{ id = '', orderId } = {}] = (await listPayments(shop)).items;
    expect(await getOrder(shop, orderId ?? '')).toMatchObject({ status: 'pending' });
    return id;
  }
  async function dismissed(sent: ReturnType<typeof payment>, shop: Context) {
    await dismissPayment(shop, await fallsShort(sent, shop));
  }
  async function paysAnother(sent: ReturnType<typeof payment>, shop: Context) {
    const id = await fallsShort(sent, shop);
    const other = await newProduct(shop, { price: '22.50' });
    const order = await createOrder(shop, { items: [{ productId: other.id, quantity: 1 }] });
    await applyPayment(shop, id, { orderId: order.id });
  }

  it('that expired and were reopened by money that fell short of stock expire again when it is given back', async () => {
    const { shop, product, input } = await openToldShop();
    const checkout = await createCheckout(shop, input());
    clock.advance(31 * minute);
    await ended(shop);
    await updateProduct(shop, product.id, { stock: 0 });
    const id = await fallsShort(payment(checkout.orderId, 2500), shop);
    await ended(shop);
    expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'pending' });
    await dismissPayment(shop, id);
    expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
  });
});
