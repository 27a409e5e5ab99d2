import { capture, configurePayPal, deliver, paypalOrderOf } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { auditOf, emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { payment, send, webhookSecret } from '@commerce/test-support/fixtures/stripe';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  applyPayment,
  configureProvider,
  createOrder,
  getOrder,
  getProduct,
  listOrders,
  listPayments,
  updateProduct,
} from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';

const ids = uuidV7Source();
const newId = () => ids.next(Date.now());

forEachStorage('the payee of a payment, and the creation of orders', (database) => {
  const commerce = useCommerce(database);
  let paypal: PayPalStub;
  beforeAll(async () => {
    paypal = await startPayPal();
  });
  beforeEach(() => paypal.reset());
  afterAll(() => paypal.close());

  async function pending(merchantId?: string) {
    const shop = await newShop(commerce());
    await configurePayPal(shop, paypal.url, merchantId === undefined ? {} : { merchantId });
    const product = await newProduct(shop, { price: '10', sku: 'MUG', trackStock: true, stock: 5 });
    const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, order, paid: capture(order.id, '10.00') };
  }
  const payee = (merchantId: string) => ({ payee: { merchant_id: merchantId, email_address: 'shop@example.com' } });

  it.each<[string, string | undefined, string | undefined, string | undefined, string]>([
    ['on the capture, another one', 'OURS', 'OTHER', undefined, 'wrong_payee'],
    ["on PayPal's own order alone, another one", 'OURS', undefined, 'OTHER', 'wrong_payee'],
    ['on both, the capture another one', 'OURS', 'OTHER', 'OURS', 'wrong_payee'],
    ['on the capture, ours', 'OURS', 'OURS', undefined, 'paid'],
    ["on PayPal's own order alone, ours", 'OURS', undefined, 'OURS', 'paid'],
    ["on the capture ours, whatever PayPal's own order says", 'OURS', 'OURS', 'OTHER', 'paid'],
    ['nowhere', 'OURS', undefined, undefined, 'paid'],
    ['another one, and nobody set which is ours', undefined, 'OTHER', 'OTHER', 'paid'],
  ])('looks at the payee: %s', async (_, ours, onCapture, onOrder, outcome) => {
    const { shop, product, order, paid } = await pending(ours);
    paypal.orders.set(paid.paypalOrder, paypalOrderOf(paid.paypalOrder, onOrder === undefined ? {} : payee(onOrder)));
    const event = paid.completed(onCapture === undefined ? {} : payee(onCapture));
    const types = await emittedBy(shop, async () => {
      const answer = await deliver(shop, event);
      expect(answer).toMatchObject({ received: true, outcome });
      if (outcome === 'paid') expect(answer).not.toHaveProperty('warning');
      else expect(answer.warning).toMatch(/went to another account/);
    });
    const paidIt = outcome === 'paid';
    expect(types.includes('order.paid')).toBe(paidIt);
    expect(types.includes('payment.unmatched')).toBe(!paidIt);
    expect((await getOrder(shop, order.id)).status).toBe(paidIt ? 'paid' : 'pending');
    expect((await getProduct(shop, product.id)).stock).toBe(paidIt ? 4 : 5);
    expect((await listPayments(shop)).items).toMatchObject([{ matched: paidIt ? 'paid' : 'wrongPayee' }]);
  });

  it('is recorded in the audit log, stays when the payment is reported again, and yields when somebody applies it', async () => {
    const { shop, order, paid } = await pending('OURS');
    await deliver(shop, paid.completed(payee('OTHER')));
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'payment.refused',
      resource_id: order.id,
      changes: expect.stringContaining('"reason":"wrongPayee"'),
    });
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'wrong_payee' });
    expect((await getOrder(shop, order.id)).status).toBe('pending');
    const [waiting] = (await listPayments(shop, { matched: 'wrongPayee' })).items;
    expect(await applyPayment(shop, waiting?.id ?? '', { orderId: order.id })).toMatchObject({ matched: 'paid' });
    expect((await getOrder(shop, order.id)).status).toBe('paid');
  });

  const bought = (paypalOrder: string) =>
    paypalOrderOf(paypalOrder, { items: [{ name: 'Mug', sku: 'MUG', quantity: '1' }] });
  const carrying = (orderId: string) => ({
    metadata: { order_id: orderId, order_items: JSON.stringify([{ sku: 'MUG', quantity: 1 }]) },
  });

  it('does not create orders from payments unless configured', async () => {
    const shop = await newShop(commerce());
    await newProduct(shop, { price: '10', sku: 'MUG' });
    await configureProvider(shop, 'stripe', { webhookSecret });
    const settings = { clientId: newId(), clientSecret: 'secret-of-paypal', webhookId: newId(), apiBase: paypal.url };
    expect(await configureProvider(shop, 'paypal', settings)).toMatchObject({ makeOrders: false });
    const [one, two] = [newId(), newId()];
    const paid = capture(two, '10.00');
    paypal.orders.set(paid.paypalOrder, bought(paid.paypalOrder));
    expect(await send(shop, payment(one, 1000).intentSucceeded(carrying(one)))).toMatchObject({
      outcome: 'order_not_found',
      warning: `no order ${one} in this store`,
    });
    expect(await deliver(shop, paid.completed())).toMatchObject({ outcome: 'order_not_found' });
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
    expect((await listPayments(shop, { matched: 'none' })).items).toMatchObject([
      { provider: 'paypal', orderId: two },
      { provider: 'stripe', orderId: one },
    ]);
    // Configured per provider; a new secret does not change it.
    await configureProvider(shop, 'paypal', { ...settings, makeOrders: true });
    expect(await configureProvider(shop, 'paypal', settings)).toMatchObject({ makeOrders: true });
    const three = newId();
    const asked = capture(three, '10.00');
    paypal.orders.set(asked.paypalOrder, bought(asked.paypalOrder));
    expect(await deliver(shop, asked.completed())).toMatchObject({ outcome: 'paid' });
    expect((await listOrders(shop)).items).toMatchObject([{ id: three, status: 'paid' }]);
  });

  it.each(['draft', 'archived'] as const)('creates no order of a product that is %s', async (status) => {
    const shop = await newShop(commerce());
    await configureProvider(shop, 'stripe', { webhookSecret, makeOrders: true });
    const product = await newProduct(shop, { price: '10', sku: 'MUG', status });
    const id = newId();
    const event = payment(id, 1000).intentSucceeded(carrying(id));
    expect(await send(shop, event)).toMatchObject({ outcome: 'unreadable_items' });
    expect((await listPayments(shop)).items).toMatchObject([{ matched: 'none', orderId: id }]);
    expect(await listOrders(shop)).toEqual({ items: [], total: 0 });
    await updateProduct(shop, product.id, { status: 'published' });
    expect(await send(shop, event)).toEqual({ received: true, outcome: 'paid' });
    expect((await getOrder(shop, id)).status).toBe('paid');
  });
});
