import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { openCommerce, updateStore } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { processorTime, residentMemory, startLimit, startServer, startTalking, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile } from '../harness/seed.mjs';
import { median } from '../harness/statistics.ts';
import { fleetStores } from './fleet-stores.mjs';

/** The factor by which the p99 of quiet stores can grow while the busiest store floods. */
const most = 3;
/** The number of the busiest stores that do not count as quiet. */
const busy = 100;
/** Connections with which the busiest store floods each server. */
const floodConnections = 100;
/** Connections of the whole fleet when it sends as much as is answered. */
const fullConnections = 50;
/** The share of the fleet's full speed at which it sends during the floods. */
const moderate = 0.25;
/** Requests a minute of the busiest store when it has a limit. */
const allowedPerMinute = 6000;

/**
 * Measures many stores, requested by Zipf's law, on two servers and a PostgreSQL. Shows the cost of a request, the cost without requests,
 * and how a flood of the busiest store affects quiet ones.
 * @param {{ count: number, seconds: number, rounds: number }} options seconds of a phase
 */
export async function measureFleet({ count, seconds, rounds }) {
  const postgres = await startPostgres(dataFile('scale/postgres'));
  try {
    const seeded = await fleetStores(postgres, count);
    const database = `${seeded.database}_work`;
    await postgres.administer(`drop database if exists ${database}`);
    await postgres.administer(`create database ${database} template ${seeded.database}`);
    const address = postgres.address(database);
    const flags = ['--orders-api', '--no-dashboard'];
    const servers = [await startServer(address, [], flags), await startServer(address, [], flags)];
    try {
      const measured = await measureOn({ postgres, servers, address, seeded, seconds, rounds });
      return { count, seeded, ...measured };
    } finally {
      for (const { child } of servers) await stop(child);
      await postgres.administer(`drop database if exists ${database} with (force)`);
    }
  } finally {
    await postgres.stop();
  }
}

