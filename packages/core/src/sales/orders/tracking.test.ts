import { emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import { createOrder, getOrder, type OrderChanges, updateOrder } from '../../index.ts';

forEachStorage('tracking of an order', (database) => {
  const commerce = useCommerce(database);

  async function paidOrder() {
    const shop = await newShop(commerce());
    const { id: productId } = await newProduct(shop, { price: '0' });
    return { shop, order: await createOrder(shop, { items: [{ productId, quantity: 1 }] }) };
  }

  it('comes with its fulfilment, and stands in its event', async () => {
    const { shop, order } = await paidOrder();
    const given = { carrier: 'DHL', url: 'https://carrier.test/1' };
    const types = await emittedBy(shop, () => updateOrder(shop, order.id, { status: 'fulfilled', tracking: given }));
    expect(types).toEqual(['order.updated', 'order.shipped', 'order.fulfilled']);
    const tracking = { carrier: 'DHL', number: null, url: 'https://carrier.test/1' };
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'fulfilled', tracking });
    const [last] = (await eventsOf(shop)).slice(-1);
    expect(last?.data).toMatchObject({ tracking });
  });

  it('is corrected afterwards, and taken away', async () => {
    const { shop, order } = await paidOrder();
    await updateOrder(shop, order.id, { status: 'fulfilled' });
    expect(await updateOrder(shop, order.id, { tracking: { number: '1' } })).toMatchObject({
      status: 'fulfilled',
      tracking: { carrier: null, number: '1', url: null },
    });
    const sent = await getOrder(shop, order.id);
    expect(await updateOrder(shop, order.id, sent)).toEqual(sent);
    expect(await updateOrder(shop, order.id, { tracking: null })).toMatchObject({ tracking: null });
  });

  it.each<[string, OrderChanges, string]>([
    ['before it is fulfilled', { tracking: { number: '1' } }, 'tracking'],
    ['with a script as its address', { status: 'fulfilled', tracking: { url: 'javascript:alert(1)' } }, 'tracking.url'],
    ['with no address', { status: 'fulfilled', tracking: { url: 'carrier.test' } }, 'tracking.url'],
    ['that is a text', { status: 'fulfilled', tracking: '1' as never }, 'tracking'],
  ])('is refused %s', async (_, changes, field) => {
    const { shop, order } = await paidOrder();
    await expectDenied(commerce(), () => updateOrder(shop, order.id, changes), invalid(field));
  });
});
