import { rmSync } from 'node:fs';
import { startLimit, startServer, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { copyOf, dataFile, productInput, seededFile } from '../harness/seed.mjs';
import { slowDisk } from '../harness/slow-disk.mjs';
import { median } from '../harness/statistics.ts';

/** Additional milliseconds for each sync, to simulate a disk without its own cache, or one behind a network. */
const delays = [0, 1, 5, 20];

/** Concurrent writers, and the products that each run creates with them. */
const loads = [
  { connections: 1, count: 200 },
  { connections: 10, count: 1000 },
  { connections: 50, count: 3000 },
];

/**
 * Measures the creation of products on a disk with slow syncs. The delays alternate, so that disturbances of the machine affect all of
 * them.
 * @param {number} rounds
 */
export async function measureFsync(rounds) {
  const seeded = await seededFile();
  const figures = delays.map(() => ({
    bare: /** @type {number[]} */ ([]),
    byLoad: loads.map(() => /** @type {{ rate: number, p50: number, p99: number, perSync: number }[]} */ ([])),
  }));
  let made = 3_000_000;
  const creates = (count) =>
    Array.from({ length: count }, () => ({
      method: 'POST',
      path: `/stores/${seeded.storeId}/products`,
      headers: { Authorization: `Bearer ${seeded.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(productInput(made++)),
    }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, delay] of delays.entries()) {
      const { env, syncs } = slowDisk(delay);
      figures[i].bare.push(await bareCommits(env));
      const file = copyOf(seeded, 'fsync.db');
      for (const [k, { connections, count }] of loads.entries()) {
        const { child, url } = await startServer(file, [], ['--log', 'off'], env);
        // Compiles the code, and takes the first numbers of products.
        await load({ url, requests: creates(50), child });
        const { rate, p50, p99 } = await load({ url, requests: creates(count), connections, child });
        await stop(child);
        figures[i].byLoad[k].push({ rate, p50, p99, perSync: (count + 50) / syncs() });
        console.log(
          `${delay} ms, ${connections} writers: ${Math.round(rate)}/s, p50 ${p50.toFixed(1)} ms, ${((count + 50) / syncs()).toFixed(1)} a sync`,
        );
      }
    }
  }
  return figures;
}

/** One-row durable commits of bare better-sqlite3, one after the other. */
async function bareCommits(env) {
  const file = dataFile('limit.db');
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  const { child, ask } = startLimit('commits', file, env);
  const { rate } = await ask({ seconds: 1, bytes: 1000 });
  await stop(child);
  return rate;
}

/** The figures as rows of tables. */
export function fsyncTables(figures) {
  const whole = (value) => Math.round(value).toLocaleString('en-US');
  /** The rate with the delay as a share of the rate without it, both of the same round. */
  const left = (i, k) => median(figures[i].byLoad[k].map(({ rate }, round) => rate / figures[0].byLoad[k][round].rate));
  const of = (i, k, name) => median(figures[i].byLoad[k].map((one) => one[name]));
  return [
    {
      head: [
        'a sync takes longer by',
        'commits of bare better-sqlite3, a second',
        ...loads.map(({ connections }) => `${connections} ${connections === 1 ? 'writer' : 'writers'}, a second`),
      ],
      rows: delays.map((delay, i) => [
        `${delay} ms`,
        whole(median(figures[i].bare)),
        ...loads.map((_, k) => `${whole(of(i, k, 'rate'))} (${left(i, k).toFixed(2)})`),
      ]),
    },
    {
      head: [
        'a sync takes longer by',
        ...loads.map(({ connections }) => `${connections} at once, p50 / p99 ms; products a sync`),
      ],
      rows: delays.map((delay, i) => [
        `${delay} ms`,
        ...loads.map(
          (_, k) => `${of(i, k, 'p50').toFixed(1)} / ${of(i, k, 'p99').toFixed(1)}; ${of(i, k, 'perSync').toFixed(1)}`,
        ),
      ]),
    },
  ];
}

/**
 * Products a second by the number of writers, with a line for each delay.
 * @returns {Record<string, import('../harness/results.mjs').Series[]>}
 */
export function fsyncSeries(figures) {
  return {
    fsync: delays.map((delay, i) => ({
      title: `${delay} ms`,
      points: loads.map(({ connections }, k) => [connections, median(figures[i].byLoad[k].map(({ rate }) => rate))]),
    })),
  };
}
