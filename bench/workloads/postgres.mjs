import { mkdirSync } from 'node:fs';
import { commerce, startServer, stop } from '../harness/children.mjs';
import { load, usualConnections } from '../harness/load.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile, productInput } from '../harness/seed.mjs';
import { describe, median } from '../harness/statistics.mjs';

/** The minimum of products created a second in one store, if PostgreSQL, the server and the load generator share a machine. */
const leastCreates = 1200;
/** The minimum share of the rate of eight stores that one store reaches. */
const leastAlone = 0.9;
/** The minimum factor by which two servers answer more than one, relative to their processor time. */
const leastServers = 1.7;

const createCount = 4000;
const mixedCount = 20_000;
const storeCount = 8;
const productsPerStore = 200;
/** Reads for each write of the mixed load. */
const readsPerWrite = 9;

/** Measures a PostgreSQL and servers on one machine: new products in one store and in eight, and a mixed load on one server and two. */
export async function measurePostgres(rounds) {
  const folder = dataFile('postgres');
  mkdirSync(folder, { recursive: true });
  const postgres = await startPostgres(folder);
  try {
    await postgres.administer('drop database if exists bench');
    await postgres.administer('create database bench');
    return await measureOn(postgres.address('bench'), rounds);
  } finally {
    await postgres.stop();
  }
}

async function measureOn(address, rounds) {
  const servers = [await startServer(address), await startServer(address)];
  try {
    const stores = [];
    for (let n = 0; n < storeCount; n++) stores.push(await openStore(address, servers[0].url));
    const run = async (work, parts) => {
      const results = await Promise.all(
        parts.map(({ server, requests }) =>
          load({
            url: server.url,
            child: server.child,
            requests,
            connections: usualConnections / parts.length,
          }),
        ),
      );
      for (const result of results) console.log(`${work}: ${describe(result)}`);
      const answered = results.reduce((sum, one) => sum + one.answered, 0);
      const used = results.reduce((sum, one) => sum + (one.cost ?? Number.NaN) * one.answered, 0);
      const rate = results.reduce((sum, one) => sum + one.rate, 0);
      return { rate, cost: used / answered, p99: Math.max(...results.map(({ p99 }) => p99)) };
    };
    const [one, two] = servers;
    /** @typedef {Awaited<ReturnType<typeof run>>} Result */
    const measured = {
      oneStore: /** @type {Result[]} */ ([]),
      eightStores: /** @type {Result[]} */ ([]),
      oneServer: /** @type {Result[]} */ ([]),
      twoServers: /** @type {Result[]} */ ([]),
    };
    const half = storeCount / 2;
    for (let round = 1; round <= rounds; round++) {
      measured.oneStore.push(await run('creates, one store', [{ server: one, requests: creates(stores.slice(0, 1)) }]));
      measured.eightStores.push(await run('creates, eight stores', [{ server: one, requests: creates(stores) }]));
      measured.oneServer.push(await run('mixed, one server', [{ server: one, requests: mixed(stores) }]));
      measured.twoServers.push(
        await run('mixed, two servers', [
          { server: one, requests: mixed(stores.slice(0, half)) },
          { server: two, requests: mixed(stores.slice(half)) },
        ]),
      );
    }
    return measured;
  } finally {
    for (const { child } of servers) await stop(child);
  }
}

/** A new store with some products. */
async function openStore(address, url) {
  const name = ['--db', address, '--name', 'Benchmark'];
  const { item } = await commerce('stores', 'create', ...name, '--currency', 'EUR');
  const { item: apiKey } = await commerce('keys', 'create', ...name, '--store', item.id, '--preset', 'full');
  const store = {
    path: `/stores/${item.id}/products`,
    headers: { Authorization: `Bearer ${apiKey.key}` },
    ids: /** @type {string[]} */ ([]),
  };
  for (let n = 0; n < productsPerStore; n++) {
    const { headers, body, path } = creation(store);
    const response = await fetch(url + path, { method: 'POST', headers, body });
    const { item } = /** @type {{ item: { id: string } }} */ (await response.json());
    store.ids.push(item.id);
  }
  return store;
}

let created = 0;

function creation(store) {
  const headers = { ...store.headers, 'Content-Type': 'application/json' };
  return { method: 'POST', path: store.path, headers, body: JSON.stringify(productInput(created++)) };
}

const creates = (stores) => Array.from({ length: createCount }, (_, n) => creation(stores[n % stores.length]));

const mixed = (stores) =>
  Array.from({ length: mixedCount / (storeCount / stores.length) }, (_, n) => {
    const store = stores[n % stores.length];
    if (Math.floor(n / stores.length) % (readsPerWrite + 1) === 0) return creation(store);
    return { method: 'GET', path: `${store.path}/${store.ids[n % store.ids.length]}`, headers: store.headers };
  });

export function postgresTable({ oneStore, eightStores, oneServer, twoServers }) {
  const of = (results, pick) => median(results.map(pick));
  const rate = (results) => of(results, (one) => one.rate);
  const cost = (results) => of(results, (one) => one.cost);
  const row = (title, results, goal) => [
    title,
    Math.round(rate(results)).toLocaleString('en-US'),
    cost(results).toFixed(0),
    of(results, (one) => one.p99).toFixed(1),
    goal,
  ];
  const mark = (value, least) => (value >= least ? '✓' : '✗');
  const creates = rate(oneStore);
  const alone = median(oneStore.map((one, i) => one.rate / eightStores[i].rate));
  const forTheSame = median(oneServer.map((one, i) => (2 * one.cost) / twoServers[i].cost));
  return {
    head: [
      'PostgreSQL on the same machine, 50 connections',
      'per second',
      'processor time of the servers for one, µs',
      'p99 ms',
      'goal',
    ],
    rows: [
      row('new products, one store', oneStore, `${leastCreates} a second ${mark(creates, leastCreates)}`),
      row(
        'new products, eight stores',
        eightStores,
        `one store reaches ${Math.round(alone * 100)} %, of at least ${leastAlone * 100} % ${mark(alone, leastAlone)}`,
      ),
      row(`${readsPerWrite} reads and a new product, eight stores, one server`, oneServer, ''),
      row(
        'the same, four stores on each of two servers',
        twoServers,
        `${forTheSame.toFixed(2)} times one for the processor time, of at least ${leastServers} ${mark(forTheSame, leastServers)}`,
      ),
    ],
  };
}
