import { parseArgs } from 'node:util';
import { stopAll } from './harness/children.mjs';
import { drawPlots } from './harness/plots.mjs';
import { table, tables, writePage } from './harness/report.mjs';
import { keepResults } from './harness/results.mjs';
import { claimFolder, seededFile, useSmallSeed } from './harness/seed.mjs';
import { median } from './harness/statistics.ts';
import { measureAgainst } from './workloads/against.mjs';
import { besideTable, measureBeside } from './workloads/beside.mjs';
import { checkoutsTable, measureCheckouts } from './workloads/checkouts.mjs';
import { connectionsSeries, connectionsTable, measureConnections } from './workloads/connections.mjs';
import { dashboardTables, measureDashboard } from './workloads/dashboard.mjs';
import { edgeTables, measureEdge } from './workloads/edge.mjs';
import { firstTable, measureFirst } from './workloads/first-table.mjs';
import { fleetTables, measureFleet } from './workloads/fleet.mjs';
import { foreignIdTables, measureForeignIds } from './workloads/foreign-ids.mjs';
import { fsyncSeries, fsyncTables, measureFsync } from './workloads/fsync.mjs';
import { listsTables, measureLists } from './workloads/lists.mjs';
import { measurePostgres, postgresTable } from './workloads/postgres.mjs';
import { profile } from './workloads/profiled.mjs';
import { measureProviders, providersTable } from './workloads/providers.mjs';
import { measureScale, scaleSeries, scaleTables } from './workloads/scale.mjs';
import { measureSizes, sizesSeries, sizesTable } from './workloads/sizes.mjs';
import { measureTransfer, transferTables } from './workloads/transfer.mjs';
import { measureWebhooks, usualWebhooks, webhooksTables } from './workloads/webhooks.mjs';
import { measureWorkers, workersSeries, workersTables } from './workloads/workers.mjs';

const allSizes = '1000,100000,1000000';
const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    plot: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    small: { type: 'boolean', default: false },
    sizes: { type: 'string', default: allSizes },
    products: { type: 'string', default: '100000' },
    stores: { type: 'string', default: '10000' },
  },
});
const rounds = Number(options.rounds);
const seconds = Number(options.seconds);
if (options.small) useSmallSeed();
const byDefault = [
  ...firstTable,
  'providers',
  'checkouts',
  'edge',
  'workers',
  'webhooks',
  'transfer',
  'sizes',
  'scale',
  'lists',
  'beside',
  'dashboard',
  'postgres',
];
const names = [...byDefault, 'connections', 'fsync', 'foreign-ids', 'fleet'];
const chosen = options.only ? options.only.split(',') : byDefault;
const unknown = chosen.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  console.error(`no workload ${unknown.join(', ')}; there are ${names.join(', ')}`);
  process.exit(2);
}

process.on('SIGINT', () => stopAll().then(() => process.exit(130)));
try {
  if (options.plot) {
    for (const file of drawPlots()) console.log(file);
    process.exit();
  }
  if (options.against) {
    const { head, rows } = measureAgainst(options.against, { rounds, seconds, here: process.cwd() });
    console.log(`\n${table(head, rows)}`);
    process.exit();
  }
  claimFolder();
  if (options.profile) {
    if (chosen.length !== 1 || !firstTable.includes(chosen[0])) {
      throw new Error(`--profile goes with --only and one of ${firstTable.join(', ')}`);
    }
    await profile(chosen[0], seconds);
  } else {
    if (chosen.some((name) => firstTable.includes(name))) await measure();
    if (chosen.includes('providers')) await providers();
    if (chosen.includes('checkouts')) await checkouts();
    if (chosen.includes('edge')) await edge();
    if (chosen.includes('workers')) await workers();
    if (chosen.includes('webhooks')) await webhooks();
    if (chosen.includes('transfer')) await transfer();
    if (chosen.includes('sizes')) await sizes();
    if (chosen.includes('scale')) await scale();
    if (chosen.includes('lists')) await lists();
    if (chosen.includes('beside')) await beside();
    if (chosen.includes('dashboard')) await dashboard();
    if (chosen.includes('postgres')) await postgres();
    if (chosen.includes('connections')) await connections();
    if (chosen.includes('fsync')) await fsync();
    if (chosen.includes('foreign-ids')) await foreignIds();
    if (chosen.includes('fleet')) await fleet();
  }
} finally {
  await stopAll();
}

async function measure() {
  const { results, figures } = await measureFirst(chosen, { rounds, seconds });
  const text = tables(results, figures);
  console.log(`\n${text}`);
  if (options.json) {
    console.log(JSON.stringify(results.map(({ work, cost, limitCost }) => ({ name: work.name, cost, limitCost }))));
    return;
  }
  const whole = !options.small && firstTable.every((name) => chosen.includes(name));
  if (whole) writePage('measured', text, `npm run bench -- --only ${firstTable}`);
}

/** Measures how fast the notifications of each payment provider become paid orders. */
async function providers() {
  const { head, rows } = providersTable(await measureProviders(await seededFile(), rounds), median);
  const text = table(head, rows);
  console.log(`\n${text}`);
  writePage('providers', text, 'npm run bench -- --only providers');
}

