import { type Context, createOrder, type Payment, updateStore } from '@commerce/core';
import { type App, createApp } from '@commerce/server';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { ask, expectRefused, newKey } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';

forEachStorage('payments over HTTP', (database) => {
  const commerce = useCommerce(database);
  let app: App;
  beforeAll(() => {
    app = createApp(commerce());
  });

  async function openShop() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const product = await newProduct(shop, { price: '50', trackStock: true, stock: 3 });
    const key = await newKey(shop);
    const request = (line: string, body?: unknown, by = key) => {
      const [method, path] = line.split(' ');
      return ask(app, `${method} /stores/${shop.store.id}${path}`, {
        key: by,
        ...(body === undefined ? {} : { body }),
      });
    };
    const newOrder = () => createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] });
    return { shop, product, key, request, newOrder };
  }

  const listed = (answer: { json: unknown }) => answer.json as { items: Payment[]; total: number };
  async function lost(shop: Context, amount = 5000): Promise<string> {
    const paid = payment(null, amount);
    await send(shop, paid.chargeSucceeded());
    return paid.id;
  }

  it('are listed newest first, by every filter, with exact totals', async () => {
    const { shop, request, newOrder } = await openShop();
    const order = await newOrder();
    await send(shop, payment(order.id, 5000).chargeSucceeded());
    await lost(shop);
    await send(shop, payment(order.id, 5000).intentFailed());
    const all = listed(await request('GET /payments'));
    expect(all.items.map(({ status, matched }) => [status, matched])).toEqual([
      ['failed', null],
      ['succeeded', 'none'],
      ['succeeded', 'paid'],
    ]);
    for (const [query, total] of [
      ['', 3],
      ['?limit=1', 3],
      ['?matched=paid', 1],
      ['?matched=none', 1],
      ['?matched=second', 0],
      ['?status=failed', 1],
      ['?status=succeeded&matched=paid', 1],
      ['?provider=stripe', 3],
      ['?provider=manual', 0],
      [`?orderId=${order.id}`, 2],
      ['?unmatched=true', 1],
      ['?unmatched=false', 3],
    ] as const) {
      expect([query, listed(await request(`GET /payments${query}`)).total]).toEqual([query, total]);
    }
    const [first] = all.items;
    expect((await request(`GET /payments/${first?.id}`)).json).toEqual({ item: first });
    for (const [query, field] of [
      ['matched=lost', 'matched'],
      ['status=x', 'status'],
      ['provider=cash', 'provider'],
      ['unmatched=1', 'unmatched'],
      ['limit=0', 'limit'],
    ]) {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: [field ?? ''] };
      await expectRefused(commerce(), () => request(`GET /payments?${query}`), refusal);
    }
  });

  it('are applied to another order, once', async () => {
    const { shop, request, newOrder } = await openShop();
    const paymentId = await lost(shop);
    const [first, second] = [await newOrder(), await newOrder()];
    const id = listed(await request('GET /payments')).items[0]?.id;
    const types = await emittedBy(shop, async () => {
      const answer = await request(`POST /payments/${id}/apply`, { orderId: first.id });
      expect(answer).toMatchObject({ status: 200, json: { item: { id, matched: 'paid', orderId: first.id } } });
    });
    expect(types.sort()).toEqual(['order.created', 'order.paid', 'order.updated', 'product.updated']);
    expect((await request(`GET /orders/${first.id}`)).json).toMatchObject({ item: { status: 'paid', paymentId } });
    expect((await request(`POST /payments/${id}/apply`, { orderId: first.id })).status).toBe(200);
    const taken = { status: 409, code: 'CONFLICT', message: /another order/ };
    await expectRefused(commerce(), () => request(`POST /payments/${id}/apply`, { orderId: second.id }), taken);
    for (const [orderId, field] of [
      ['0193d3f0-4bb8-7168-ba4b-50d273910fcc', 'orderId'],
      [undefined, 'orderId'],
    ]) {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: [field ?? ''] };
      await expectRefused(commerce(), () => request(`POST /payments/${id}/apply`, { orderId }), refusal);
    }
  });

  it('are dismissed, told once, and may be applied later', async () => {
    const { shop, request, newOrder } = await openShop();
    await lost(shop);
    const id = listed(await request('GET /payments')).items[0]?.id;
    const types = await emittedBy(shop, async () => {
      for (let i = 0; i < 2; i++) {
        const answer = await request(`POST /payments/${id}/dismiss`, { reason: 'sent back' });
        expect(answer).toMatchObject({
          status: 200,
          json: { item: { matched: 'dismissed', dismissedAt: expect.any(String) } },
        });
      }
    });
    expect(types).toEqual(['payment.dismissed']);
    expect(listed(await request('GET /payments?unmatched=true')).total).toBe(0);
    const order = await newOrder();
    const applied = await request(`POST /payments/${id}/apply`, { orderId: order.id });
    expect(applied.json).toMatchObject({ item: { matched: 'paid', dismissedAt: null } });
    const paid = { status: 409, code: 'CONFLICT', message: /has paid an order/ };
    await expectRefused(commerce(), () => request(`POST /payments/${id}/dismiss`, {}), paid);
  });

  it('are recorded by hand with payment.write alone, where the store allows it', async () => {
    const { shop, request, newOrder } = await openShop();
    const order = await newOrder();
    const body = { method: 'transfer', amount: '50', reference: 'statement 117' };
    const line = `POST /orders/${order.id}/payments`;
    const off = { status: 409, code: 'CONFLICT', message: /manualPayments/ };
    await expectRefused(commerce(), () => request(line, body), off);
    await updateStore(shop, { manualPayments: true });
    const writer = await newKey(shop, 'order.write');
    const lacking = { status: 403, code: 'FORBIDDEN', message: /payment\.write/ };
    await expectRefused(commerce(), () => request(line, body, writer), lacking);
    for (const [wrong, field] of [
      [{ ...body, amount: '49' }, 'amount'],
      [{ ...body, amount: 50 }, 'amount'],
    ] as const) {
      const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: [field] };
      await expectRefused(commerce(), () => request(line, wrong), refusal);
    }
    const answer = await request(line, { ...body, paidAt: '2026-01-01T10:00:00+02:00' });
    expect(answer).toMatchObject({
      status: 201,
      json: {
        item: {
          provider: 'manual',
          matched: 'paid',
          orderId: order.id,
          amount: '50.00',
          reference: 'statement 117',
          paidAt: '2026-01-01T08:00:00.000Z',
        },
      },
    });
    expect((await request(`GET /orders/${order.id}`)).json).toMatchObject({
      item: { status: 'paid', paymentProvider: 'manual', paymentMethod: 'transfer' },
    });
    const again = { status: 409, code: 'CONFLICT', message: /is paid/ };
    await expectRefused(commerce(), () => request(line, body), again);
  });

  it('change the stock of a product by a difference, which a stale PUT cannot undo', async () => {
    const { shop, product, request, newOrder } = await openShop();
    const line = `POST /products/${product.id}/stock`;
    expect((await request(line, { adjustment: 2, reason: 'found two' })).json).toMatchObject({ item: { stock: 5 } });
    const read = (await request(`GET /products/${product.id}`)).json as { item: Record<string, unknown> };
    const order = await newOrder();
    await send(shop, payment(order.id, 5000).chargeSucceeded());
    const stale = { ...read.item, title: 'Cup', updatedAt: '2020-01-01T00:00:00.000Z' };
    const refusal = { status: 409, code: 'CONFLICT', fields: ['stock'], message: /moved it to 4/ };
    await expectRefused(commerce(), () => request(`PUT /products/${product.id}`, stale), refusal);
    const fresh = (await request(`GET /products/${product.id}`)).json as { item: Record<string, unknown> };
    expect((await request(`PUT /products/${product.id}`, { ...fresh.item, stock: 9 })).status).toBe(200);
    expect((await request(line, { adjustment: -9 })).json).toMatchObject({ item: { stock: 0 } });
    const below = { status: 409, code: 'CONFLICT', fields: ['adjustment'] };
    await expectRefused(commerce(), () => request(line, { adjustment: -1 }), below);
    const wrong = { status: 400, code: 'VALIDATION_ERROR', fields: ['adjustment'] };
    await expectRefused(commerce(), () => request(line, { adjustment: 0 }), wrong);
  });
});
