import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { catalogueProduct } from '../harness/catalogue.mjs';
import { commerce, processorTime, residentMemory, startServer, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile } from '../harness/seed.mjs';

const command = fileURLToPath(new URL('../../packages/cli/bin/commerce.js', import.meta.url));
const picture = fileURLToPath(new URL('../../docs/pictures/before-after-order.webp', import.meta.url));
const categories = ['mugs', 'shirts', 'posters', 'lamps', 'notebooks'];
const columns = ['slug', 'title', 'status', 'description', 'price', 'sku', 'variantGroupId', 'trackStock', 'stock'];
const attributes = ['color', 'size', 'material', 'season', 'brand'];

/** Writes a file of products without keeping it in memory. */
async function writeProducts(file, count, from = 0) {
  const stream = createWriteStream(file);
  stream.write(`${[...columns, 'categories', ...attributes.map((key) => `attribute.${key}`)].join(',')}\n`);
  for (let n = from; n < from + count; n++) {
    const product = catalogueProduct(n, from + count, categories);
    const cells = [...columns.map((column) => product[column]), product.categoryIds[0]];
    const line = [...cells, ...attributes.map((key) => product.attributes[key])].join(',');
    if (!stream.write(`${line}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
}

/** Runs the command line, and measures its time, its processor time and its peak memory. */
async function measured(args) {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const started = performance.now();
  let [printed, memory, busy] = ['', 0, 0];
  child.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const sampling = setInterval(async () => {
    const now = await residentMemory(child).catch(() => Number.NaN);
    if (now > memory) memory = now;
    busy = processorTime(child) ?? busy;
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(sampling);
  if (code !== 0) throw new Error(`commerce ${args.slice(0, 2).join(' ')} ended with ${code}`);
  return { seconds: (performance.now() - started) / 1000, printed, memory, busy };
}

/** Measures an import, an import without changes, and an export. */
async function throughput(title, db, store, file, count) {
  const where = ['--db', db, '--store', store];
  const importing = ['products', 'import', file, ...where, '--quiet', '--json'];
  const results = [];
  for (const [what, args] of [
    ['new', importing],
    ['unchanged', importing],
    ['exported', ['products', 'export', dataFile('exported.csv'), ...where, '--quiet']],
  ]) {
    const { seconds, memory, busy, printed } = await measured(args);
    if (what === 'new' && JSON.parse(printed).item.created !== count) throw new Error(`imported ${printed}`);
    results.push({ title: `${title}, ${what}`, rate: count / seconds, cost: (busy * 1000) / count, memory });
  }
  rmSync(dataFile('exported.csv'), { force: true });
  results.push(await feed(title, db, store, count));
  return results;
}

/** Measures a product feed, after every product got what a feed asks for: a brand and an image. */
async function feed(title, db, store, count) {
  const where = ['--db', db, '--store', store];
  const media = ['--media-dir', dataFile('transfer-media'), '--public-url', 'http://127.0.0.1:3000'];
  const { items } = await commerce('media', 'upload', picture, ...media, ...where);
  await commerce('settings', 'update', '--product-url', 'https://shop.example/{slug}', ...where);
  const file = dataFile('feed.csv');
  const stream = createWriteStream(file);
  stream.write('slug,status,brand,image\n');
  for (let n = 0; n < count; n++) {
    const { slug } = catalogueProduct(n, count, categories);
    if (!stream.write(`${slug},published,Brand,${items[0].url}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await once(stream, 'close');
  await commerce('products', 'import', file, ...where, '--quiet');
  const { totals } = await commerce('feeds', 'check', '--limit', '1', ...where);
  if (totals.listed !== count) throw new Error(`the feed has ${JSON.stringify(totals)}`);
  const target = dataFile('feed.tsv');
  const written = ['feeds', 'export', target, ...where, '--public-url', 'http://127.0.0.1:3000', '--quiet'];
  const { seconds, memory, busy } = await measured(written);
  for (const made of [file, target]) rmSync(made, { force: true });
  rmSync(dataFile('transfer-media'), { recursive: true, force: true });
  return { title: `${title}, as a product feed`, rate: count / seconds, cost: (busy * 1000) / count, memory };
}

/** Measures how long readers of a server wait during an import, and without one. */
async function readers(db, shop, count) {
  const server = await startServer(db);
  const path = `/stores/${shop.store.id}`;
  const headers = { authorization: `Bearer ${shop.apiKey.key}` };
  const answer = await fetch(`${server.url}${path}/products?limit=50`, { headers });
  const { items } = /** @type {{ items: { id: string }[] }} */ (await answer.json());
  const requests = items.map(({ id }) => ({ method: 'GET', path: `${path}/products/${id}`, headers }));
  const ask = () => load({ url: server.url, requests, seconds: 4, connections: 4, child: server.child });
  const results = [];
  try {
    const quiet = await ask();
    results.push({ title: 'GET product, quiet', ...quiet });
    // The import over HTTP ends with its server.
    for (const kind of ['products import', 'POST /imports']) {
      const file = dataFile('beside.csv');
      await writeProducts(file, count, kind === 'POST /imports' ? 2_000_000 : 3_000_000);
      const importing =
        kind === 'POST /imports' ? await overHttp(server.url, path, headers, file) : beside(db, shop, file);
      const result = await ask();
      if (await importing.isDone())
        throw new Error(`the import beside ended before the readers did: ${count} are too few`);
      results.push({ title: `GET product, during ${kind}`, ...result, times: result.p99 / quiet.p99 });
      await importing.stop();
      rmSync(file, { force: true });
    }
  } finally {
    await stop(server.child);
  }
  return results;
}

async function overHttp(url, path, headers, file) {
  const answer = await fetch(`${url}${path}/imports?events=false`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'text/csv' },
    body: readFileSync(file),
  });
  if (answer.status !== 202) throw new Error(`the import was answered with ${answer.status}`);
  const { item } = /** @type {{ item: { id: string } }} */ (await answer.json());
  return {
    async isDone() {
      const now = await fetch(`${url}${path}/imports/${item.id}`, { headers });
      const { item: state } = /** @type {{ item: { status: string } }} */ (await now.json());
      return state.status !== 'running';
    },
    stop: async () => {},
  };
}

function beside(db, shop, file) {
  const args = ['products', 'import', file, '--db', db, '--store', shop.store.id, '--quiet', '--json'];
  const child = spawn(process.execPath, [command, ...args], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    isDone: async () => child.exitCode !== null,
    async stop() {
      child.kill('SIGINT');
      await ended;
    },
  };
}

/** Measures imports and exports on both databases, and their effect on readers. */
export async function measureTransfer(count) {
  const file = dataFile('transfer.csv');
  const db = dataFile('transfer.db');
  const remove = () => {
    for (const ending of ['', '-wal', '-shm']) rmSync(db + ending, { force: true });
  };
  remove();
  await writeProducts(file, count);
  /** @type {{ rates: any[], waits: any[] }} */
  const results = { rates: [], waits: [] };
  const sqlite = await commerce('init', '--name', 'Shop', '--currency', 'EUR', '--db', db);
  results.rates.push(...(await throughput('SQLite', db, sqlite.store.id, file, count)));
  results.waits.push(...(await readers(db, sqlite, Math.max(count, 30_000))));
  remove();
  const postgres = await startPostgres(dataFile('postgres'));
  try {
    await postgres.administer('drop database if exists transfer with (force)');
    await postgres.administer('create database transfer');
    const address = postgres.address('transfer');
    const shop = await commerce('init', '--name', 'Shop', '--currency', 'EUR', '--db', address);
    results.rates.push(...(await throughput('PostgreSQL', address, shop.store.id, file, count)));
    await postgres.administer('drop database transfer with (force)');
  } finally {
    await postgres.stop();
    rmSync(file, { force: true });
  }
  return results;
}

export function transferTables({ rates, waits }) {
  const whole = (value) => Math.round(value).toLocaleString('en-US');
  return [
    {
      head: ['products', 'per second', 'processor time for one, µs', 'memory, MB'],
      rows: rates.map(({ title, rate, cost, memory }) => [title, whole(rate), whole(cost), whole(memory)]),
    },
    {
      head: ['readers', 'per second', 'p50 / p99 ms', 'p99 / quiet p99'],
      rows: waits.map(({ title, rate, p50, p99, times }) => [
        title,
        whole(rate),
        `${p50.toFixed(1)} / ${p99.toFixed(1)}`,
        times === undefined ? '' : times.toFixed(1),
      ]),
    },
  ];
}
