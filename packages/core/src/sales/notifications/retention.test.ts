import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { type Context, createOrder, getNotification, listNotifications, replayNotification } from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';
import { forgetOldPayloads, forgetPayloadsWhenDue, payloadsKeptFor } from './retention.ts';

forEachStorage('the bodies of notifications', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  const bodies = async (shop: Context) => {
    const { items } = await listNotifications(shop, { limit: 200 });
    return Promise.all(items.map(async ({ id }) => (await getNotification(shop, id)).payload.slice(0, 5)));
  };

  it('are kept for 180 days after settlement, and while they wait', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10' });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    await send(shop, payment(order.id, 1000).chargeSucceeded());
    await send(shop, payment(null, 1000).chargeSucceeded());
    clock.advance(payloadsKeptFor);
    expect(await forgetOldPayloads(commerce().engine)).toBe(0);
    clock.advance(1);
    expect(await forgetOldPayloads(commerce().engine)).toBe(1);
    expect(await bodies(shop)).toEqual(['{"id"', '{}']);
    // A late settlement starts the 180 days then.
    const late = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const waiting = payment(late.id, 999);
    await send(shop, waiting.chargeSucceeded());
    clock.advance(payloadsKeptFor + 1);
    expect(await forgetOldPayloads(commerce().engine)).toBe(0);
    const [newest] = (await listNotifications(shop)).items;
    await replayNotification(shop, newest?.id ?? '');
    expect(await forgetOldPayloads(commerce().engine)).toBe(0);
    expect(await bodies(shop)).toEqual(['{"id"', '{"id"', '{}']);
  });

  it('are emptied in steps, all of them', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const many = 1203;
    const { engine, store } = shop;
    const at = clock.now();
    const rows = Array.from({ length: many }, (_, i) => ({
      store_id: store.id,
      id: engine.ids.next(at),
      provider: 'stripe',
      event_id: `evt_${i}`,
      event_type: 'charge.succeeded',
      order_id: null,
      payment_id: null,
      outcome: 'ignored',
      warning: null,
      notice: null,
      payload: '{"x":1}',
      received_at: at,
      updated_at: at,
    }));
    await engine.storage.db.transaction().execute(async (db) => {
      for (let from = 0; from < many; from += 100) {
        await db
          .insertInto('payment_notifications')
          .values(rows.slice(from, from + 100))
          .execute();
      }
    });
    clock.advance(payloadsKeptFor + 1);
    expect(await forgetOldPayloads(engine)).toBeGreaterThanOrEqual(many);
    expect(new Set(await bodies(shop))).toEqual(new Set(['{}']));
  });

  it('are checked an hour after a start, and then once a day', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    await send(shop, payment(null, 1000).sessionCompleted({ mode: 'setup' }));
    const { engine } = commerce();
    await forgetPayloadsWhenDue(engine);
    clock.advance(payloadsKeptFor + 1);
    await forgetPayloadsWhenDue(engine);
    expect(await bodies(shop)).toEqual(['{}']);
    await send(shop, payment(null, 1000).sessionCompleted({ mode: 'setup' }));
    await forgetPayloadsWhenDue(engine);
    expect(await bodies(shop)).toEqual(['{"id"', '{}']);
  });
});
