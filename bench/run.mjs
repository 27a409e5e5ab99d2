import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { ask, residentMemory, settle, startEmpty, startLimit, startServer, stop, stopAll } from './children.mjs';
import { edgeTables, measureEdge } from './edge.mjs';
import { foreignIdTables, measureForeignIds } from './foreign-ids.mjs';
import { load, usualConnections } from './load.mjs';
import { byOrigin, topAllocations, topFunctions } from './profile.mjs';
import { measureProviders, providersTable } from './providers.mjs';
import { table, tables, writePage } from './report.mjs';
import { measureScale, scaleTables } from './scale.mjs';
import { claimFolder, copyOf, dataFile, productCount, seededFile } from './seed.mjs';
import { measureWebhooks, usualWebhooks, webhooksTables } from './webhooks.mjs';
import { worksOn } from './works.mjs';

const allSizes = '1000,100000,1000000';
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    profile: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    sizes: { type: 'string', default: allSizes },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
/** What the first table of the page is made of. */
const firstTable = ['get', 'list', 'notification', 'create', 'memory'];
const byDefault = [...firstTable, 'providers', 'edge', 'webhooks', 'scale'];
const names = [...byDefault, 'foreign-ids'];
const chosen = options.only ? options.only.split(',') : byDefault;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no work ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}

process.on('SIGINT', () => stopAll().then(() => process.exit(130)));
try {
  claimFolder();
  if (options.profile) await profile();
  else {
    if (chosen.some((name) => firstTable.includes(name))) await measure();
    if (chosen.includes('providers')) await providers();
    if (chosen.includes('edge')) await edge();
    if (chosen.includes('webhooks')) await webhooks();
    if (chosen.includes('scale')) await scale();
    if (chosen.includes('foreign-ids')) await foreignIds();
  }
} finally {
  await stopAll();
}

async function measure() {
  const seeded = await seededFile();
  const file = copyOf(seeded, 'work.db');
  const works = worksOn(seeded);
  const server = await startServer(file);
  const results = [];
  for (const work of works.filter(({ name }) => chosen.includes(name))) results.push(await measureWork(work, server));
  checkFile(file, works);
  const figures = chosen.includes('memory') ? await measureProcess(file, server, works) : [];
  const text = tables(results, figures);
  console.log(`\n${text}`);
  const whole = firstTable.every((name) => chosen.includes(name));
  if (whole) writePage('measured', text, `npm run bench -- --only ${firstTable}`);
}

/** Measures how fast the notifications of each payment provider become paid orders. */
async function providers() {
  const { head, rows } = providersTable(await measureProviders(await seededFile(), rounds), median);
  const text = table(head, rows);
  console.log(`\n${text}`);
  writePage('providers', text, 'npm run bench -- --only providers');
}

/** Measures what limits, log, metrics and idempotency keys cost a request. */
async function edge() {
  const text = edgeTables(await measureEdge(rounds), median)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  writePage('edge', text, 'npm run bench -- --only edge');
}

/** Measures how fast events reach subscribers, also beside those that hang or are dead. */
async function webhooks() {
  const text = webhooksTables(await measureWebhooks({ ...usualWebhooks, pairs: rounds }), median)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  writePage('webhooks', text, 'npm run bench -- --only webhooks');
}

/** Measures how the answers of one store grow with the number of its products. */
async function scale() {
  const results = await measureScale(options.sizes.split(',').map(Number));
  const text = scaleTables(results)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  if (options.sizes === allSizes) writePage('scale', text, 'npm run bench -- --only scale');
}

/** Compares the answers about another store's ids with those about ids that never were. */
async function foreignIds() {
  for (const { head, rows } of foreignIdTables(await measureForeignIds(rounds * 10))) {
    console.log(`\n${table(head, rows)}`);
  }
}

/** Measures a work and its limit in turns, so that what disturbs the machine meets both. */
async function measureWork(work, server) {
  const limit = await openLimit(work, server);
  const warm = await runWork(work, server, 1.5);
  await limit.run(1);
  const taken = [];
  for (let round = 1; round <= rounds; round++) {
    const bound = await limit.run(seconds);
    // What can be sent once only is counted out beforehand, as much as should take the time, and as is left for the rounds.
    const count = work.once ? Math.min(warm.rate * seconds, work.left() / (rounds - round + 1)) : undefined;
    const done = await runWork(work, server, seconds, count);
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
    // The bare commits wait for the disk and not for a processor; comparing their processor time would say nothing.
    limitBusy: work.rowBytes ? undefined : median(taken.map((round) => round.bound.busy ?? 1)),
    limitCost: work.rowBytes ? undefined : median(taken.map((round) => round.bound.cost ?? Number.NaN)),
    cost: median(taken.map((round) => round.done.cost ?? Number.NaN)),
    p50: median(taken.map((round) => round.done.p50)),
    p99: median(taken.map((round) => round.done.p99)),
  };
}

