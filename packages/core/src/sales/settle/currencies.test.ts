import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, getOrder } from '../../index.ts';

forEachStorage("Stripe's minor units", (database) => {
  const commerce = useCommerce(database);

  // docs.stripe.com/currencies: ISK and UGX have no decimals in ISO 4217 and two at Stripe; MGA has two and none.
  it.each([
    ['EUR', '49.99', 4999, 499_900],
    ['JPY', '4999', 4999, 499_900],
    ['KRW', '15000', 15_000, 1_500_000],
    ['KWD', '10.550', 10_550, 1055],
    ['BHD', '1.005', 1005, 100],
    ['ISK', '500', 50_000, 500],
    ['UGX', '12000', 1_200_000, 12_000],
    ['MGA', '5000.00', 5000, 500_000],
    ['HUF', '1990.50', 199_050, 1990],
    ['TWD', '300.00', 30_000, 300],
  ])('are understood in %s: %s is sent as %i, not as %i', async (currency, total, minor, wrong) => {
    const shop = await newShop(commerce(), currency);
    await configureStripe(shop);
    const product = await newProduct(shop, { price: total });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    expect(order.total).toBe(total);
    const sent = (amount: number) => send(shop, payment(order.id, amount, currency.toLowerCase()).intentSucceeded());
    expect(await sent(wrong)).toMatchObject({ outcome: 'amount_mismatch' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'pending' });
    expect(await sent(minor)).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', currency, total });
  });

  it('cannot express a part of an ariary, which is therefore never paid', async () => {
    const shop = await newShop(commerce(), 'MGA');
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '0.50' });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    for (const amount of [0, 1, 50]) {
      expect(await send(shop, payment(order.id, amount, 'mga').intentSucceeded())).toMatchObject({
        outcome: 'amount_mismatch',
      });
    }
  });
});
