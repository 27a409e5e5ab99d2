// Tests of the application, on a store of their own: `node --test`.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { after, before, it } from 'node:test';
import { createCheckout, createProduct, listAuditLogs, type Product } from '@commerce/core';
import { openTestCommerce, type TestCommerce } from '@commerce/core/testing';
import { createApp } from './app.ts';
import { SignIn } from './sign-in.ts';

let test: TestCommerce;
let mug: Product;
let origin: string;
let end: () => void;

before(async () => {
  test = await openTestCommerce();
  const { commerce, shop } = test;
  mug = await createProduct(shop, { title: '<Blue> mug', slug: 'mug', price: '12.50', status: 'published' });
  const server = createApp(commerce, shop.store.id, new SignIn('ada@shop.test', 'nine cups and a kettle')).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  end = () => server.close();
});
after(async () => {
  end();
  await test.close();
});

const form = (fields: Record<string, string>, cookie = '') => ({
  method: 'POST',
  body: new URLSearchParams(fields),
  headers: { cookie },
  redirect: 'manual' as const,
});

async function signIn(password = 'nine cups and a kettle'): Promise<Response> {
  return fetch(`${origin}/sign-in`, form({ email: 'ada@shop.test', password }));
}
const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';

it('lets nobody in without the password', async () => {
  assert.equal((await signIn('a wrong password')).status, 401);
  assert.equal((await fetch(`${origin}/admin`, { redirect: 'manual' })).status, 303);
  assert.equal((await fetch(`${origin}/shop/stores/${test.shop.store.id}/products`)).status, 401);
});

it('shows the orders, and changes a price in the name of the user', async () => {
  const checkout = await createCheckout(test.shop, {
    items: [{ productId: mug.id, quantity: 2 }],
    customer: { email: 'eve@shop.test' },
    successUrl: 'https://shop.test/thanks',
    cancelUrl: 'https://shop.test/cart',
  });
  await test.pay(checkout);
  const cookie = cookieOf(await signIn());
  const admin = await (await fetch(`${origin}/admin`, { headers: { cookie } })).text();
  assert.match(admin, /ORD-1001<\/td><td>paid<\/td><td>25\.00 EUR/);
  assert.match(admin, /&lt;Blue&gt; mug/);

  const wrong = await fetch(`${origin}/admin/products/${mug.id}/price`, form({ price: 'cheap' }, cookie));
  assert.equal(wrong.status, 400);
  assert.match(await wrong.text(), /price must be/);
  assert.equal((await fetch(`${origin}/admin/products/${mug.id}/price`, form({ price: '13' }, cookie))).status, 303);
  const { items } = await listAuditLogs(test.shop, { resourceId: mug.id, action: 'product.updated' });
  assert.deepEqual(
    items.map(({ actorId }) => actorId),
    ['ada@shop.test'],
  );
});

it('answers the interface of the store to whoever has signed in', async () => {
  const cookie = cookieOf(await signIn());
  const answer = await fetch(`${origin}/shop/stores/${test.shop.store.id}/products/${mug.id}`, { headers: { cookie } });
  const { item } = (await answer.json()) as { item: Product };
  assert.equal(item.price, '13.00');
});
