import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  cancelCheckout,
  configureProvider,
  createCheckout,
  endReservations,
  getCheckout,
  getOrder,
  getPaymentProvider,
  getProduct,
  updatePaymentProvider,
} from '../../index.ts';

forEachStorage('methods of Stripe', (database) => {
  const { clock, commerce, stub, openShop, pageOf, held, ended } = useSelling(database);
  const day = 24 * 60 * minute;

  /** A checkout that the buyer has completed with a debit. */
  async function debited() {
    const { shop, product, input } = await openShop(['stripe'], { stock: 2 });
    await updatePaymentProvider(shop, 'stripe', { methods: ['card', 'sepa_debit'], allowDelayed: true });
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    const act = async (action: 'pay' | 'decline' | 'later') => {
      await stub().act('stripe', page, action);
      await stub().settled();
    };
    await act('later');
    return { shop, product, checkout, act, status: async () => (await getCheckout(shop, checkout.id)).status };
  }

  it('are those that the shop chose; card and link at first', async () => {
    const { shop, input } = await openShop(['stripe']);
    const sent = () =>
      new URLSearchParams(stub().calls.findLast(({ operation }) => operation === 'stripe.create')?.body);
    const methods = () =>
      [...sent()].flatMap(([name, value]) => (name.startsWith('allowed_payment_method_types') ? [value] : []));
    await createCheckout(shop, input());
    expect(methods()).toEqual(['card', 'link']);
    await updatePaymentProvider(shop, 'stripe', { methods: ['card', 'ideal', 'card', 'blik'] });
    await createCheckout(shop, input());
    expect(methods()).toEqual(['card', 'ideal', 'blik']);
    // Only the secret is replaced.
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_replaced' });
    expect((await getPaymentProvider(shop, 'stripe')).settings).toMatchObject({ methods: ['card', 'ideal', 'blik'] });
  });

  it('stay cards where they were configured before they could be chosen', async () => {
    const { shop } = await openShop(['stripe']);
    const { secrets, storage } = commerce().engine;
    const settings = JSON.stringify({ webhookSecret: 'whsec_old', secretKey: 'sk_test_old' });
    const sealed = secrets.seal(settings, `${shop.store.id} stripe`);
    await storage.db.transaction().execute(async (tx) => {
      const rows = tx.updateTable('payment_providers').set({ settings: sealed });
      await rows.where('store_id', '=', shop.store.id).execute();
    });
    expect((await getPaymentProvider(shop, 'stripe')).settings).toMatchObject({ methods: ['card'] });
    await configureProvider(shop, 'stripe', { webhookSecret: 'whsec_new' });
    expect((await getPaymentProvider(shop, 'stripe')).settings).toMatchObject({ methods: ['card'] });
  });

  it.each([
    [{ methods: ['card', 'sepa_debit'] }, 'methods'],
    [{ methods: ['giropay'] }, 'methods.0'],
    [{ methods: [] }, 'methods'],
    [{ methods: ['sepa_debit'], allowDelayed: false }, 'methods'],
  ])('refuse %j', async (changes, field) => {
    const { shop } = await openShop(['stripe']);
    await expect(updatePaymentProvider(shop, 'stripe', changes as object)).rejects.toMatchObject({
      kind: 'validation',
      details: [{ field: expect.stringContaining(field.split('.')[0] ?? '') }],
    });
    expect((await getPaymentProvider(shop, 'stripe')).settings).toMatchObject({ methods: ['card', 'link'] });
    await updatePaymentProvider(shop, 'stripe', { methods: ['sepa_debit'], allowDelayed: true });
    // A delayed one does not stay when the switch is turned off.
    await expect(updatePaymentProvider(shop, 'stripe', { allowDelayed: false })).rejects.toMatchObject({
      kind: 'validation',
    });
  });

  it('that are delayed keep their order pending without a clock, and pay it later', async () => {
    const { shop, product, checkout, act, status } = await debited();
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'processing', url: null });
    expect(await held(shop)).toBe(1);
    clock.advance(2 * day);
    await ended(shop);
    expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'pending', paymentStatus: 'processing' });
    expect(await status()).toBe('processing');
    await act('pay');
    expect(await status()).toBe('paid');
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('that are delayed cannot be cancelled by the buyer while the money is under way', async () => {
    const { shop, checkout, status } = await debited();
    await expect(cancelCheckout(shop, checkout.id, { secret: checkout.secret ?? '' })).rejects.toMatchObject({
      kind: 'conflict',
      reason: 'checkoutPaid',
    });
    expect(await status()).toBe('processing');
  });

  it.each([
    ['while its stock is held', 0],
    ['after its stock was given back', 2 * day],
  ])('whose money fails end their checkout %s', async (_, later) => {
    const { shop, product, checkout, act, status } = await debited();
    clock.advance(later);
    await endReservations(commerce().engine);
    await act('decline');
    expect(await status()).toBe('expired');
    expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'cancelled', cancelReason: 'expired' });
    expect(await held(shop)).toBe(0);
    expect((await getProduct(shop, product.id)).stock).toBe(2);
  });

  it('that decline at once leave the page open', async () => {
    const { shop, input } = await openShop(['stripe']);
    const checkout = await createCheckout(shop, input());
    await stub().act('stripe', await pageOf(shop, checkout.id), 'decline');
    await stub().settled();
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ status: 'open', url: checkout.url });
  });
});
