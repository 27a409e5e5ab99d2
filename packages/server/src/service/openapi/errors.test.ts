import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Context,
  createApiKey,
  createDiscount,
  createProduct,
  type ErrorKind,
  errorCodes,
  updateSettings,
  updateStore,
} from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { createApp, createServer, statusOf } from '@commerce/server';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { ask, newKey, requestId, type Sending } from '@commerce/test-support/harness/requests';
import { openStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';

const head = `// Printed by errors.test.ts (\`npx vitest run packages/server/src/service/openapi --update\`): each error as the service answered it.
// biome-ignore-all format: it is as the test prints it
`;

describe('the examples of errors in the document', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-errors-'));
  const address = join(folder, 'commerce.db');
  const commerce = useCommerce({ address, open: () => openStorage(address) }, { clock: fakeClock() });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are what the service answers', async () => {
    const shop = await newShop(commerce());
    const mug = { title: 'Blue mug', slug: 'blue-mug', sku: 'MUG', price: '12.50', trackStock: true, stock: 1 };
    const { id } = await createProduct(shop, { ...mug, status: 'published' });
    const key = await newKey(shop);
    const app = createApp(commerce(), { ordersApi: true, onError: () => {} });
    const closed = createApp(commerce());
    const stopping = createApp(commerce());
    stopping.refuse();
    const path = `/stores/${shop.store.id}`;
    const asked = async (line: string, sending: Sending = {}, by = app) => {
      const [method, rest] = line.split(' ');
      return (await ask(by, `${method} ${path}${rest}`, { key, ...sending })).json;
    };
    const order = { items: [{ sku: 'MUG', quantity: 2 }] };
    const [successUrl, cancelUrl] = ['https://shop.example/thanks', 'https://shop.example/cart'];
    await updateSettings(shop, { returnUrls: ['https://shop.example'] });
    await createDiscount(shop, { code: 'FIRST', type: 'percent', value: '100', usageLimit: 1 });
    const checkout = {
      ...{ items: [{ sku: 'MUG', quantity: 1 }], customer: { email: 'ada@shop.test' } },
      ...{ discountCode: 'first', successUrl, cancelUrl },
    };
    const examples: Partial<Record<ErrorKind, unknown>> = {
      validation: await asked('GET /products?limit=500'),
      unauthorized: await asked('GET /products', { key: `ck_live_${'x'.repeat(43)}` }),
      forbidden: await asked('POST /products', { key: await newKey(shop, 'product.read') }),
      notFound: await asked('GET /products/0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52'),
      methodNotAllowed: await asked('POST /orders', { body: order }, closed),
      conflict: await asked('POST /products', { body: mug }),
      insufficientStock: await asked('POST /orders', { body: order }),
      discountUsedUp:
        (await asked('POST /checkouts', { body: checkout })) && (await asked('POST /checkouts', { body: checkout })),
      tooManyOpenCheckouts: await tooManyUnpaid(shop, (body, pageKey) =>
        asked('POST /checkouts', { body, key: pageKey }),
      ),
      tooLarge: await tooLong(`${path}/products`, key),
      unsupportedMediaType: await asked('POST /products', { body: 'title=Mug', type: 'text/plain' }),
      unavailable: await asked('GET /products', {}, stopping),
    };
    await updateStore(shop, { plan: 'free' });
    const limited = app;
    for (let i = 0; i < 11; i++)
      examples.rateLimited = await asked('GET /products?limit=1', { key: await newKey(shop) }, limited);
    await updateStore(shop, { plan: 'enterprise' });
    await commerce()
      .engine.storage.db.transaction()
      .execute((tx) => sql`alter table products rename column json to gone`.execute(tx));
    examples.internal = await asked('POST /products', {
      key: await newKey(shop),
      body: { ...mug, slug: 'a', sku: 'A' },
    });

    for (const kind of Object.keys(errorCodes) as ErrorKind[]) {
      expect(examples[kind], kind).toMatchObject({ error: { code: errorCodes[kind] } });
    }
    const sorted = Object.fromEntries((Object.keys(statusOf) as ErrorKind[]).map((kind) => [kind, examples[kind]]));
    // Ids of this run are replaced by fixed ids.
    const json = JSON.stringify(sorted, undefined, 2)
      .replaceAll(id, '0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e53')
      .replaceAll(requestId, '7f8d1c52-0b1e-4f6e-9a57-3c1d2e4f5a6b');
    const printed = `${head}\nexport const errorExamples = ${json};\n`;
    await expect(printed).toMatchFileSnapshot('error-examples.ts');
  });

  /** A second unpaid order of a storefront key, in a shop that takes one. */
  async function tooManyUnpaid(shop: Context, buy: (body: object, key: string) => Promise<unknown>): Promise<unknown> {
    await updateSettings(shop, { paymentMethods: [{ name: 'Transfer', kind: 'transfer' }], maxOpenOffline: 1 });
    const { id: productId } = await createProduct(shop, { title: 'Cup', slug: 'cup', price: '1', status: 'published' });
    const { key } = await createApiKey(shop, { kind: 'storefront', name: 'page' });
    const [successUrl, cancelUrl] = ['https://shop.example/thanks', 'https://shop.example/cart'];
    const body = { items: [{ productId, quantity: 1 }], customer: { email: 'ada@shop.test' }, successUrl, cancelUrl };
    await buy(body, key);
    return buy(body, key);
  }

  /** Only a socket can have a body that is too long. */
  async function tooLong(path: string, key: string): Promise<unknown> {
    const server = createServer(commerce());
    const { url } = await server.listen({ port: 0 });
    try {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const body = JSON.stringify({ title: 'x'.repeat(1024 * 1024) });
      return await (await fetch(`${url}${path}`, { method: 'POST', headers, body })).json();
    } finally {
      await server.stop();
    }
  }
});
