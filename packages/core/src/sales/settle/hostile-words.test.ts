import { capture, configurePayPal, deliver } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureSquare, sendSquare, squarePayment } from '@commerce/test-support/fixtures/square';
import { configureStripe, payment, send, stripeEvent } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Context, listNotifications } from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';

const ids = uuidV7Source();

forEachStorage("a provider's words that are property names of every object", (database) => {
  const commerce = useCommerce(database);
  let shop: Context;
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
    shop = await newShop(commerce());
    await configureStripe(shop);
    await configureSquare(shop);
    await configurePayPal(shop, paypal.url);
  });
  afterAll(() => paypal.close());

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty', 'valueOf'])('are unknown: %s', async (word) => {
    const paid = payment(null, 1000);
    await send(shop, stripeEvent(word, { id: 'x' }));
    await send(shop, refundsOf(paid).one(100).created(word));
    await sendSquare(shop, squarePayment(null, 1000).updated(word, 1));
    await sendSquare(shop, squarePayment(null, 1000).refund(100).updated(word));
    await deliver(shop, { ...capture(null, '1.00').completed(), event_type: word });
    await deliver(shop, capture(null, '1.00').refunded('1.00', { status: word }));
    const { items } = await listNotifications(shop, { limit: 200 });
    for (const { outcome } of items) expect(['ignored', 'order_not_found']).toContain(outcome);
  });

  it('and endlessly nested items create no order', async () => {
    const nested = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    for (const order_items of [
      nested,
      `[{"sku":${nested},"quantity":1}]`,
      `[${nested}]`,
      '[{"sku":{"a":{}},"quantity":1}]',
    ]) {
      const metadata = { order_id: ids.next(Date.now()), order_items };
      const answer = await send(shop, payment(null, 1000).intentSucceeded({ metadata }));
      expect(answer).toMatchObject({ outcome: 'unreadable_items', warning: expect.any(String) });
    }
  });
});
