import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { emittedBy } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  cancelCheckout,
  configureProvider,
  createCheckout,
  expirePendingOrders,
  getCheckout,
  getOrder,
  getProduct,
  updatePaymentProvider,
} from '../../index.ts';

forEachStorage('methods of Stripe whose money is decided later', (database) => {
  const { clock, commerce, stub, openShop, pageOf, held, ended } = useSelling(database);
  const day = 24 * 60 * minute;

  async function ordered() {
    const opened = await openShop(['stripe']);
    const { shop, product, input } = opened;
    await updatePaymentProvider(shop, 'stripe', { methods: ['card', 'sepa_debit'], allowDelayed: true });
    const checkout = await createCheckout(shop, input());
    const page = await pageOf(shop, checkout.id);
    const act = (action: 'delay' | 'arrive' | 'fail' | 'pay') => stub().act('stripe', page, action);
    const status = async () => (await getCheckout(shop, checkout.id)).status;
    const stock = async () => (await getProduct(shop, product.id)).stock;
    return { ...opened, checkout, act, status, stock };
  }

  it.each(['arrive', 'fail'] as const)('wait for the money, past the end of the reservation: it %ss', async (end) => {
    const { shop, checkout, act, status, stock } = await ordered();
    expect((await act('delay')).location).toContain(`checkout=${checkout.id}`);
    expect(await status()).toBe('processing');
    expect(await getCheckout(shop, checkout.id)).toMatchObject({ url: null });
    expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'pending', paymentStatus: 'processing' });
    await expectDenied(commerce(), () => cancelCheckout(shop, checkout.id), { kind: 'conflict' });
    clock.advance(5 * day);
    expect(await ended(shop)).toEqual({ held: 0 });
    await expirePendingOrders(commerce().engine, day);
    expect(await status()).toBe('processing');
    const types = await emittedBy(shop, () => act(end));
    if (end === 'arrive') {
      expect([await status(), await stock()]).toEqual(['paid', 8]);
      expect(types).toContain('order.paid');
    } else {
      expect([await status(), await stock()]).toEqual(['expired', 10]);
      expect(types).toContain('order.cancelled');
    }
  });

  it('free the goods at once if the money fails while they are reserved: the page is over', async () => {
    const { shop, act, status } = await ordered();
    await act('delay');
    expect(await held(shop)).toBe(1);
    await act('fail');
    expect([await status(), await held(shop)]).toEqual(['expired', 0]);
    // Nothing more happens at its end.
    clock.advance(day);
    await ended(shop);
    expect(await status()).toBe('expired');
  });

  it('leave the page open after a declined card', async () => {
    const { shop, checkout, status } = await ordered();
    await stub().act('stripe', await pageOf(shop, checkout.id), 'decline');
    expect(await status()).toBe('open');
    await stub().act('stripe', await pageOf(shop, checkout.id), 'pay');
    expect(await status()).toBe('paid');
  });

  it('are sent to the page, and only if the shop allows them', async () => {
    const { shop, accounts, input } = await openShop(['stripe']);
    const sent = async () => {
      await createCheckout(shop, input({ customer: { email: `b${stub().calls.length}@shop.test` } }));
      const call = stub()
        .calls.filter(({ operation }) => operation === 'stripe.create')
        .at(-1);
      const form = new URLSearchParams(call?.body);
      return [...form].filter(([name]) => name.startsWith('allowed_payment_method_types')).map(([, method]) => method);
    };
    expect(await sent()).toEqual(['card', 'link']);
    const change = (methods: string[], more: object = {}) =>
      updatePaymentProvider(shop, 'stripe', { methods: methods as never, ...more });
    await expectDenied(commerce(), () => change(['card', 'sepa_debit']), { kind: 'validation', fields: ['methods'] });
    await expectDenied(commerce(), () => change(['card', 'cheque']), invalid('methods.1'));
    await expectDenied(commerce(), () => change([]), invalid('methods'));
    await change(['ideal', 'card', 'ideal', 'sepa_debit'], { allowDelayed: true });
    expect(await sent()).toEqual(['ideal', 'card', 'sepa_debit']);
    await expectDenied(commerce(), () => updatePaymentProvider(shop, 'stripe', { allowDelayed: false }), {
      kind: 'validation',
      fields: ['methods'],
    });
    // A new secret leaves the methods alone.
    await configureProvider(shop, 'stripe', (accounts.stripe ?? {}) as never);
    expect(await sent()).toEqual(['ideal', 'card', 'sepa_debit']);
  });
});
