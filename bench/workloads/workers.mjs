import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { ask, mainThreadTime, processorTime, residentMemory, startServer, stop } from '../harness/children.mjs';
import { load, usualConnections } from '../harness/load.mjs';
import { copyOf, productInput, seededFile, seededIds } from '../harness/seed.mjs';
import { hasWrk, runWrk } from '../harness/wrk.mjs';

/** Aims: how many times as much as one process two reading processes should answer, if each has a processor. */
const least = { reads: 1.7, mixed: 1.5 };
/** Requests of the mixed load. */
const mixedCount = 20_000;
const createCount = 2000;

const variants = [
  { title: 'one process', flags: [] },
  { title: '`--workers 2`', flags: ['--workers', '2'] },
];

/**
 * Measures reads and writes of one process, and of two reading processes with one that writes. They alternate, so that disturbances of the
 * machine affect both. Processor time is the sum of all processes of the service.
 * @param {number} rounds
 * @param {number} seconds
 */
export async function measureWorkers(rounds, seconds) {
  const seeded = await seededFile();
  const kept = seededIds('products').slice(0, 1000);
  const headers = { Authorization: `Bearer ${seeded.key}` };
  const products = `/stores/${seeded.storeId}/products`;
  const works = [
    { name: 'get', title: '`GET` of a product', paths: kept.map((id) => `${products}/${id}`) },
    { name: 'list', title: 'list of 50 products, the same again', paths: [`${products}?limit=50`] },
  ];
  let made = 2_000_000;
  const create = () => ({
    method: 'POST',
    path: products,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(productInput(made++)),
  });
  const creates = () => Array.from({ length: createCount }, create);
  const mixed = () =>
    Array.from({ length: mixedCount }, (_, n) => {
      // Each connection sends every fiftieth, so a connection sends all kinds.
      const turn = Math.floor(n / usualConnections) + (n % usualConnections);
      if (turn % 10 === 0) return create();
      const path = turn % 2 === 0 ? `${products}?limit=50` : `${products}/${kept[n % kept.length]}`;
      return { method: 'GET', path, headers };
    });
  const results = variants.map(() => ({
    get: /** @type {object[]} */ ([]),
    list: /** @type {object[]} */ ([]),
    mixed: /** @type {object[]} */ ([]),
    create: /** @type {object[]} */ ([]),
    start: /** @type {number[]} */ ([]),
    memory: /** @type {number[][]} */ ([]),
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, { flags }] of variants.entries()) {
      const file = copyOf(seeded, `workers-${i}.db`);
      const begin = performance.now();
      const { child, url } = await startServer(file, [], flags);
      results[i].start.push(performance.now() - begin);
      await ask(`${url}${works[0].paths[0]}`, headers);
      for (const { name, paths } of works) {
        await read({ url, paths, headers, seconds: 1, child });
        results[i][name].push(await read({ url, paths, headers, seconds, child }));
      }
      await load({ url, requests: mixed().slice(0, 2000), child });
      results[i].mixed.push(await measured(child, () => load({ url, requests: mixed(), child })));
      results[i].create.push(await measured(child, () => load({ url, requests: creates(), child })));
      results[i].memory.push(await Promise.all(processesOf(child).map(residentMemory)));
      await stop(child);
    }
  }
  return { works, results };
}

/** Sends reads as fast as they are answered. */
function read({ url, paths, headers, seconds, child }) {
  return measured(child, () => {
    const connections = usualConnections;
    if (hasWrk) return runWrk({ url, paths, headers, seconds, connections });
    const requests = Array.from({ length: 20_000 }, (_, i) => ({
      method: 'GET',
      path: paths[i % paths.length],
      headers,
    }));
    return load({ url, requests, seconds, connections, child });
  });
}

/**
 * A load with the processor time of all processes of the service per answer, in microseconds. `busiest` is the main thread that used most of
 * it: the others could not make the service faster if each had a processor.
 */
