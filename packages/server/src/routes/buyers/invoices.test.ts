import { buffer } from 'node:stream/consumers';
import {
  anonymiseCustomer,
  createApiKey,
  createOrder,
  getOrder,
  issueInvoice,
  recordPayment,
  refundOrder,
  updateSettings,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { readPdf } from '@commerce/test-support/harness/pdf-text';
import { ask, expectRefused, newKey, requestId } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import { orderToken } from '../../../../core/src/orders/link.ts';

const seller = { name: 'Tea & Co Ltd', address: '12 St James Square', email: 'hello@shop.test' };

forEachStorage('routes of invoices', (database) => {
  const clock = fakeClock('2026-11-20T12:00:00Z');
  const commerce = useCommerce(database, { clock });
  let app: App;
  beforeAll(() => {
    app = createApp(commerce(), { storefrontLimits: { reads: 999, writes: 999 } });
  });

  async function open() {
    const shop = await newShop(commerce());
    await updateSettings(shop, { seller, manualPayments: true, orderUrl: 'https://shop.example/order#{token}' });
    const { id: productId } = await newProduct(shop, { title: 'Blue mug', price: '12.50' });
    const customer = { email: 'ada@shop.test', name: 'Ada Lovelace' };
    const order = await createOrder(shop, { items: [{ productId, quantity: 2 }], customer });
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    const key = await newKey(shop, 'order.read', 'order.write');
    const send = (line: string, sending: Parameters<typeof ask>[2] = {}) => {
      const [method, path] = line.split(' ');
      return ask(app, `${method} /stores/${shop.store.id}${path}`, { key, ...sending });
    };
    /** The bytes of a file, which `send` does not read. */
    const bytesOf = async (line: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) => {
      const url = `/stores/${shop.store.id}${line}`;
      const readBody = async () => Buffer.alloc(0);
      const { stream } = await app.handle({ method: 'GET', url, headers, readBody }, requestId);
      return stream ? buffer(stream) : Buffer.alloc(0);
    };
    const tokenOf = async (id: string) => {
      const { storage } = shop.engine;
      return { 'order-token': (await orderToken(storage.reads, shop.store.id, id, clock.now())) ?? '' };
    };
    return { shop, order: await getOrder(shop, order.id), send, bytesOf, tokenOf };
  }

  it('issue one, show it as JSON, PDF and HTML, and list it', async () => {
    const { shop, order, send, bytesOf } = await open();
    const issued = await send(`POST /orders/${order.id}/invoice`);
    expect(issued).toMatchObject({ status: 201, json: { item: { number: 'INV-2026-0001', total: '25.00' } } });
    const { item } = issued.json as { item: { id: string } };
    await expectRefused(commerce(), () => send(`POST /orders/${order.id}/invoice`), { status: 409, code: 'CONFLICT' });
    expect((await send(`GET /invoices/${item.id}`)).json).toEqual({ item });
    expect((await send(`GET /invoices?orderId=${order.id}`)).json).toEqual({ items: [item], total: 1 });
    await refundOrder(shop, order.id, { amount: '1.00' });
    expect((await send('GET /invoices?kind=credit_note&from=2026-11-20&to=2026-11-21')).json).toMatchObject({
      total: 1,
    });
    const pdf = await send(`GET /invoices/${item.id}.pdf`);
    expect(pdf).toMatchObject({
      status: 200,
      headers: {
        'Content-Type': 'application/pdf',
        'Content-Disposition': 'attachment; filename="INV-2026-0001.pdf"',
        'Cache-Control': 'no-store',
      },
    });
    expect(readPdf(await bytesOf(`/invoices/${item.id}.pdf`)).pages[0]).toContain('Blue mug');
    const page = await send(`GET /invoices/${item.id}.html`);
    expect(page).toMatchObject({ status: 200, headers: { 'Content-Type': 'text/html; charset=utf-8' } });
    expect(page.headers['Content-Security-Policy']).toMatch(/^default-src 'none'.* sandbox/);
    expect(page.text).toContain('Blue mug');
    for (const line of [`/invoices/${item.id}.pdf`, `/invoices/${item.id}.html`, '/invoices']) {
      const other = await newKey(shop, 'customer.read', 'payment.read');
      await expectRefused(commerce(), () => send(`GET ${line}`, { key: other }), { status: 403, code: 'FORBIDDEN' });
    }
    for (const wrong of ['x.pdf', `${order.id}.pdf`, '.pdf', `${item.id}.txt`, 'x.html']) {
      await expectRefused(commerce(), () => send(`GET /invoices/${wrong}`), { status: 404, code: 'NOT_FOUND' });
    }
  });

  it('give a buyer the invoices of the order of the link, and no others', async () => {
    const { shop, order, send, bytesOf, tokenOf } = await open();
    const { id } = await issueInvoice(shop, order.id);
    const { key } = await createApiKey(shop, { name: 'page', kind: 'storefront' });
    const headers = await tokenOf(order.id);
    const page = await send('GET /orders/by-token', { key, headers });
    const shown = { id, kind: 'invoice', number: 'INV-2026-0001', date: '2026-11-20', total: '25.00' };
    expect(page.json).toMatchObject({ item: { invoices: [shown] } });
    const path = `GET /orders/by-token/invoices/${id}.pdf`;
    expect((await send(path, { key, headers })).status).toBe(200);
    const bytes = await bytesOf(path.slice(4), { ...headers, authorization: `Bearer ${key}` });
    expect(readPdf(bytes).pages[0]).toContain('INV-2026-0001');
    const another = await createOrder(shop, { items: [{ productId: order.items[0]?.productId ?? '', quantity: 1 }] });
    const notFound = { status: 404, code: 'NOT_FOUND' } as const;
    for (const wrong of [{}, { 'order-token': 'x' }, await tokenOf(another.id)]) {
      await expectRefused(commerce(), () => send(path, { key, headers: wrong as Record<string, string> }), notFound);
    }
    await expectRefused(commerce(), () => send(`GET /invoices/${id}.pdf`, { key }), { status: 403, code: 'FORBIDDEN' });
    await anonymiseCustomer(shop, order.customerId ?? '');
    await expectRefused(commerce(), () => send(path, { key, headers }), notFound);
  });

  it('say what is kept of a person who is anonymised', async () => {
    const { shop, order, send } = await open();
    await issueInvoice(shop, order.id);
    const key = await newKey(shop, 'customer.read', 'customer.delete');
    const answer = await send(`POST /customers/${order.customerId}/anonymise`, { key });
    const { item, kept } = answer.json as { item: Record<string, unknown>; kept: unknown };
    expect(kept).toEqual({ invoices: 1, until: '2037-01-01T00:00:00.000Z' });
    const read = await send(`GET /customers/${order.customerId}`, { key });
    expect(read.json).toEqual({ item });
    expect(answer.headers.ETag).toBe(read.headers.ETag);
  });
});