async function measureOn({ postgres, servers, address, seeded, seconds, rounds }) {
  const clients = startTalking(new URL('./fleet-child.mjs', import.meta.url), 'the clients of the fleet');
  const urls = servers.map(({ url }) => url);
  await clients.ask({ file: seeded.file, urls });

  /** Runs work and returns the processor time that the servers and PostgreSQL used for it. */
  const costOf = async (work) => {
    const used = () => [servers.reduce((sum, { child }) => sum + processorTime(child), 0), postgres.processorTime()];
    const start = performance.now();
    const before = used();
    const result = await work();
    const after = used();
    const taken = performance.now() - start;
    return { result, taken, servers: after[0] - before[0], postgres: after[1] - before[1] };
  };
  const send = async (title, task) => {
    await clients.ask(task);
    const cost = await costOf(() => clients.answer());
    const { kinds, stores, times, lateness, faults, taken } = cost.result;
    const quiet = times.filter((_, i) => stores[i] >= busy);
    const measured = {
      answered: times.length,
      rate: (times.length * 1000) / taken,
      servers: (cost.servers * 1000) / times.length,
      postgres: (cost.postgres * 1000) / times.length,
      busy: (cost.servers + cost.postgres) / cost.taken,
      all: timesOf(times),
      quiet: timesOf(quiet),
      lateness: lateness.length > 0 ? timesOf(lateness).p99 : undefined,
      kinds: Object.fromEntries(
        [...new Set(kinds)].map((kind) => [kind, timesOf(times.filter((_, i) => kinds[i] === kind))]),
      ),
      faults: Object.values(faults).reduce((sum, n) => sum + n, 0),
      load: loadavg()[0],
    };
    console.log(
      `${title}: ${measured.rate.toFixed(0)}/s, quiet p50 ${measured.quiet.p50.toFixed(1)} p99 ${measured.quiet.p99.toFixed(1)} ms, ` +
        `servers ${measured.servers.toFixed(0)} µs, PostgreSQL ${measured.postgres.toFixed(0)} µs each, ` +
        `sent late by ${measured.lateness?.toFixed(1) ?? 0} ms (p99), load ${measured.load.toFixed(1)} ${JSON.stringify(faults)}; p50 of ${Object.entries(measured.kinds).map(([kind, { p50 }]) => `${kind} ${p50.toFixed(0)}`)} ms`,
    );
    return measured;
  };

  const nobody = await costOf(() => sleep(seconds * 1000));
  const idle = { servers: nobody.servers / nobody.taken, postgres: nobody.postgres / nobody.taken };
  console.log(
    `nobody asks: servers ${(idle.servers * 100).toFixed(1)} %, PostgreSQL ${(idle.postgres * 100).toFixed(1)} %`,
  );

  await send('warm-up', { connections: fullConnections, seconds: Math.min(seconds, 4) });
  const full = await send('full speed', { connections: fullConnections, seconds });
  // Each started order sends a second request after its answer.
  const rate = Math.max(10, Math.round((full.rate * moderate) / 10) * 10);

  const [busiest] = JSON.parse(readFileSync(seeded.file, 'utf8'));
  const commerce = await openCommerce({ storage: openPostgres({ url: address, maxConnections: 2 }), upkeep: false });
  const shop = await commerce.store(busiest.id);
  const bare = startLimit('http');
  const { url: bareUrl } = /** @type {{ url: string }} */ (
    await bare.ask({
      status: 200,
      headers: ['content-type', 'application/json'],
      body: Buffer.alloc(1000, 'x').toString('base64'),
    })
  );
  const reads = floodOf(busiest, false);
  const writes = floodOf(busiest, true);
  const floods = [
    { name: 'bare', requests: reads, urls: [bareUrl, bareUrl], limit: null },
    { name: 'reads', requests: reads, urls, limit: null },
    { name: 'writes', requests: writes, urls, limit: null },
    { name: 'limited', requests: reads, urls, limit: { requestsPerMinute: allowedPerMinute } },
  ];
  const results = [];
  for (let round = 1; round <= rounds; round++) {
    const quiet = await send(`${round} quiet`, { rate, seconds });
    /** @type {Record<string, { measured: typeof quiet, flood: number, refused: number }>} */
    const beside = {};
    for (const { name, requests, urls, limit } of floods) {
      await updateStore(shop, { rateLimit: limit });
      const flooding = Promise.all(
        urls.map((url, i) =>
          load({
            url,
            requests,
            seconds: seconds + 3,
            connections: floodConnections,
            allow: [429, 503],
            child: servers[i].child,
          }),
        ),
      );
      // The generator is warmed up first, and servers notice a new limit within a second.
      await sleep(3000);
      const measured = await send(`${round} beside ${name}`, { rate, seconds });
      const flood = await flooding;
      const of = (pick) => flood.reduce((sum, one) => sum + pick(one), 0);
      const refused = of(({ statuses, answered }) =>
        answered === 0 ? 0 : (statuses[429] ?? 0) + (statuses[503] ?? 0),
      );
      beside[name] = { measured, flood: of((one) => one.rate), refused: refused / of((one) => one.answered) };
      console.log(`  flood: ${beside[name].flood.toFixed(0)}/s, ${(100 * beside[name].refused).toFixed(0)} % refused`);
    }
    await updateStore(shop, { rateLimit: null });
    results.push({ quiet, beside });
  }
  const memory = await Promise.all(servers.map(({ child }) => residentMemory(child)));
  await commerce.close();
  await stop(bare.child);
  await stop(clients.child);
  return { idle, full, rate, results, memory: Math.max(...memory), seconds };
}

/** Requests of one store, enough for a flood. */
function floodOf({ id, key, products }, isWriting) {
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  return Array.from({ length: 2000 }, (_, n) => {
    const path = `/stores/${id}/products/${products[n % products.length]}`;
    if (isWriting) return { method: 'PUT', path, headers, body: JSON.stringify({ price: `${(n % 90) + 9}.90` }) };
    return { method: 'GET', path: n % 2 === 0 ? path : `/stores/${id}/products?limit=20`, headers };
  });
}

/** @param {ArrayLike<number>} times */
function timesOf(times) {
  const sorted = Float64Array.from(times).sort();
  const percentile = (share) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { count: sorted.length, p50: percentile(0.5), p99: percentile(0.99) };
}

