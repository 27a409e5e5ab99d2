import { randomInt } from 'node:crypto';
import { commerce, startServer, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { copyOf, productInput, seededFile, seededIds } from '../harness/seed.mjs';

const seconds = 4;

/** The limits, in requests a minute, of a limited store in these measurements: the maximum, and a tenth of it. */
const plenty = 600_000;
const scarce = 60_000;

/**
 * Measures the cost of each part of the edge for one request, in processor time of the server. The same load goes to servers that differ
 * only in that part. They alternate, so that disturbances of the machine affect all of them.
 */
export async function measureEdge(rounds) {
  const seeded = await seededFile();
  const free = copyOf(seeded, 'edge-free.db');
  const limited = copyOf(seeded, 'edge-limited.db');
  await commerce('stores', 'update', seeded.storeId, '--rate', String(plenty), '--burst', '10000', '--db', limited);
  const variants = [
    { title: 'none of it: `--log off`', file: free, flags: ['--log', 'off'] },
    { title: 'the log, one line a request', file: free, flags: [] },
    { title: 'metrics', file: free, flags: ['--log', 'off', '--metrics'] },
    {
      title: 'a rate limit on the store, which refuses what is beyond 10,000 a second',
      file: limited,
      flags: ['--log', 'off'],
    },
    { title: 'all three', file: limited, flags: ['--metrics'] },
  ];
  const kept = seededIds('products').slice(0, 1000);
  const headers = { Authorization: `Bearer ${seeded.key}` };
  const path = () => `/stores/${seeded.storeId}/products/${kept[randomInt(kept.length)]}`;
  const reads = () => Array.from({ length: 20_000 }, () => ({ method: 'GET', path: path(), headers }));
  const costs = variants.map(() => /** @type {object[]} */ ([]));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { file, flags }] of variants.entries()) {
      const { child, url } = await startServer(file, [], flags);
      const some = { url, requests: reads(), child, allow: [429] };
      await load({ ...some, seconds: 1 });
      const { cost, rate } = await load({ ...some, seconds });
      costs[i].push({ cost, rate });
      await stop(child);
    }
  }
  return {
    reads: variants.map(({ title }, i) => ({ title, results: costs[i] })),
    writes: await measureWrites(seeded, rounds),
    sharing: await measureSharing(seeded),
  };
}

/** Measures the cost of an `Idempotency-Key` for a new product. */
async function measureWrites(seeded, rounds) {
  const file = copyOf(seeded, 'edge-writes.db');
  const { child, url } = await startServer(file, [], ['--log', 'off']);
  let made = 1_000_000;
  const creates = (key) =>
    Array.from({ length: 2000 }, () => ({
      method: 'POST',
      path: `/stores/${seeded.storeId}/products`,
      headers: {
        Authorization: `Bearer ${seeded.key}`,
        'Content-Type': 'application/json',
        ...(key ? { 'Idempotency-Key': `key-${made}` } : {}),
      },
      body: JSON.stringify(productInput(made++)),
    }));
  /** @type {{ without: object[], with: object[] }} */
  const results = { without: [], with: [] };
  await load({ url, requests: creates(false), child });
  for (let round = 0; round < rounds; round++) {
    results.without.push(await load({ url, requests: creates(false), child }));
    results.with.push(await load({ url, requests: creates(true), child }));
  }
  await stop(child);
  return results;
}

/** Measures how close several servers on one database come to the limit of a store, when both get more requests than allowed. */
async function measureSharing(seeded) {
  const file = copyOf(seeded, 'edge-shared.db');
  await commerce('stores', 'update', seeded.storeId, '--rate', String(scarce), '--burst', '100', '--db', file);
  const servers = [await startServer(file, [], ['--log', 'off']), await startServer(file, [], ['--log', 'off'])];
  const headers = { Authorization: `Bearer ${seeded.key}` };
  const path = `/stores/${seeded.storeId}/products?limit=1`;
  const requests = () => Array.from({ length: 1000 }, () => ({ method: 'GET', path, headers }));
  const answers = await Promise.all(
    servers.map(({ url, child }) => load({ url, requests: requests(), seconds, child, connections: 20, allow: [429] })),
  );
  for (const { child } of servers) await stop(child);
  const allowed = answers.reduce((sum, { statuses }) => sum + (statuses[200] ?? 0), 0);
  return { allowed, due: (scarce / 60) * seconds, asked: answers.reduce((sum, { answered }) => sum + answered, 0) };
}

/** The figures as rows of tables. */
export function edgeTables({ reads, writes, sharing }, median) {
  const figure = (results, name) => median(results.map((result) => result[name]));
  const base = figure(reads[0].results, 'cost');
  const without = figure(writes.without, 'cost');
  const withKey = figure(writes.with, 'cost');
  const whole = (value) => Math.round(value).toLocaleString('en-US');
  return [
    {
      head: ['`GET` of a product, with', 'processor time for one, µs', 'more than without, µs', 'per second'],
      rows: reads.map(({ title, results }) => {
        const cost = figure(results, 'cost');
        return [title, cost.toFixed(1), (cost - base).toFixed(1), whole(figure(results, 'rate'))];
      }),
    },
    {
      head: ['`POST` of a product', 'processor time for one, µs', 'per second'],
      rows: [
        ['without a key', whole(without), whole(figure(writes.without, 'rate'))],
        ['with an `Idempotency-Key`, a new one each', whole(withKey), whole(figure(writes.with, 'rate'))],
      ],
    },
    {
      head: ['two servers on one file, a store that may do 1,000 a second', ''],
      rows: [
        [`asked of both in ${seconds} s`, whole(sharing.asked)],
        ['due by the limit', whole(sharing.due)],
        [
          'allowed by both together',
          `${whole(sharing.allowed)} (${((100 * sharing.allowed) / sharing.due).toFixed(1)} %)`,
        ],
      ],
    },
  ];
}
