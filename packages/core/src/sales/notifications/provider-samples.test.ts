import { createVerify } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { configurePayPal, deliver } from '@commerce/test-support/fixtures/paypal';
import { type PayPalStub, startPayPal } from '@commerce/test-support/fixtures/paypal-stub';
import { haveSamplesOf, sampleOf, samplesOf } from '@commerce/test-support/fixtures/provider-samples';
import { eventTypesOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureSquare, sendSquare } from '@commerce/test-support/fixtures/square';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOrder, getOrder, listNotifications, listRefunds } from '../../index.ts';

const have = haveSamplesOf('paypal') && haveSamplesOf('square');
const missing = have ? '' : ' (skipped: the collection of sample bodies is not beside the repository)';

describe.skipIf(!have)(`sample bodies of PayPal and Square${missing}`, () => {
  forEachStorage('bodies as PayPal and Square send them', (database) => {
    const commerce = useCommerce(database);
    let paypal: PayPalStub;
    beforeAll(async () => {
      paypal = await startPayPal();
    });
    afterAll(() => paypal.close());

    async function orderOf(price: string) {
      const shop = await newShop(commerce());
      await configurePayPal(shop, paypal.url);
      await configureSquare(shop);
      const product = await newProduct(shop, { price });
      const order = await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
      const tell = async (provider: 'paypal' | 'square', name: string) => {
        // Replaces only the placeholder, by the order's id.
        const body = sampleOf(provider, `${name}.json`).replaceAll(/"ORD-\d+"/g, JSON.stringify(order.id));
        const { outcome } = await (provider === 'paypal' ? deliver(shop, body) : sendSquare(shop, body));
        const { status, paymentStatus, refundedAmount } = await getOrder(shop, order.id);
        return [name, outcome, status, paymentStatus, refundedAmount];
      };
      return { shop, order, tell };
    }

    it('of PayPal pay an order and refund it in two parts', async () => {
      const { shop, order, tell } = await orderOf('43.59');
      const api = sampleOf('paypal', 'api.GET-v2-checkout-orders.json');
      paypal.orders.set(JSON.parse(api).id, JSON.parse(api));
      for (const row of [
        ['PAYMENT.CAPTURE.COMPLETED', 'paid', 'paid', 'succeeded', '0.00'],
        ['PAYMENT.CAPTURE.COMPLETED', 'unchanged', 'paid', 'succeeded', '0.00'],
        ['PAYMENT.CAPTURE.REFUNDED.partial', 'recorded', 'paid', 'partially_refunded', '10.00'],
        ['PAYMENT.CAPTURE.REFUNDED', 'recorded', 'refunded', 'refunded', '43.59'],
      ] as const) {
        expect(await tell('paypal', row[0])).toEqual(row);
      }
      expect(await getOrder(shop, order.id)).toMatchObject({
        paymentId: '22A4162004478570J',
        paymentDetails: { payerEmail: 'buyer@example.com', payerStatus: 'VERIFIED' },
      });
      expect((await listRefunds(shop, order.id)).items.map(({ amount }) => amount).sort()).toEqual(['10.00', '33.59']);
    });

    it('of Square authorise, pay, add the fee and refund a part', async () => {
      const { shop, order, tell } = await orderOf('20');
      for (const row of [
        ['payment.created', 'recorded', 'pending', 'processing', '0.00'],
        ['payment.updated.completed', 'paid', 'paid', 'succeeded', '0.00'],
        ['payment.updated.completed.fee-added', 'unchanged', 'paid', 'succeeded', '0.00'],
        ['refund.created', 'recorded', 'paid', 'succeeded', '0.00'],
        ['refund.updated', 'recorded', 'paid', 'partially_refunded', '10.00'],
        ['payment.updated.after-refund', 'unchanged', 'paid', 'partially_refunded', '10.00'],
        ['refund.updated.failed', 'recorded', 'paid', 'succeeded', '0.00'],
      ] as const) {
        expect(await tell('square', row[0])).toEqual(row);
      }
      expect(await getOrder(shop, order.id)).toMatchObject({
        paymentMethod: 'card',
        paymentDetails: { last4: '9029' },
      });
      expect((await eventTypesOf(shop)).filter((type) => type === 'order.paid')).toHaveLength(1);
    });

    it.each(['payment.created.failed', 'payment.updated.failed'])('of Square fail: %s', async (name) => {
      const { tell } = await orderOf('20');
      expect(await tell('square', name)).toEqual([name, 'recorded', 'pending', 'failed', '0.00']);
    });

    it('of Square are cancelled', async () => {
      const { tell } = await orderOf('20');
      expect((await tell('square', 'payment.updated.canceled')).slice(2)).toEqual(['pending', 'cancelled', '0.00']);
    });

    const all = (['paypal', 'square'] as const).flatMap((provider) =>
      samplesOf(provider).map((name) => [provider, name] as const),
    );
    it.each(all)('are all accepted, also by a shop without such an order: %s %s', async (provider, name) => {
      const { shop, order } = await orderOf('1');
      const body = sampleOf(provider, name);
      const answer = await (provider === 'paypal' ? deliver(shop, body) : sendSquare(shop, body));
      expect(['ignored', 'order_not_found']).toContain(answer.outcome);
      expect(await getOrder(shop, order.id)).toEqual(order);
      expect((await listNotifications(shop)).total).toBe(1);
    });

    it('of PayPal are sent to PayPal unchanged: the signature of a real one holds over the call', async () => {
      const shop = await newShop(commerce());
      await configurePayPal(shop, paypal.url);
      const vector = JSON.parse(sampleOf('paypal', 'real/signed-vector.json'));
      await deliver(shop, vector.body_raw, vector.headers);
      const question = paypal.askedOf('verify').at(-1)?.body ?? '';
      const event = question.slice(question.indexOf('"webhook_event":') + '"webhook_event":'.length, -1);
      const { transmission_id, transmission_time, transmission_sig } = JSON.parse(question);
      const holds = (text: string) =>
        createVerify('RSA-SHA256')
          .update(`${transmission_id}|${transmission_time}|${vector.webhook_id}|${crc32(text)}`)
          .verify(vector.cert_pem, transmission_sig, 'base64');
      expect(holds(event)).toBe(true);
      expect(holds(JSON.stringify(JSON.parse(event), null, 2))).toBe(false);
    });
  });
});
