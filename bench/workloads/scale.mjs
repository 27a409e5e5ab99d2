import { randomInt } from 'node:crypto';
import { Agent, request } from 'node:http';
import {
  catalogueProduct,
  commonPair,
  commonWord,
  rarePair,
  rareWord,
  variantsPerGroup,
} from '../harness/catalogue.mjs';
import { residentMemory, startServer, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile } from '../harness/seed.mjs';
import { postgresStore, sqliteStore } from './scale-stores.mjs';

/** The factor by which a p50 can grow from the smallest store to the largest. */
const most = 1.5;
const maxFar = 10;
/** The minimum share of the rate of creates that must remain. */
const minCreates = 0.8;
const maxMemory = 200;
/** The largest size measured on PostgreSQL. */
export const largestPostgres = 100_000;

const createCount = 1000;
/** Reads of one work at one size in a turn, and the number of turns; each turn covers all sizes. */
const readsPerTurn = 40;
const turns = 8;
/** After each change, a request waits for a new total; a few of them are enough. */
const countsPerTurn = 2;

/**
 * Measures one store of each size over HTTP, over one connection, one request after the other. The sizes alternate, so that disturbances of
 * the machine affect all of them.
 */
export async function measureScale(sizes) {
  const results = [await measureEngine('SQLite', sizes, sqliteStore)];
  const server = await startPostgres(dataFile('scale/postgres'));
  try {
    const some = sizes.filter((count) => count <= largestPostgres);
    results.push(await measureEngine('PostgreSQL', some, (count) => postgresStore(server, count)));
  } finally {
    await server.stop();
  }
  return results;
}

async function measureEngine(engine, sizes, open) {
  const stores = [];
  for (const count of sizes) stores.push(await open(count));
  const served = [];
  for (const store of stores) served.push(await serve(store));
  const works = [];
  for (const work of worksOfScale) {
    works.push(await measureWork(engine, work, served));
  }
  const creates = await measureCreates(engine, served);
  const memory = [];
  for (const { server } of served) memory.push(await residentMemory(server.child));
  for (const { server, client, store } of served) {
    client.close();
    await stop(server.child);
    await store.remove();
  }
  return { engine, sizes, works, creates, memory };
}

export async function serve(store) {
  const server = await startServer(store.address);
  const headers = { Authorization: `Bearer ${store.key}` };
  const client = clientOf(`${server.url}/stores/${store.storeId}`, headers);
  let made = store.count;
  const nextProduct = () => catalogueProduct(made++, store.count, store.categoryIds);
  return { store, server, client, nextProduct };
}

/**
 * The works, each as its requests to a store. `before` runs before each request and is not measured; without it, that is a change of a stock,
 * which ends all kept answers and no kept total. `free` means that no aim is set.
 */
const worksOfScale = [
  { title: 'product by id', ask: ({ client, store }) => client.get(`/products/${oneOf(store.ids)}`) },
  { title: 'first page with `total`', ask: ({ client }) => client.get('/products?limit=50') },
  { title: 'first page of a status', ask: ({ client }) => client.get('/products?limit=50&status=published') },
  {
    title: 'deep page, offset at the half',
    most: maxFar,
    ask: ({ client, store }) => client.get(`/products?limit=50&offset=${store.count / 2}`),
  },
  {
    title: 'deep page of a status',
    most: maxFar,
    // Six products in ten are published.
    ask: ({ client, store }) => client.get(`/products?limit=50&status=published&offset=${store.count * 0.3}`),
  },
  {
    title: 'category and status',
    ask: ({ client, store }) => client.get(`/products?limit=50&status=published&categoryId=${store.categoryIds[3]}`),
  },
  { title: 'by-attributes, two keys', ask: ({ client }) => client.get(byAttributes(commonPair)) },
  {
    title: 'by-attributes, two common keys that 10 products have together',
    ask: ({ client }) => client.get(byAttributes(rarePair)),
  },
  { title: 'attributes', ask: ({ client }) => client.get('/products/attributes') },
  {
    title: 'by-variant-group',
    ask: ({ client, store }) =>
      client.get(`/products/by-variant-group?variantGroupId=group-${randomInt(store.count / variantsPerGroup)}`),
  },
  { title: 'search, rare word', ask: ({ client }) => client.get(`/products?limit=50&search=${rareWord}`) },
  {
    title: 'search, common word',
    most: maxFar,
    ask: ({ client }) => client.get(`/products?limit=50&search=${commonWord}`),
  },
  {
    title: 'search, rare word and status',
    ask: ({ client }) => client.get(`/products?limit=50&status=published&search=${rareWord}`),
  },
  {
    title: 'search, common word and status',
    most: maxFar,
    ask: ({ client }) => client.get(`/products?limit=50&status=published&search=${commonWord}`),
  },
  { title: 'create', before: nothing, ask: create },
  {
    title: 'update of stock',
    before: nothing,
    ask: changeStock,
  },
  {
    title: 'the first search for the common word after a change',
    free: true,
    before: create,
    ask: ({ client }) => client.get(`/products?limit=50&search=${commonWord}`),
  },
  {
    title: 'the same of a status',
    free: true,
    before: create,
    ask: ({ client }) => client.get(`/products?limit=50&status=published&search=${commonWord}`),
  },
  {
    title: 'the first by-attributes of two keys after a change',
    free: true,
    before: create,
    ask: ({ client }) => client.get(byAttributes(commonPair)),
  },
  {
    title: 'the first category and status after a change',
    free: true,
    before: create,
    ask: ({ client, store }) => client.get(`/products?limit=50&status=published&categoryId=${store.categoryIds[3]}`),
  },
  {
    title: 'the first search for two letters after a change',
    free: true,
    before: create,
    ask: ({ client }) => client.get('/products?limit=50&search=ze'),
  },
];

