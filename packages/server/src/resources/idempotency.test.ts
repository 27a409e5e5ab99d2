import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, createOrder, getProduct, openMediaFolder } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { form as formOf, boundary as usual } from '@commerce/test-support/fixtures/media-forms';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { emittedBy, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, expectRefused, newKey, type Sending, type TestResponse } from '@commerce/test-support/harness/requests';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';

forEachStorage('Idempotency-Key', (database) => {
  const clock = fakeClock();
  const media = {
    files: openMediaFolder({ directory: mkdtempSync(join(tmpdir(), 'commerce-media-')) }),
    url: 'https://cdn.example.com',
  };
  const commerce = useCommerce(database, { clock, media });
  let app: App;
  let shop: Context;
  let key: string;
  let made = 0;
  beforeAll(async () => {
    app = createApp(commerce(), { ordersApi: true });
    shop = await newShop(commerce());
    key = await newKey(shop);
  });

  const post = (path: string, once: string, sending: Sending = {}) => {
    const headers = { 'idempotency-key': once, ...sending.headers };
    return ask(app, `POST /stores/${shop.store.id}${path}`, { key, ...sending, headers });
  };
  const mug = () => ({ title: 'Mug', slug: `mug-${++made}`, price: '5' });
  const rest = ({ status, text, headers: { ETag, ...others } }: TestResponse) => ({ status, text, ETag, others });
  const replayed = { 'Idempotent-Replayed': 'true' };

  it('gives the first answer again, and the thing is made once', async () => {
    const body = mug();
    const first = await post('/products', 'a', { body });
    expect(first).toMatchObject({ status: 201, headers: { ETag: expect.any(String) } });
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed');
    for (let i = 0; i < 3; i++) {
      let again: TestResponse | undefined;
      const events = await emittedBy(shop, async () => {
        again = await post('/products', 'a', { body });
      });
      expect(events).toEqual([]);
      expect(rest(again as TestResponse)).toEqual({ ...rest(first), others: replayed });
    }
    // Also under its other path, which is the same route.
    const headers = { 'idempotency-key': 'a' };
    const other = await ask(app, `POST /api/stores/${shop.store.id}/products`, { key, body, headers });
    expect(rest(other)).toEqual({ ...rest(first), others: replayed });
  });

  it('gives a refusal again, even where it would be no longer one', async () => {
    const body = mug();
    const taken = await newProduct(shop, { slug: body.slug });
    const first = await post('/products', 'refused', { body });
    expect(first.status).toBe(409);
    await ask(app, `DELETE /stores/${shop.store.id}/products/${taken.id}`, { key });
    expect(rest(await post('/products', 'refused', { body }))).toEqual({ ...rest(first), others: replayed });
    expect((await post('/products', 'not refused', { body })).status).toBe(201);
    const invalid = await post('/products', 'invalid', { body: {} });
    expect(invalid.status).toBe(400);
    expect(rest(await post('/products', 'invalid', { body: {} }))).toEqual({ ...rest(invalid), others: replayed });
  });

  it('refuses the key for another body, another order and another form, and changes nothing', async () => {
    const body = mug();
    await post('/products', 'b', { body });
    const conflict = { status: 409, code: 'CONFLICT', message: /Idempotency-Key: "b" was used for another request/ };
    await expectRefused(commerce(), () => post('/products', 'b', { body: { ...body, price: '6' } }), conflict);
    await expectRefused(commerce(), () => post('/products', 'b', { body: `${JSON.stringify(body)} ` }), conflict);
    const order = async () => {
      const { id } = await newProduct(shop);
      return createOrder(shop, { items: [{ productId: id, quantity: 1 }] });
    };
    const [one, two] = [await order(), await order()];
    const refund = { amount: '1' };
    expect((await post(`/orders/${one.id}/refund`, 'b', { body: refund })).status).toBe(409);
    await expectRefused(commerce(), () => post(`/orders/${two.id}/refund`, 'b', { body: refund }), conflict);
  });

  it('is one of its API key and its route', async () => {
    const body = mug();
    const first = await post('/products', 'c', { body });
    const other = await newKey(shop);
    expect(await post('/products', 'c', { key: other, body })).toMatchObject({
      status: 409,
      text: expect.stringContaining('slug'),
    });
    const page = await post('/pages', 'c', { body: { title: 'P', slug: body.slug } });
    expect(page.status).toBe(201);
    expect(rest(await post('/products', 'c', { body }))).toEqual({ ...rest(first), others: replayed });
  });

  it('is forgotten after 24 hours', async () => {
    const body = mug();
    await post('/products', 'd', { body });
    clock.advance(24 * 60 * 60 * 1000 - 1);
    expect(await post('/products', 'd', { body })).toMatchObject({ status: 201, headers: replayed });
    clock.advance(1);
    expect(await post('/products', 'd', { body })).toMatchObject({ status: 409 });
  });

  it.each([
    ['empty', ''],
    ['of blanks', '   '],
    ['too long', 'x'.repeat(256)],
    ['with a character beyond ASCII', 'ключ'],
    ['with a control character', 'a\tb'],
  ])('is refused when it is %s', async (_, once) => {
    const refusal = { status: 400, code: 'VALIDATION_ERROR', fields: ['Idempotency-Key'] };
    await expectRefused(commerce(), () => post('/products', once, { body: mug() }), refusal);
  });

  it('of 1 and of 255 characters is taken', async () => {
    for (const once of ['!', '~'.repeat(255), 'with a blank']) {
      expect((await post('/products', once, { body: mug() })).status).toBe(201);
    }
  });

  it('never keeps a secret: the replay leaves it out', async () => {
    const wanted = { name: 'n', scopes: ['product.read'] };
    const first = await post('/api-keys', 'e', { body: wanted });
    const { key: secret, ...record } = (first.json as { item: { key: string } }).item;
    expect(secret).toMatch(/^ck_live_/);
    expect(await post('/api-keys', 'e', { body: wanted })).toMatchObject({ status: 201, json: { item: record } });
    const hook = { url: 'https://once.example.com/', events: ['order.*'], secret: 'a secret of mine' };
    await post('/webhooks', 'e', { body: hook });
    const again = await post('/webhooks', 'e', { body: hook });
    expect(again).toMatchObject({ status: 201, headers: replayed });
    expect(again.text).not.toContain(hook.secret);
    const kept = await commerce().engine.storage.db.selectFrom('idempotent_requests').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(JSON.stringify(kept)).not.toContain(hook.secret);
  });

  it('of a replay keeps what the replay came to', async () => {
    await newProduct(shop);
    const hook = { url: 'https://replayed.example.com/', events: ['product.created'] };
    const { json } = await ask(app, `POST /stores/${shop.store.id}/webhooks`, { key, body: hook });
    const path = `/webhooks/${(json as { item: { id: string } }).item.id}/replay`;
    const body = { since: new Date(clock.now() - 1000).toISOString() };
    const first = await post(path, 'replayed', { body });
    expect(first).toMatchObject({ status: 202, json: { item: { queued: expect.any(Number) } } });
    expect((first.json as { item: { queued: number } }).item.queued).toBeGreaterThan(0);
    expect(rest(await post(path, 'replayed', { body }))).toEqual({ ...rest(first), others: replayed });
  });

  it('makes one order and one refund', async () => {
    const { id: productId } = await newProduct(shop, { trackStock: true, stock: 5 });
    const body = { items: [{ productId, quantity: 1 }] };
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('/orders', 'f', { body })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(await getProduct(shop, productId)).toMatchObject({ stock: 5 });
  });

  it('knows files by what they are, however the form is written', async () => {
    const content = await picture('png');
    const form = (boundary: string, bytes: Buffer) => ({
      type: `multipart/form-data; boundary=${boundary}`,
      body: Buffer.from(formOf({ content: bytes }).toString('latin1').replaceAll(usual, boundary), 'latin1'),
    });
    const send = ({ body, type }: { body: Buffer; type: string }) => post('/media', 'g', { body, type });
    const first = await send(form('one', content));
    expect(first.status).toBe(201);
    const events = await emittedBy(shop, async () => {
      expect(rest(await send(form('two', content)))).toEqual({ ...rest(first), others: replayed });
    });
    expect(events).toEqual([]);
    const other = form('one', await picture('png', { width: 5 }));
    await expectRefused(commerce(), () => send(other), { status: 409, code: 'CONFLICT' });
  });

  it('lets 20 at once, each with a copy of it, make one thing', async () => {
    const body = mug();
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/products', 'h', { body })));
    expect(new Set(answers.map(({ text, status }) => `${status} ${text}`)).size).toBe(1);
    expect(answers.filter(({ headers }) => !('Idempotent-Replayed' in headers))).toHaveLength(1);
  });

  it('is not looked at where nothing is made', async () => {
    const { id } = await newProduct(shop);
    const headers = { 'idempotency-key': '' };
    const path = `/stores/${shop.store.id}/products/${id}`;
    expect((await ask(app, `PUT ${path}`, { key, headers, body: {} })).status).toBe(200);
    expect((await ask(app, `GET ${path}`, { key, headers })).status).toBe(200);
  });
});