async function runWork(work, { url, child }, duration, count = 4000) {
  if (!work.once) return load({ url, requests: work.requests(), seconds: duration, child });
  const requests = work.requests(Math.floor(count / usualConnections) * usualConnections);
  const done = await load({ url, requests, child });
  work.answered = (work.answered ?? 0) + done.answered;
  return done;
}

async function openLimit(work, server) {
  if (work.rowBytes) {
    const file = dataFile('limit.db');
    for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
    const { child, ask } = startLimit('commits', file);
    return { run: (duration) => ask({ seconds: duration, bytes: work.rowBytes }), stop: () => stop(child) };
  }
  const { path, headers } = work.sample();
  const answer = await ask(server.url + path, headers);
  // Node adds these itself, to the limit's answers as to the server's.
  const own = new Set(['date', 'connection', 'keep-alive']);
  const kept = answer.headers.flatMap((name, i) =>
    i % 2 === 0 && !own.has(name.toLowerCase()) ? [name, answer.headers[i + 1]] : [],
  );
  const limit = startLimit('http');
  const { url } = await limit.ask({ status: answer.status, headers: kept, body: answer.body.toString('base64') });
  return {
    run: (duration) => load({ url, requests: work.requests(), seconds: duration, child: limit.child }),
    stop: () => stop(limit.child),
  };
}

/** What the answers promised has to be in the file. */
function checkFile(file, works) {
  const db = new Database(file, { readonly: true });
  const count = (sql) => db.prepare(sql).pluck().get();
  const answered = (name) => works.find((work) => work.name === name)?.answered ?? 0;
  const paid = count(`select count(*) from orders where status = 'paid'`);
  const products = count('select count(*) from products') - productCount;
  db.close();
  if (paid !== answered('notification')) {
    throw new Error(`${answered('notification')} notifications were answered, ${paid} orders are paid`);
  }
  if (products !== answered('create')) {
    throw new Error(`${answered('create')} products were answered, ${products} are there`);
  }
  console.log(`${paid} notifications answered, ${paid} orders paid; ${products} products answered, ${products} there`);
}

async function measureProcess(file, server, works) {
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
      title: `from spawn to the first answer, on a file with ${productCount.toLocaleString('en-US')} products and more`,
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

/** Runs one work with node's profilers on and prints where its time went. */
async function profile() {
  if (chosen.length !== 1 || chosen.includes('scale')) throw new Error('--profile goes with --only and one work');
  const [name] = chosen;
  const seeded = await seededFile();
  const file = copyOf(seeded, 'work.db');
  const works = worksOn(seeded);
  const folder = dataFile('profile');
  rmSync(folder, { recursive: true, force: true });
  const server = await startServer(file, [`--${name === 'memory' ? 'heap' : 'cpu'}-prof`, '--diagnostic-dir', folder]);
  for (const work of works.filter((one) => one.name === name || name === 'memory')) {
    await runWork(work, server, 1, 4000);
    const done = await runWork(work, server, seconds, 12_000);
    console.log(`${work.name}: ${describe(done)}, under the profiler`);
  }
  await stop(server.child);
  if (name === 'memory') {
    console.log('\nheld at the end, by where it was allocated (live objects of JavaScript only):');
    for (const { name, megabytes } of topAllocations(folder))
      console.log(`${megabytes.toFixed(1).padStart(7)} MB  ${name}`);
    await profileStart(file, works[0].sample(), folder);
  } else {
    printProcessorProfile(folder);
  }
}

async function profileStart(file, { path, headers }, folder) {
  rmSync(folder, { recursive: true, force: true });
  const server = await startServer(file, ['--cpu-prof', '--diagnostic-dir', folder]);
  await ask(server.url + path, headers);
  await stop(server.child);
  console.log('\nfrom spawn to the first answer, and the stop after it:');
  printProcessorProfile(folder);
}

function printProcessorProfile(folder) {
  console.log('\nby origin:');
  for (const { name, share } of byOrigin(folder)) console.log(`${percent(share)}  ${name}`);
  console.log('\nby function, without what it called:');
  for (const { name, share, milliseconds } of topFunctions(folder)) {
    console.log(`${percent(share)}  ${milliseconds.toFixed(0).padStart(6)} ms  ${name}`);
  }
}

function describe({ rate, p50, p99, busy, cost }) {
  const load = busy === undefined ? '' : `, ${Math.round(busy * 100)} % of a processor, ${cost.toFixed(0)} µs each`;
  return `${Math.round(rate)}/s${p50 === undefined ? '' : ` (p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${load})`}`;
}

function percent(share) {
  return `${(share * 100).toFixed(1).padStart(5)} %`;
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