const whole = (value) => Math.round(value).toLocaleString('en-US');
const tenths = ({ p50, p99 }) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`;

const kindTitles = {
  list: 'list of 20 products',
  item: 'one product',
  change: "change of a product's price",
  order: 'order of one item',
  payment: 'Stripe notification of its payment',
};

const floodTitles = {
  bare: 'a bare `node:http` instead of the servers: the effect of the busy machine',
  reads: 'lists and products',
  writes: 'changes of products',
  limited: `lists and products, limited to ${whole(allowedPerMinute)} a minute`,
};

export function fleetTables({ count, seeded, idle, full, rate, results, memory, seconds }) {
  const of = (pick) => median(results.map(pick));
  const percent = (share) => `${(share * 100).toFixed(1)} %`;
  const cost = (title, some) => [
    title,
    whole(some((one) => one.rate)),
    whole(some((one) => one.servers)),
    whole(some((one) => one.postgres)),
    percent(some((one) => one.busy)),
    `${some((one) => one.all.p50).toFixed(1)} / ${some((one) => one.all.p99).toFixed(1)}`,
    some((one) => one.load).toFixed(1),
  ];
  const quietP99 = ({ measured }) => measured.quiet.p99;
  const beside = Object.keys(floodTitles).map((name) => {
    const ratio = of(({ quiet, beside }) => quietP99(beside[name]) / quiet.quiet.p99);
    const ofBare = of(({ beside }) => quietP99(beside[name]) / quietP99(beside.bare));
    const refused = of(({ beside }) => beside[name].refused);
    return [
      floodTitles[name],
      `${whole(of(({ beside }) => beside[name].flood))}${refused > 0.005 ? `, ${Math.round(refused * 100)} % of them refused` : ''}`,
      `${of(({ beside }) => beside[name].measured.quiet.p50).toFixed(1)} / ${of(({ beside }) => quietP99(beside[name])).toFixed(1)}`,
      `${ratio.toFixed(2)} times`,
      name === 'bare' ? '' : `${most} ${ratio <= most ? '✓' : '✗'}`,
      name === 'bare' ? '' : `${ofBare.toFixed(2)} times`,
      String(of(({ beside }) => beside[name].measured.faults)),
      of(({ beside }) => beside[name].measured.load).toFixed(1),
    ];
  });
  return [
    {
      head: [
        `${whole(count)} stores, 2 servers, 1 PostgreSQL`,
        'requests a second',
        'processor time of the servers for one, µs',
        'of PostgreSQL, µs',
        'of one processor, all together',
        'p50 / p99 ms',
        'load of the machine',
      ],
      rows: [
        ['no requests', '0', '', '', percent(idle.servers + idle.postgres), '', ''],
        cost(`${rate} begun a second, whatever the answers do`, (pick) => of(({ quiet }) => pick(quiet))),
        cost(`${fullConnections} connections, at full speed`, (pick) => pick(full)),
      ],
    },
    {
      head: [`each kind at ${rate} begun a second`, 'requests', 'p50 / p99 ms'],
      rows: Object.keys(kindTitles).map((kind) => [
        kindTitles[kind],
        whole(results.reduce((sum, { quiet }) => sum + (quiet.kinds[kind]?.count ?? 0), 0)),
        tenths({ p50: of(({ quiet }) => quiet.kinds[kind]?.p50), p99: of(({ quiet }) => quiet.kinds[kind]?.p99) }),
      ]),
    },
    {
      head: [
        `the busiest store floods over ${2 * floodConnections} connections with`,
        'answers to it a second',
        `p50 / p99 ms of stores outside the busiest ${busy}`,
        'of the quiet p99',
        'at most',
        'of the p99 with the bare server',
        'requests of the fleet that failed',
        'load of the machine',
      ],
      rows: [
        [
          `nothing, for ${seconds} s`,
          '',
          tenths({ p50: of(({ quiet }) => quiet.quiet.p50), p99: of(({ quiet }) => quiet.quiet.p99) }),
          '',
          '',
          '',
          String(of(({ quiet }) => quiet.faults)),
          of(({ quiet }) => quiet.load).toFixed(1),
        ],
        ...beside,
      ],
    },
    {
      head: ['on the disk, with indexes, events and audit entries', 'kB'],
      rows: [
        ['a store with a key and a payment provider', (seeded.bytes.store / 1000).toFixed(1)],
        ['a product', (seeded.bytes.product / 1000).toFixed(1)],
        ['a paid order', (seeded.bytes.order / 1000).toFixed(1)],
        [
          `the mean store here, with ${(seeded.products / count).toFixed(1)} products and one paid order`,
          ((seeded.bytes.store + seeded.bytes.order + (seeded.bytes.product * seeded.products) / count) / 1000).toFixed(
            1,
          ),
        ],
        ['memory of the larger server at the end', `${whole(memory)} MB`],
      ],
    },
  ];
}