/** Measures how fast checkouts are opened at a provider, and the cost of one compared with a notification. */
async function checkouts() {
  const { head, rows } = checkoutsTable(await measureCheckouts(await seededFile(), rounds), median);
  const text = table(head, rows);
  console.log(`\n${text}`);
  writePage('checkouts', text, 'npm run bench -- --only checkouts');
}

/** Measures what limits, log, metrics and idempotency keys cost a request. */
async function edge() {
  const text = edgeTables(await measureEdge(rounds), median)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  writePage('edge', text, 'npm run bench -- --only edge');
}

/** Measures how several reading processes use several processors. */
async function workers() {
  const measured = await measureWorkers(rounds, seconds);
  keepResults('workers', workersSeries(measured, median));
  const text = workersTables(measured, median)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  writePage('workers', text, 'npm run bench -- --only workers');
}

/** Measures how fast events reach subscribers, also when other subscribers hang or are dead. */
async function webhooks() {
  const text = webhooksTables(await measureWebhooks({ ...usualWebhooks, pairs: rounds }), median)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  writePage('webhooks', text, 'npm run bench -- --only webhooks');
}

/** Measures the speed and memory of imports and exports of products, and their effect on readers. */
async function transfer() {
  const text = transferTables(await measureTransfer(Number(options.products)))
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  if (options.products === '100000') writePage('transfer', text, 'npm run bench -- --only transfer');
}

/** Measures what a shop does all day, in a store of each size, beside the limit of the machine: the first table of the page. */
async function sizes() {
  const measured = await measureSizes(options.sizes.split(',').map(Number), { rounds, seconds });
  if (options.sizes === allSizes) keepResults('sizes', sizesSeries(measured));
  const { head, rows } = sizesTable(measured);
  const text = table(head, rows);
  console.log(`\n${text}`);
  if (options.sizes === allSizes) writePage('sizes', text, 'npm run bench -- --only sizes');
}

/** Measures how the answer times of one store grow with the number of its products. */
async function scale() {
  const results = await measureScale(options.sizes.split(',').map(Number));
  keepResults('scale', scaleSeries(results));
  const text = scaleTables(results)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  if (options.sizes === allSizes) writePage('scale', text, 'npm run bench -- --only scale');
}

/** Measures the orders, filters, facets and groups of a shop's pages, and a crowd that searches. */
async function lists() {
  const text = listsTables(await measureLists(options.sizes.split(',').map(Number)))
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  if (options.sizes === allSizes) writePage('lists', text, 'npm run bench -- --only lists');
}

/** Measures how long reads wait during the worst searches, in the largest store. */
async function beside() {
  const sizes = options.sizes.split(',').map(Number);
  const { head, rows } = besideTable(await measureBeside(rounds, Math.max(...sizes)));
  const text = table(head, rows);
  console.log(`\n${text}`);
  if (options.sizes === allSizes) writePage('beside', text, 'npm run bench -- --only beside');
}

/** Measures the first screen of the dashboard and its list of the largest store, and the size of its files. */
async function dashboard() {
  const sizes = options.sizes.split(',').map(Number);
  const text = dashboardTables(await measureDashboard(rounds, Math.max(...sizes)), median)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  if (options.sizes === allSizes) writePage('dashboard', text, 'npm run bench -- --only dashboard');
}

/** Measures new products on PostgreSQL, and two servers on one PostgreSQL. */
async function postgres() {
  const { head, rows } = postgresTable(await measurePostgres(rounds));
  const text = table(head, rows);
  console.log(`\n${text}`);
  writePage('postgres', text, 'npm run bench -- --only postgres');
}

/** Measures the requests per second over few connections and over many. */
async function connections() {
  const measured = await measureConnections(rounds, seconds);
  keepResults('connections', connectionsSeries(measured));
  const { head, rows } = connectionsTable(measured);
  const text = table(head, rows);
  console.log(`\n${text}`);
  writePage('connections', text, 'npm run bench -- --only connections');
}

/** Measures the effect of a slow disk on writes. */
async function fsync() {
  const figures = await measureFsync(rounds);
  keepResults('fsync', fsyncSeries(figures));
  const text = fsyncTables(figures)
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  writePage('fsync', text, 'npm run bench -- --only fsync');
}

/** Compares the answers for another store's ids with the answers for ids that never existed. */
async function foreignIds() {
  for (const { head, rows } of foreignIdTables(await measureForeignIds(rounds * 10))) {
    console.log(`\n${table(head, rows)}`);
  }
}

/** Measures many stores on two servers and a PostgreSQL; a phase takes five times as long as a measurement elsewhere. */
async function fleet() {
  const text = fleetTables(await measureFleet({ count: Number(options.stores), seconds: 5 * seconds, rounds }))
    .map(({ head, rows }) => table(head, rows))
    .join('\n\n');
  console.log(`\n${text}`);
  const differing = ['rounds', 'seconds'].filter((name) => process.argv.includes(`--${name}`));
  const given = differing.map((name) => ` --${name} ${options[name]}`).join('');
  if (options.stores === '10000') writePage('fleet', text, `npm run bench -- --only fleet${given}`);
}
