import { mkdirSync } from 'node:fs';
import { commerce, mainThreadTime, startServer, stop } from '../harness/children.mjs';
import { load, usualConnections } from '../harness/load.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile, productInput } from '../harness/seed.mjs';
import { describe, median } from '../harness/statistics.ts';

/** The minimum of products created a second in one store, if PostgreSQL, the server and the load generator share a machine. */
const leastCreates = 1200;
/** The minimum share of the rate of eight stores that one store reaches. */
const leastAlone = 0.9;
/** Aims: how many times as much as one server two should answer, if each has a processor. */
const leastServers = { reads: 1.7, mixed: 1.5 };

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
      const before = parts.map(({ server }) => mainThreadTime(server.child));
      const results = await Promise.all(
        parts.map(({ server, requests }) => load({ url: server.url, child: server.child, requests })),
      );
      const main = parts.map(
        ({ server }, i) => (mainThreadTime(server.child) ?? Number.NaN) - (before[i] ?? Number.NaN),
      );
      for (const result of results) console.log(`${work}: ${describe(result)}`);
      const answered = results.reduce((sum, one) => sum + one.answered, 0);
      const used = results.reduce((sum, one) => sum + (one.cost ?? Number.NaN) * one.answered, 0);
      const rate = results.reduce((sum, one) => sum + one.rate, 0);
      /** Of the main thread that used most, for an answer of any server: other processors cannot make the servers faster than that. */
      const busiest = (Math.max(...main) * 1000) / answered;
      return { rate, cost: used / answered, busiest, p99: Math.max(...results.map(({ p99 }) => p99)) };
    };
    const [one, two] = servers;
    /** @typedef {Awaited<ReturnType<typeof run>>} Result */
    const measured = {
      oneStore: /** @type {Result[]} */ ([]),
      eightStores: /** @type {Result[]} */ ([]),
      readsOne: /** @type {Result[]} */ ([]),
      readsTwo: /** @type {Result[]} */ ([]),
      mixedOne: /** @type {Result[]} */ ([]),
      mixedTwo: /** @type {Result[]} */ ([]),
    };
    const half = storeCount / 2;
    const kinds = /** @type {const} */ ([
      { name: 'reads', onOne: 'readsOne', onTwo: 'readsTwo', requests: reads },
      { name: 'mixed', onOne: 'mixedOne', onTwo: 'mixedTwo', requests: mixed },
    ]);
    for (let round = 1; round <= rounds; round++) {
      measured.oneStore.push(await run('creates, one store', [{ server: one, requests: creates(stores.slice(0, 1)) }]));
      measured.eightStores.push(await run('creates, eight stores', [{ server: one, requests: creates(stores) }]));
      for (const { onOne, onTwo, name, requests } of kinds) {
        measured[onOne].push(await run(`${name}, one server`, [{ server: one, requests: requests(stores) }]));
        measured[onTwo].push(
          await run(`${name}, two servers`, [
            { server: one, requests: requests(stores.slice(0, half)) },
            { server: two, requests: requests(stores.slice(half)) },
          ]),
        );
      }
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

/** Requests to stores in turn; to half of them half as many. */
const requestsTo = (stores, request) =>
  Array.from({ length: mixedCount / (storeCount / stores.length) }, (_, n) => request(stores[n % stores.length], n));

const read = (store, n) => ({
  method: 'GET',
  path: `${store.path}/${store.ids[n % store.ids.length]}`,
  headers: store.headers,
});

const reads = (stores) => requestsTo(stores, read);

const mixed = (stores) =>
  requestsTo(stores, (store, n) =>
    Math.floor(n / stores.length) % (readsPerWrite + 1) === 0 ? creation(store) : read(store, n),
  );

export function postgresTable({ oneStore, eightStores, readsOne, readsTwo, mixedOne, mixedTwo }) {
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
  const calculated = (one, two, least) => {
    const times = median(one.map((round, i) => round.busiest / two[i].busiest));
    return `calculated with a processor for each: ${times.toFixed(2)} times as many, of at least ${least} ${mark(times, least)}`;
  };
  return {
    head: [
      `PostgreSQL on the same machine, ${usualConnections} connections to each server`,
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
      row('single products, eight stores, one server', readsOne, ''),
      row('the same, four stores on each of two servers', readsTwo, calculated(readsOne, readsTwo, leastServers.reads)),
      row(`${readsPerWrite} of these and a new product, eight stores, one server`, mixedOne, ''),
      row('the same, four stores on each of two servers', mixedTwo, calculated(mixedOne, mixedTwo, leastServers.mixed)),
    ],
  };
}
