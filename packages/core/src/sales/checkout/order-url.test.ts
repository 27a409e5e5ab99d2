import { useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  type CreatedCheckout,
  cancelCheckout,
  createCheckout,
  getCheckout,
  getOrderByToken,
  once,
  recordPayment,
  type SettingsChanges,
  updateSettings,
} from '../../index.ts';

const settings: SettingsChanges = {
  orderUrl: 'https://shop.example/order#{token}',
  paymentMethods: [
    { id: 'transfer', name: 'Bank transfer', kind: 'transfer' },
    { id: 'card', name: 'Card', kind: 'provider', provider: 'stripe' },
  ],
};

forEachStorage("the link of a checkout to the buyer's page", (database) => {
  const { commerce, openShop, stub, pageOf } = useSelling(database);
  const anyone = (shop: Context): Context => ({ ...shop, actor: { type: 'apiKey', id: 'sf', isPublic: true } });
  const opened = async (shop: Context, url: string | null) => {
    expect(url).toMatch(/^https:\/\/shop\.example\/order#[\w-]+\.[\w-]+\.[\w-]+$/);
    return (await getOrderByToken(shop, new URL(url ?? '').hash.slice(1))).orderNumber;
  };

  it('is in the answer of one that is placed or costs nothing, and opens its order', async () => {
    const { shop, input } = await openShop(['stripe'], { settings });
    const placed = await createCheckout(anyone(shop), input({ paymentMethodId: 'transfer' }));
    expect(await opened(shop, placed.orderUrl)).toBe(placed.orderNumber);
    const gift = await newProduct(shop, { price: '0' });
    const free = await createCheckout(anyone(shop), input({ items: [{ productId: gift.id, quantity: 1 }] }));
    expect(free.status).toBe('paid');
    expect(await opened(shop, free.orderUrl)).toBe(free.orderNumber);
  });

  it('is shown with the secret once it is paid, and to no one else', async () => {
    const { shop, input } = await openShop(['stripe'], { settings });
    const { id, secret, orderUrl } = await createCheckout(shop, input({ paymentMethodId: 'card' }));
    const proof = { secret: secret ?? '' };
    expect([orderUrl, (await getCheckout(anyone(shop), id, proof)).orderUrl]).toEqual([null, null]);
    await stub().act('stripe', await pageOf(shop, id), 'pay');
    const paid = await getCheckout(anyone(shop), id, proof);
    expect(paid.status).toBe('paid');
    expect(await opened(shop, paid.orderUrl)).toBe(paid.orderNumber);
    // Without the secret for all keys, because one that reads checkouts does not see orders.
    for (const ctx of [shop, anyone(shop)]) expect((await getCheckout(ctx, id)).orderUrl).toBeNull();
    for (const wrong of ['', `${proof.secret.slice(0, -1)}x`]) {
      await expectDenied(commerce(), () => getCheckout(anyone(shop), id, { secret: wrong }), { kind: 'forbidden' });
      await expectDenied(commerce(), () => getCheckout(shop, id, { secret: wrong }), { kind: 'forbidden' });
    }
  });

  it('ends with the order', async () => {
    const { shop, input } = await openShop([], {
      settings: { ...settings, paymentMethods: settings.paymentMethods?.slice(0, 1) },
    });
    const { id, secret } = await createCheckout(shop, input());
    const proof = { secret: secret ?? '' };
    expect((await cancelCheckout(shop, id, proof)).orderUrl).toBeNull();
    expect((await getCheckout(shop, id, proof)).orderUrl).toBeNull();
  });

  it('is null where the shop has no such page, also for an order that was placed before', async () => {
    const { shop, input } = await openShop([], {
      settings: { ...settings, paymentMethods: settings.paymentMethods?.slice(0, 1) },
    });
    const placed = await createCheckout(shop, input());
    await recordPayment(shop, placed.orderId, { method: 'transfer', amount: '25' });
    await updateSettings(shop, { orderUrl: null });
    expect((await getCheckout(shop, placed.id, { secret: placed.secret ?? '' })).orderUrl).toBeNull();
    expect((await createCheckout(shop, input())).orderUrl).toBeNull();
  });

  it('is never kept with the answer of a repeatable request', async () => {
    const { shop, input } = await openShop([], {
      settings: { ...settings, paymentMethods: settings.paymentMethods?.slice(0, 1) },
    });
    const kept: unknown[] = [];
    const print = (result: unknown) => {
      kept.push(result);
      return { status: 201, body: JSON.stringify(result) };
    };
    const request = { key: 'k', route: 'POST /checkouts', fingerprint: 'same', print, printError: () => undefined };
    const send = () => once<CreatedCheckout>(shop, request, (ctx) => createCheckout(ctx, input()));
    const first = await send();
    expect('result' in first && (await opened(shop, first.result.orderUrl))).toBe('ORD-1001');
    expect(kept).toMatchObject([{ orderUrl: null }]);
    const again = await send();
    expect('replay' in again && JSON.parse(again.replay.body ?? '')).toMatchObject({ orderUrl: null });
  });
});