async function measured(child, run) {
  const before = processesOf(child).map((one) => ({ one, all: processorTime(one), main: mainThreadTime(one) }));
  const result = await run();
  const used = before.map(({ one, all, main }) => ({
    all: (processorTime(one) ?? Number.NaN) - (all ?? Number.NaN),
    main: (mainThreadTime(one) ?? Number.NaN) - (main ?? Number.NaN),
  }));
  const each = (milliseconds) => (milliseconds * 1000) / result.answered;
  console.log(
    `${Math.round(result.rate)}/s; µs of each process: ${used.map(({ all, main }) => `${each(all).toFixed(1)} (main thread ${each(main).toFixed(1)})`).join(', ')}`,
  );
  return {
    ...result,
    cost: each(used.reduce((sum, { all }) => sum + all, 0)),
    busiest: each(Math.max(...used.map(({ main }) => main))),
  };
}

/** A process with its child processes. */
function processesOf(child) {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  const below = lines.map((line) => line.trim().split(/\s+/).map(Number)).filter(([, parent]) => parent === child.pid);
  return [child, ...below.map(([pid]) => ({ pid }))];
}

/** The figures as rows of tables. */
export function workersTables({ works, results }, median) {
  const figure = (i, name, key) => median(results[i][name].map((one) => one[key]));
  const whole = (value) => Math.round(value).toLocaleString('en-US');
  const mark = (value, aim) => (aim === undefined ? '' : ` (at least ${aim} ${value >= aim ? '✓' : '✗'})`);
  const measuredWorks = [
    ...works.map((work) => ({ ...work, aim: least.reads })),
    { name: 'mixed', title: 'four such lists, five products and a new product', aim: least.mixed },
    { name: 'create', title: '`POST` of a product', aim: undefined },
  ];
  const rows = measuredWorks.map(({ name, title, aim }) => {
    const [one, two] = [0, 1].map((i) => ({ rate: figure(i, name, 'rate'), cost: figure(i, name, 'cost') }));
    const latency = [0, 1].map((i) => `${figure(i, name, 'p50').toFixed(1)} / ${figure(i, name, 'p99').toFixed(1)}`);
    const free = median(results[0][name].map((round, n) => round.busiest / results[1][name][n].busiest));
    return [
      title,
      whole(one.rate),
      whole(two.rate),
      (two.rate / one.rate).toFixed(2),
      `${one.cost.toFixed(1)} → ${two.cost.toFixed(1)} (${(two.cost / one.cost).toFixed(2)})`,
      `${free.toFixed(2)}${mark(free, aim)}`,
      `${latency[0]} → ${latency[1]}`,
    ];
  });
  const memory = (i) => {
    const [, ...below] = results[i].memory.at(-1) ?? [];
    const [first] = results[i].memory.at(-1) ?? [];
    return [first, ...below].map((one) => whole(one)).join(' + ');
  };
  return [
    {
      head: [
        `${usualConnections} connections, by ${hasWrk ? 'wrk' : 'autocannon'} on the same ${cpus().length} processors`,
        'one process, a second',
        '`--workers 2`, a second',
        'ratio',
        'processor time for one, µs',
        'calculated: ratio with a processor for each process',
        'p50 / p99 ms',
      ],
      rows,
    },
    {
      head: ['process', ...variants.map(({ title }) => title)],
      rows: [
        ['from spawn to the announcement, ms', ...[0, 1].map((i) => whole(median(results[i].start)))],
        ['resident memory after the load, MB (the started process + its children)', memory(0), memory(1)],
      ],
    },
  ];
}

/** Answers a second by the number of reading processes, for the plot. */
export function workersSeries({ works, results }, median) {
  const lines = works.map(({ name, title }) => ({
    title: title.replaceAll('`', ''),
    points: results.map((result, i) => [i + 1, median(result[name].map(({ rate }) => rate))]),
  }));
  return { workers: lines };
}
