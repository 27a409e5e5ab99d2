import { randomUUID } from 'node:crypto';
import { type Context, createOrder, type Order } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey, type Sending } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';

forEachStorage('orders over HTTP', (database) => {
  const commerce = useCommerce(database);
  let closed: App;
  let opened: App;
  let shop: Context;
  let key: string;
  beforeAll(async () => {
    closed = createApp(commerce());
    opened = createApp(commerce(), { ordersApi: true });
    shop = await newShop(commerce());
    key = await newKey(shop);
  });
  const send = (app: App, line: string, sending: Sending = {}) => {
    const [method, path] = line.split(' ');
    return ask(app, `${method} /stores/${shop.store.id}${path}`, { key, ...sending });
  };

  describe('closed, as it is unless switched on', () => {
    it('makes no order and names the ways that do', async () => {
      const { id } = await newProduct(shop);
      const body = { items: [{ productId: id, quantity: 1 }] };
      const refusal = {
        status: 405,
        code: 'METHOD_NOT_ALLOWED',
        headers: { Allow: 'GET, HEAD, OPTIONS' },
        message: /commerce orders create.*createOrder\(\).*notification.*--orders-api/,
      };
      for (const prefix of ['', '/api']) {
        const line = `POST ${prefix}/stores/${shop.store.id}/orders`;
        await expectRefused(commerce(), () => ask(closed, line, { key, body }), refusal);
      }
    });

    it('asks for a key of the store first', async () => {
      expect((await ask(closed, `POST /stores/${shop.store.id}/orders`)).status).toBe(401);
      expect((await ask(closed, `POST /stores/${randomUUID()}/orders`, { key })).status).toBe(403);
    });
  });

  describe('opened', () => {
    it('makes a pending order, which emits nothing, from what the catalogue says', async () => {
      const { id } = await newProduct(shop, { price: '7.50', trackStock: true, stock: 2 });
      const emitted = await emittedBy(shop, async () => {
        const body = { items: [{ productId: id, quantity: 2, unitPrice: '0.01' }], total: '0.02', status: 'paid' };
        const answer = await send(opened, 'POST /orders', { body });
        expect(answer).toMatchObject({
          status: 201,
          json: {
            item: { status: 'pending', paymentStatus: 'pending', total: '15.00', currency: 'EUR', paidAt: null },
          },
        });
        const order = (answer.json as { item: Order }).item;
        expect(await send(opened, `GET /orders/${order.id}`)).toMatchObject({ status: 200, text: answer.text });
      });
      expect(emitted).toEqual([]);
    });

    it('needs order.write, not order.read', async () => {
      const { id } = await newProduct(shop);
      const reader = await newKey(shop, 'order.read');
      const body = { items: [{ productId: id, quantity: 1 }] };
      const refusal = { status: 403, code: 'FORBIDDEN', message: /order\.write/ };
      await expectRefused(commerce(), () => send(opened, 'POST /orders', { key: reader, body }), refusal);
      const writer = await newKey(shop, 'order.write');
      expect((await send(opened, 'POST /orders', { key: writer, body })).status).toBe(201);
    });

    it('refuses what cannot be ordered', async () => {
      const { id } = await newProduct(shop, { trackStock: true, stock: 1 });
      const elsewhere = await newProduct(await newShop(commerce()));
      const item = { productId: id, quantity: 1 };
      const rows: [Record<string, unknown>, number, string, string[]][] = [
        [{ items: [{ ...item, quantity: 0 }] }, 400, 'VALIDATION_ERROR', ['items.0.quantity']],
        [{ items: [{ ...item, productId: elsewhere.id }] }, 400, 'VALIDATION_ERROR', ['items.0.productId']],
        [{ items: [{ ...item, quantity: 2 }] }, 409, 'INSUFFICIENT_STOCK', ['items']],
      ];
      for (const [body, status, code, fields] of rows) {
        await expectRefused(commerce(), () => send(opened, 'POST /orders', { body }), { status, code, fields });
      }
    });

    it('refuses an id that is in use', async () => {
      const { id: productId } = await newProduct(shop);
      const { id } = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
      const body = { id, items: [{ productId, quantity: 1 }] };
      const refusal = { status: 409, code: 'CONFLICT', fields: ['id'] };
      await expectRefused(commerce(), () => send(opened, 'POST /orders', { body }), refusal);
    });
  });

  it('lists orders with their total, and refuses a window or a filter out of range', async () => {
    const { id: productId } = await newProduct(shop);
    const { id } = await createOrder(shop, { items: [{ productId, quantity: 1 }] });
    const answer = await send(closed, 'GET /orders?limit=1&status=pending');
    expect(answer).toMatchObject({ status: 200, json: { items: [{ id, status: 'pending' }] } });
    for (const field of ['limit', 'offset', 'status', 'paymentStatus']) {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: [field] };
      await expectRefused(commerce(), () => send(closed, `GET /orders?${field}=-1`), refusal);
    }
  });

  it('answers every id that is not an order of the store alike', async () => {
    const other = await newShop(commerce());
    const { id: productId } = await newProduct(other);
    const elsewhere = await createOrder(other, { items: [{ productId, quantity: 1 }] });
    const texts = new Set<string>();
    for (const id of [randomUUID(), elsewhere.id, 'ORD-1001', 'x']) {
      const send404 = () => send(closed, `GET /orders/${id}`);
      texts.add(
        (await expectRefused(commerce(), send404, { status: 404, code: 'NOT_FOUND' })).text.replace(id, '<id>'),
      );
    }
    expect([...texts]).toHaveLength(1);
  });
});