// A page that is full even in the smallest store.
const byAttributes = (pair) => `/products/by-attributes?limit=25&${new URLSearchParams(pair)}`;

const oneOf = (list) => list[randomInt(list.length)];

function nothing() {}

function changeStock({ client, store }) {
  return client.send('PUT', `/products/${oneOf(store.ids)}`, { stock: randomInt(1, 1_000_000) });
}

function create({ client, nextProduct }) {
  return client.send('POST', '/products', nextProduct());
}

export async function measureWork(engine, work, served) {
  const times = served.map(() => []);
  for (const one of served) await run(work, one, work.free ? 1 : readsPerTurn);
  for (let turn = 0; turn < turns; turn++) {
    for (const [i, one] of served.entries()) {
      times[i].push(...(await run(work, one, work.free ? countsPerTurn : readsPerTurn)));
    }
  }
  const figures = times.map((some) => {
    const sorted = some.sort((a, b) => a - b);
    const percentile = (share) => sorted[Math.floor((sorted.length - 1) * share)];
    return { p50: percentile(0.5), p99: percentile(0.99) };
  });
  const growth = figures.at(-1).p50 / figures[0].p50;
  const shown = figures.map(({ p50, p99 }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`).join(', ');
  console.log(`${engine}: ${work.title}: ${shown} ms; grows ${growth.toFixed(2)} times`);
  return { title: work.title, most: work.free ? undefined : (work.most ?? most), figures, growth };
}

async function run(work, served, count) {
  const times = [];
  for (let n = 0; n < count; n++) {
    await (work.before ?? changeStock)(served);
    const start = performance.now();
    await work.ask(served);
    times.push(performance.now() - start);
  }
  return times;
}

/** A thousand creates over 50 connections, alternately into the smallest store and the largest. */
async function measureCreates(engine, served) {
  const ends = [served[0], served.at(-1)];
  const rates = ends.map(() => /** @type {number[]} */ ([]));
  for (let round = 0; round < 5; round++) {
    for (const [i, one] of ends.entries()) {
      const { server, store } = one;
      const requests = Array.from({ length: createCount }, () => ({
        method: 'POST',
        path: `/stores/${store.storeId}/products`,
        headers: { Authorization: `Bearer ${store.key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(one.nextProduct()),
      }));
      const { rate } = await load({ url: server.url, requests, child: server.child });
      // The first round warms up.
      if (round > 0) rates[i].push(rate);
    }
  }
  const [first, last] = rates.map((some) => some.sort((a, b) => a - b)[some.length >> 1]);
  console.log(`${engine}: ${createCount} creates: ${Math.round(first)}/s at first, ${Math.round(last)}/s at last`);
  return { first, last };
}

/** One persistent connection that sends one request at a time. */
function clientOf(url, headers) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const more =
        text === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) };
      const asking = request(url + path, { method, agent, headers: { ...headers, ...more } }, (response) => {
        response.resume();
        response.on('end', () => {
          if (Number(response.statusCode) < 300) resolve(undefined);
          else reject(new Error(`${method} ${path} was answered with ${response.statusCode}`));
        });
      });
      asking.on('error', reject);
      asking.end(text);
    });
  return { send, get: (path) => send('GET', path), close: () => agent.destroy() };
}

const number = (value) => value.toLocaleString('en-US');
const mark = (holds) => (holds ? '✓' : '✗');

/** The tables of the page, one for each engine: head and rows. */
export function scaleTables(results) {
  return results.map(({ engine, sizes, works, creates, memory }) => ({
    head: [engine, ...sizes.map((count) => `${number(count)}, p50 / p99 ms`), 'p50 grows', 'at most'],
    rows: [
      ...works.map(({ title, most, figures, growth }) => [
        title,
        ...figures.map(({ p50, p99 }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`),
        `${growth.toFixed(2)} times`,
        most === undefined ? '' : `${most} ${mark(growth <= most)}`,
      ]),
      [
        `${number(createCount)} creates over 50 connections, per second`,
        number(Math.round(creates.first)),
        ...sizes.slice(1, -1).map(() => ''),
        number(Math.round(creates.last)),
        `${(creates.last / creates.first).toFixed(2)} of the first`,
        `at least ${minCreates} ${mark(creates.last >= minCreates * creates.first)}`,
      ],
      [
        'resident memory of the server afterwards',
        ...memory.map((megabytes) => `${Math.round(megabytes)} MB`),
        '',
        `${maxMemory} MB ${mark(Math.max(...memory) <= maxMemory)}`,
      ],
    ],
  }));
}

/** The works that are drawn, by the names of their lines. */
const drawn = new Map([
  ['product by id', 'product by id'],
  ['first page with `total`', 'list, first page'],
  ['search, rare word', 'search, rare word'],
  ['search, common word', 'search, common word'],
]);

/**
 * The p50 by the number of products: a plot for each engine, with a line for each work.
 * @returns {Record<string, import('../harness/results.mjs').Series[]>}
 */
export function scaleSeries(results) {
  return Object.fromEntries(
    results.map(({ engine, sizes, works }) => [
      `scale-${engine.toLowerCase()}`,
      works
        .filter(({ title }) => drawn.has(title))
        .map(({ title, figures }) => ({
          title: drawn.get(title),
          points: sizes.map((size, i) => [size, figures[i].p50]),
        })),
    ]),
  );
}
