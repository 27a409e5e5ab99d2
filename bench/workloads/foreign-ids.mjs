import { mkdirSync } from 'node:fs';
import { Agent, request } from 'node:http';
import {
  createApiKey,
  createCategory,
  createCustomer,
  createOrder,
  createPage,
  createProduct,
  createWebhook,
  listAuditLogs,
  openCommerce,
  openMediaFolder,
  testWebhook,
  uuidV7Source,
} from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';
import { commerce, startServer, stop } from '../harness/children.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile, removeDatabase } from '../harness/seed.mjs';

/** The largest allowed difference between the answer time for another store's id and for an id that never existed. */
const most = 0.05;
/** Requests of each kind in a round; rounds. */
const perRound = 40;
const warmUp = 200;

const bodies = { products: { title: 'x' }, categories: { name: 'x' }, customers: { name: 'x' }, pages: { title: 'x' } };

/**
 * Every route that names something by its id, but for those that create something: method, path, what is below the id, body.
 * @type {[string, string, string, object?][]}
 */
const routes = [
  ...Object.entries(bodies).flatMap(
    ([path, body]) =>
      /** @type {[string, string, string, object?][]} */ ([
        ['GET', path, ''],
        ['PUT', path, '', body],
        ['DELETE', path, ''],
      ]),
  ),
  ['GET', 'orders', ''],
  ['PUT', 'orders', '', { merchantNote: 'x' }],
  ['GET', 'orders', '/refunds'],
  ['POST', 'orders', '/refund', { amount: '1' }],
  ['GET', 'media', ''],
  ['PUT', 'media', '', { altText: 'x' }],
  ['DELETE', 'media', ''],
  ['GET', 'webhooks', ''],
  ['PUT', 'webhooks', '', { isActive: true }],
  ['DELETE', 'webhooks', ''],
  ['POST', 'webhooks', '/test'],
  ['POST', 'webhooks', '/rotate-secret'],
  ['POST', 'webhooks', '/replay', { since: '2026-01-01T00:00:00Z' }],
  ['GET', 'webhooks', '/deliveries'],
  ['GET', 'api-keys', ''],
  ['DELETE', 'api-keys', ''],
  ['GET', 'audit-logs', ''],
];

/**
 * Compares the time to refuse the id of another store's item and an id that never existed, on both storages. A difference would reveal
 * whether the item exists.
 * @param rounds rounds of requests, in which the two alternate
 */
export async function measureForeignIds(rounds) {
  mkdirSync(dataFile('foreign'), { recursive: true });
  const file = dataFile('foreign/shop.db');
  removeDatabase(file);
  const results = [await measureOn('SQLite', file, openSqlite({ file }), rounds)];
  const server = await startPostgres(dataFile('foreign/postgres'));
  try {
    await server.administer('drop database if exists foreign_ids');
    await server.administer('create database foreign_ids');
    const address = server.address('foreign_ids');
    results.push(await measureOn('PostgreSQL', address, openPostgres({ url: address }), rounds));
  } finally {
    await server.stop();
  }
  return results;
}

async function measureOn(engine, address, storage, rounds) {
  const { store, apiKey } = await commerce('init', '--db', address, '--name', 'Mine', '--currency', 'EUR');
  const ids = await makeTheirs(storage);
  const server = await startServer(address, []);
  const client = clientOf(`${server.url}/stores/${store.id}`, apiKey.key);
  const rows = [];
  for (const [method, path, below, body] of routes) {
    rows.push(
      await measureRoute({ title: `${method} /${path}/{id}${below}`, ids: ids[path], rounds }, (id) =>
        client.send(method, `/${path}/${id}${below}`, body),
      ),
    );
  }
  client.close();
  await stop(server.child);
  return { engine, rows };
}

