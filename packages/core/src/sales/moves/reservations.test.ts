import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  type Context,
  confirmFromInbox,
  createOrder,
  endReservations,
  eraseOrder,
  getOrder,
  getProduct,
  type Product,
  type ProductInput,
  updateOrder,
  updateProduct,
} from '../../index.ts';
import { fakeClock } from '../../testing/index.ts';

const minute = 60_000;

forEachStorage('reservations', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });

  async function openShop(stock: number, more: Partial<ProductInput> = {}) {
    // Reservations left by other tests do not count here.
    clock.advance(60 * 24 * 60 * minute);
    await endReservations(commerce().engine);
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '10', trackStock: true, stock, ...more });
    return { shop, product };
  }
  const reserve = (shop: Context, { id: productId }: Product, quantity = 1, reserveMinutes = 31) =>
    createOrder(shop, { items: [{ productId, quantity }], reserveMinutes });
  const order = (shop: Context, { id: productId }: Product, quantity = 1) =>
    createOrder(shop, { items: [{ productId, quantity }] });
  const pay = (shop: Context, id: string, quantity = 1) => send(shop, payment(id, quantity * 1000).intentSucceeded());
  const held = async (shop: Context) =>
    (
      await shop.engine.storage.db
        .selectFrom('reservations')
        .selectAll()
        .where('store_id', '=', shop.store.id)
        .execute()
    ).reduce((sum, { quantity }) => sum + quantity, 0);
  const short = { kind: 'insufficientStock', fields: ['items'] } as const;

  it('keep what is held from everybody else, until it is paid', async () => {
    const { shop, product } = await openShop(3);
    const first = await reserve(shop, product, 2);
    expect(first.reservedUntil).toBe(new Date(clock.now() + 31 * minute).toISOString());
    expect((await getProduct(shop, product.id)).stock).toBe(3);
    await expectDenied(commerce(), () => reserve(shop, product, 2), { ...short, message: /has 1 in stock, 2 wanted/ });
    await expectDenied(commerce(), () => order(shop, product, 2), short);
    await reserve(shop, product, 1);
    await expectDenied(commerce(), () => reserve(shop, product, 1), { ...short, message: /has 0 in stock/ });
    await pay(shop, first.id, 2);
    expect(await getOrder(shop, first.id)).toMatchObject({ status: 'paid', reservedUntil: null });
    expect((await getProduct(shop, product.id)).stock).toBe(1);
    expect(await held(shop)).toBe(1);
  });

  it('come before money that reserved nothing, which waits', async () => {
    const { shop, product } = await openShop(1);
    const waiting = await order(shop, product);
    const holding = await reserve(shop, product);
    await expect(pay(shop, waiting.id)).rejects.toMatchObject({ kind: 'insufficientStock' });
    expect(await getOrder(shop, waiting.id)).toMatchObject({ status: 'pending' });
    await pay(shop, holding.id);
    expect(await getOrder(shop, holding.id)).toMatchObject({ status: 'paid' });
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('count for nothing from their last millisecond on, whether or not anybody has tidied up', async () => {
    const { shop, product } = await openShop(1);
    const first = await reserve(shop, product);
    clock.advance(31 * minute - 1);
    await expectDenied(commerce(), () => reserve(shop, product), short);
    clock.advance(1);
    const second = await reserve(shop, product);
    // The first buyer pays too late to get the stock, but early enough to be told.
    await expect(pay(shop, first.id)).rejects.toMatchObject({ kind: 'insufficientStock' });
    await pay(shop, second.id);
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('end with their order, which money that comes late reopens while there is stock', async () => {
    const { shop, product } = await openShop(1);
    const first = await reserve(shop, product);
    clock.advance(31 * minute);
    const types = await emittedBy(shop, async () => {
      expect(await endReservations(commerce().engine)).toBe(1);
      expect(await endReservations(commerce().engine)).toBe(0);
    });
    expect(types).toEqual(['order.updated', 'order.cancelled']);
    const ended = await getOrder(shop, first.id);
    expect(ended).toMatchObject({ status: 'cancelled', cancelReason: 'expired', reservedUntil: null });
    expect(await held(shop)).toBe(0);
    await pay(shop, first.id);
    expect(await getOrder(shop, first.id)).toMatchObject({ status: 'paid', cancelReason: null });
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('end without their order while its money is under way, and the money takes what is there then', async () => {
    const { shop, product } = await openShop(1);
    const first = await reserve(shop, product);
    const { intentProcessing, intentSucceeded } = payment(first.id, 1000);
    await send(shop, intentProcessing());
    clock.advance(31 * minute);
    expect(await endReservations(commerce().engine)).toBe(1);
    expect(await getOrder(shop, first.id)).toMatchObject({ status: 'pending', reservedUntil: null });
    const second = await reserve(shop, product);
    await expect(send(shop, intentSucceeded())).rejects.toMatchObject({ kind: 'insufficientStock' });
    await updateOrder(shop, second.id, { status: 'cancelled' });
    await confirmFromInbox(shop, first.id);
    expect(await getOrder(shop, first.id)).toMatchObject({ status: 'paid' });
  });

  it('are given back by a cancellation, once', async () => {
    const { shop, product } = await openShop(2);
    const first = await reserve(shop, product, 2);
    await updateOrder(shop, first.id, { status: 'cancelled' });
    expect(await held(shop)).toBe(0);
    clock.advance(31 * minute);
    expect(await endReservations(commerce().engine)).toBe(0);
    const second = await reserve(shop, product, 2);
    await eraseOrder(shop, second.id);
    expect(await held(shop)).toBe(0);
    await reserve(shop, product, 2);
    expect((await getProduct(shop, product.id)).stock).toBe(2);
  });

  it('hold their own order to the stock that is there, also where the shop has counted less', async () => {
    const { shop, product } = await openShop(5);
    const [a, b] = [await reserve(shop, product, 3), await reserve(shop, product, 2)];
    await updateProduct(shop, product.id, { stock: 3 });
    await pay(shop, a.id, 3);
    await expect(pay(shop, b.id, 2)).rejects.toMatchObject({ kind: 'insufficientStock' });
    expect((await getProduct(shop, product.id)).stock).toBe(0);
  });

  it('hold nothing of what is never short', async () => {
    const { shop, product } = await openShop(0, { allowBackorder: true });
    const untracked = await newProduct(shop, { price: '10' });
    await createOrder(shop, {
      items: [
        { productId: product.id, quantity: 5 },
        { productId: untracked.id, quantity: 5 },
      ],
      reserveMinutes: 31,
    });
    expect(await held(shop)).toBe(0);
  });

  it('are of all lines or of none, and two lines of one product are one', async () => {
    const { shop, product } = await openShop(3);
    const other = await newProduct(shop, { price: '10', trackStock: true, stock: 1 });
    const items = [product, other, product].map(({ id: productId }) => ({ productId, quantity: 2 }));
    await expectDenied(commerce(), () => createOrder(shop, { items, reserveMinutes: 31 }), {
      ...short,
      fields: ['items', 'items'],
    });
    expect(await held(shop)).toBe(0);
  });

  it('are never more than there is, for 50 buyers of 10 pieces at once', async () => {
    const { shop, product } = await openShop(10);
    const tried = await Promise.allSettled(Array.from({ length: 50 }, () => reserve(shop, product)));
    const orders = tried.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
    expect(orders).toHaveLength(10);
    for (const one of tried) if (one.status === 'rejected') expect(one.reason).toMatchObject({ kind: short.kind });
    expect(await held(shop)).toBe(10);
    await Promise.all(orders.map(({ id }) => pay(shop, id)));
    expect((await getProduct(shop, product.id)).stock).toBe(0);
    expect(await held(shop)).toBe(0);
  });

  it.each([0, 43_201, 1.5])('refuse %d minutes', async (minutes) => {
    const { shop, product } = await openShop(1);
    await expectDenied(commerce(), () => reserve(shop, product, 1, minutes), invalid('reserveMinutes'));
  });

  it('of a store that fails keep no other from ending', async () => {
    const { shop, product } = await openShop(1);
    const { id } = await reserve(shop, product);
    clock.advance(31 * minute);
    const { engine } = commerce();
    const broken = await newShop(commerce());
    const lost = await newProduct(broken, { price: '10', trackStock: true, stock: 1 });
    const bad = await reserve(broken, lost, 1, 1);
    await engine.storage.db
      .transaction()
      .execute((tx) => tx.updateTable('orders').set({ json: 'no JSON' }).where('id', '=', bad.id).execute());
    clock.advance(minute);
    const errors: unknown[] = [];
    await endReservations(engine, { onError: (error) => errors.push(error) });
    expect(errors).toHaveLength(1);
    expect(await getOrder(shop, id)).toMatchObject({ cancelReason: 'expired' });
  });
});
