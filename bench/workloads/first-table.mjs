import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { ask, residentMemory, settle, startEmpty, startLimit, startServer, stop } from '../harness/children.mjs';
import { load, usualConnections, withCost } from '../harness/load.mjs';
import { copyOf, dataFile, seededFile, seedSize } from '../harness/seed.mjs';
import { describe, median } from '../harness/statistics.ts';
import { hasWrk, runWrk } from '../harness/wrk.mjs';
import { workloadsOn } from './workloads.mjs';

/** The rows of the first table of the page. */
export const firstTable = ['get', 'again', 'list', 'gzip', 'fresh', 'notification', 'create', 'memory'];

/**
 * Measures the workloads of the first table, and what the process costs at rest.
 * @param {string[]} chosen names of rows
 * @param {{ rounds: number, seconds: number }} length
 */
export async function measureFirst(chosen, length) {
  const seeded = await seededFile();
  const file = copyOf(seeded, 'work.db');
  const workloads = workloadsOn(seeded);
  const server = await startServer(file);
  const results = [];
  for (const workload of workloads.filter(({ name }) => chosen.includes(name))) {
    results.push(await measureWorkload(workload, server, length));
  }
  checkFile(file, workloads);
  const figures = chosen.includes('memory') ? await measureProcess(file, server, workloads, length.rounds) : [];
  return { results, figures };
}

/** Measures a workload and its limit alternately, so that disturbances of the machine affect both. */
async function measureWorkload(work, server, { rounds, seconds }) {
  const limit = await openLimit(work, server);
  const warm = await runWorkload(work, server, 1.5);
  await limit.run(1);
  const taken = [];
  for (let round = 1; round <= rounds; round++) {
    const bound = await limit.run(seconds);
    // Requests that can be sent only once are counted beforehand: as many as should take the given time, limited by the remaining ones.
    const count = work.once ? Math.min(warm.rate * seconds, work.left() / (rounds - round + 1)) : undefined;
    const done = await runWorkload(work, server, seconds, count);
    taken.push({ bound, done });
    console.log(
      `${work.name} ${round}: limit ${describe(bound)}; measured ${describe(done)}; ratio ${(done.rate / bound.rate).toFixed(3)}`,
    );
  }
  await limit.stop();
  const bound = median(taken.map((round) => round.bound.rate));
  const measured = median(taken.map((round) => round.done.rate));
  return {
    work,
    limit: bound,
    measured,
    ratio: median(taken.map((round) => round.done.rate / round.bound.rate)),
    // The bare commits wait for the disk, not for a processor, so a comparison of their processor time would be meaningless.
    limitBusy: work.rowBytes ? undefined : median(taken.map((round) => round.bound.busy ?? 1)),
    limitCost: work.rowBytes ? undefined : median(taken.map((round) => round.bound.cost ?? Number.NaN)),
    cost: median(taken.map((round) => round.done.cost ?? Number.NaN)),
    p50: median(taken.map((round) => round.done.p50)),
    p99: median(taken.map((round) => round.done.p99)),
  };
}

export async function runWorkload(work, { url, child }, duration, count = 4000) {
  if (!work.once) return read(work, url, duration, child);
  const requests = work.requests(Math.floor(count / usualConnections) * usualConnections);
  const done = await load({ url, requests, child });
  work.answered = (work.answered ?? 0) + done.answered;
  return done;
}

/** Sends the repeatable requests of a workload with the cheapest available generator. */
function read(work, url, seconds, child) {
  const requests = work.requests();
  if (!hasWrk) return load({ url, requests, seconds, child });
  const paths = requests.map(({ path }) => path);
  const { headers } = work.sample();
  return withCost(child, () => runWrk({ url, paths, headers, seconds, connections: usualConnections }));
}

export async function openLimit(work, server) {
  if (work.rowBytes) {
    const file = dataFile('limit.db');
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
    const { child, ask } = startLimit('commits', file);
    return { run: (duration) => ask({ seconds: duration, bytes: work.rowBytes }), stop: () => stop(child) };
  }
  const { path, headers } = work.sample();
  const answer = await ask(server.url + path, headers);
  // Node adds these headers itself, to the limit's answers and to the server's.
  const own = new Set(['date', 'connection', 'keep-alive']);
  const kept = answer.headers.flatMap((name, i) =>
    i % 2 === 0 && !own.has(name.toLowerCase()) ? [name, answer.headers[i + 1]] : [],
  );
  const limit = startLimit('http');
  const { url } = await limit.ask({ status: answer.status, headers: kept, body: answer.body.toString('base64') });
  return {
    run: (duration) => read(work, url, duration, limit.child),
    stop: () => stop(limit.child),
  };
}

/** Checks that every successfully answered request is in the file. */
function checkFile(file, works) {
  const db = new Database(file, { readonly: true });
  const count = (sql) => Number(db.prepare(sql).pluck().get());
  const answered = (name) => works.find((work) => work.name === name)?.answered ?? 0;
  const paid = count(`select count(*) from orders where status = 'paid'`);
  const products = count('select count(*) from products') - seedSize.products;
  db.close();
  if (paid !== answered('notification')) {
    throw new Error(`${answered('notification')} notifications were answered, ${paid} orders are paid`);
  }
  if (products !== answered('create')) {
    throw new Error(`${answered('create')} products were answered, ${products} are there`);
  }
  console.log(`${paid} notifications answered, ${paid} orders paid; ${products} products answered, ${products} there`);
}

async function measureProcess(file, server, works, rounds) {
  await settle(3000);
  const memory = await residentMemory(server.child);
  await stop(server.child);
  const empty = await startEmpty();
  await settle(1000);
  const emptyMemory = await residentMemory(empty);
  await stop(empty);

  const { path, headers } = works[0].sample();
  const starts = [];
  const emptyStarts = [];
  for (let round = 0; round < Math.max(rounds, 5); round++) {
    emptyStarts.push(await timed(startEmpty));
    starts.push(
      await timed(async () => {
        const started = await startServer(file);
        const { status } = await ask(started.url + path, headers);
        if (status !== 200) throw new Error(`the first answer was ${status}`);
        return started.child;
      }),
    );
  }
  console.log(`starts: ${starts.map(Math.round)} ms; of an empty process: ${emptyStarts.map(Math.round)} ms`);
  return [
    {
      title: 'resident memory of the server after the load',
      unit: 'MB',
      limitTitle: 'an idle empty node process',
      limit: emptyMemory,
      measured: memory,
      most: 110,
    },
    {
      title: `from spawn to the first answer, on a file with ${seedSize.products.toLocaleString('en-US')} products and more`,
      unit: 'ms',
      limitTitle: 'spawn of an empty node process to its first output',
      limit: median(emptyStarts),
      measured: median(starts),
      most: 300,
    },
  ];
}

async function timed(start) {
  const from = performance.now();
  const child = await start();
  const taken = performance.now() - from;
  await stop(child);
  return taken;
}