/** Another store with something of every kind: as many ids of each as a round requests. */
async function makeTheirs(storage) {
  const files = openMediaFolder({ directory: dataFile('foreign/media') });
  const instance = await openCommerce({ storage, media: { files, url: 'https://cdn.example.com' } });
  const { id } = await instance.createStore({ name: 'Theirs', currency: 'EUR' });
  const shop = await instance.store(id);
  /** @type {Record<string, string[]>} */
  const made = {
    products: [],
    categories: [],
    customers: [],
    pages: [],
    orders: [],
    webhooks: [],
    'api-keys': [],
    media: [],
  };
  for (let n = 0; n < perRound; n++) {
    const slug = `thing-${n}`;
    const product = await createProduct(shop, { title: 'Mug', slug, price: '10' });
    const webhook = await createWebhook(shop, { url: `https://subscriber.example.com/${n}`, events: ['page.created'] });
    await testWebhook(shop, webhook.id);
    made.products.push(product.id);
    made.webhooks.push(webhook.id);
    made.categories.push((await createCategory(shop, { name: 'Mugs', slug })).id);
    made.customers.push((await createCustomer(shop, { email: `${slug}@example.com`, name: 'Ada' })).id);
    made.pages.push((await createPage(shop, { title: 'About', slug })).id);
    made.orders.push((await createOrder(shop, { items: [{ productId: product.id, quantity: 1 }] })).id);
    made['api-keys'].push((await createApiKey(shop, { name: slug, scopes: ['product.read'] })).id);
    made.media.push(await addMedia(shop));
  }
  made['audit-logs'] = (await listAuditLogs(shop, { limit: perRound })).items.map((entry) => entry.id);
  await instance.close();
  return made;
}

const source = uuidV7Source();

/** An image without a file, because a refused request never reads the file. */
async function addMedia(shop) {
  const id = source.next(Date.now());
  const row = { store_id: shop.store.id, id, mime_type: 'image/png', created_at: Date.now(), json: '{}' };
  await shop.engine.storage.db.transaction().execute((tx) => tx.insertInto('media').values(row).execute());
  return id;
}

/** Sends both kinds alternately, in random order within a pair, so that disturbances of the machine affect both equally. */
async function measureRoute({ title, ids, rounds }, send) {
  const random = () => source.next(Date.now());
  for (let n = 0; n < warmUp; n++) await send(n % 2 === 0 ? random() : ids[n % ids.length]);
  const foreign = [];
  const never = [];
  for (let round = 0; round < rounds; round++) {
    for (let n = 0; n < perRound; n++) {
      const pair = [
        [foreign, ids[n % ids.length]],
        [never, random()],
      ];
      if (Math.random() < 0.5) pair.reverse();
      for (const [times, id] of pair) times.push(await send(id));
    }
  }
  const [theirs, none] = [median(foreign), median(never)];
  return { title, theirs, none, ratio: theirs / none };
}

/** One connection. `send` returns the answer time in microseconds, and throws if the answer is not a refusal of the id. */
function clientOf(url, key) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const headers = {
        Authorization: `Bearer ${key}`,
        ...(text === undefined
          ? {}
          : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
      };
      const start = performance.now();
      const asking = request(url + path, { method, agent, headers }, (response) => {
        response.resume();
        response.on('end', () => {
          if (response.statusCode === 404) resolve((performance.now() - start) * 1000);
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}`));
        });
      });
      asking.on('error', reject);
      asking.end(text);
    });
  return { send, close: () => agent.destroy() };
}

function median(values) {
  const sorted = values.sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The tables of the page, one for each engine: head and rows. */
export function foreignIdTables(results) {
  return results.map(({ engine, rows }) => ({
    head: [engine, "another store's id, µs", 'an id that never was, µs', 'ratio of the medians'],
    rows: rows.map(({ title, theirs, none, ratio }) => [
      `\`${title}\``,
      theirs.toFixed(0),
      none.toFixed(0),
      `${ratio.toFixed(3)} ${Math.abs(ratio - 1) <= most ? '✓' : '✗'}`,
    ]),
  }));
}
