import { eventTypesOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { refundsOf } from '@commerce/test-support/fixtures/stripe-refunds';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  createOrder,
  getNotification,
  getOrder,
  getProduct,
  listNotifications,
  listPayments,
  replayNotification,
} from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';

const ids = uuidV7Source();
const newId = () => ids.next(Date.now());

forEachStorage('stored notifications', (database) => {
  const commerce = useCommerce(database);

  async function openShop() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    return { shop, product: await newProduct(shop, { price: '10', trackStock: true, stock: 5 }) };
  }

  it('pay their order once when copies come during its creation', async () => {
    for (let round = 0; round < 6; round++) {
      const { shop, product } = await openShop();
      const id = newId();
      const paid = payment(id, 1000);
      const event = paid.chargeSucceeded();
      expect(await send(shop, event)).toMatchObject({ outcome: 'order_not_found' });
      const copies = (n: number) => Array.from({ length: n }, () => send(shop, event));
      const [made, ...answers] = await Promise.all([
        createOrder(shop, { id, items: [{ productId: product.id, quantity: 1 }] }),
        ...copies(8),
        ...(round > 2 ? [send(shop, paid.intentSucceeded()), send(shop, refundsOf(paid).one(100).created())] : []),
      ]);
      expect(made).toMatchObject({ id });
      expect(answers).toHaveLength(round > 2 ? 10 : 8);
      expect(await getOrder(shop, id)).toMatchObject({
        status: 'paid',
        paymentId: paid.id,
        refundedAmount: round > 2 ? '1.00' : '0.00',
      });
      expect((await getProduct(shop, product.id)).stock).toBe(4);
      expect((await eventTypesOf(shop)).filter((type) => type === 'order.paid')).toHaveLength(1);
      expect((await listPayments(shop)).items).toMatchObject([{ matched: 'paid', orderId: id }]);
      expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
    }
  }, 30_000);

  it('pay their order once when they are replayed and other events come during its creation', async () => {
    for (let round = 0; round < 4; round++) {
      const { shop, product } = await openShop();
      const id = newId();
      const paid = payment(null, 1000);
      const session = paid.sessionCompleted({ client_reference_id: id });
      await send(shop, paid.chargeSucceeded());
      const [kept] = (await listNotifications(shop)).items;
      await Promise.all([
        replayNotification(shop, kept?.id ?? ''),
        createOrder(shop, { id, items: [{ productId: product.id, quantity: 1 }] }),
        send(shop, session),
        send(shop, paid.intentSucceeded()),
        send(shop, session),
      ]);
      expect(await getOrder(shop, id)).toMatchObject({ status: 'paid', paymentDetails: { last4: '4242' } });
      expect((await getProduct(shop, product.id)).stock).toBe(4);
      expect((await listNotifications(shop, { unmatched: true })).items).toEqual([]);
    }
  }, 30_000);

  it('have the replacement character for a NUL in any of their texts', async () => {
    const { shop, product } = await openShop();
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    const paid = payment(order.id, 1000, 'eur', 'pi_\0_1');
    const event = { ...paid.chargeSucceeded({ payment_method_details: { type: 'ca\0rd' } }), id: `evt_\0_${newId()}` };
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect(await getOrder(shop, order.id)).toMatchObject({ paymentId: 'pi_\ufffd_1', paymentMethod: 'ca\ufffdrd' });
    const [kept] = (await listNotifications(shop)).items;
    expect(await getNotification(shop, kept?.id ?? '')).toMatchObject({
      eventId: event.id.replace('\0', '\ufffd'),
      paymentId: 'pi_\ufffd_1',
      payload: JSON.stringify(event),
    });
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'unchanged' });
    const foreign = payment('order\0 7', 1000).intentSucceeded();
    expect(await send(shop, foreign)).toMatchObject({
      outcome: 'order_not_found',
      warning: 'no order order\ufffd 7 in this store',
    });
    expect(await send(shop, refundsOf(paid).one(100, 're_\0').created())).toMatchObject({ outcome: 'recorded' });
    expect((await getOrder(shop, order.id)).refundedAmount).toBe('1.00');
  });
});
