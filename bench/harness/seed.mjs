import { createHash, randomBytes, randomInt } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createOrder, createProduct, openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { commerce } from './children.mjs';

/** The numbers of products and orders of the seeded file. */
export const seedSize = { products: 100_000, orders: 64_000 };
/** The folder of the seeded file within the data of the benchmarks. */
let seedFolder = '';

/** Makes the seeded file a tenth as large, and keeps it beside the usual one. */
export function useSmallSeed() {
  seedSize.products /= 10;
  seedSize.orders /= 10;
  seedFolder = 'small/';
}

const folder = fileURLToPath(new URL('../.data/', import.meta.url));
export const dataFile = (name) => `${folder}${name}`;
const seedFile = (name) => dataFile(seedFolder + name);

/** Reserves the folder for this run: two runs at once would share files and spoil both measurements. */
export function claimFolder() {
  mkdirSync(folder, { recursive: true });
  const note = dataFile('running');
  const other = existsSync(note) ? Number(readFileSync(note, 'utf8')) : 0;
  if (other > 0 && isRunning(other)) throw new Error(`process ${other} is measuring already; wait for its end`);
  writeFileSync(note, String(process.pid));
  process.on('exit', () => rmSync(note, { force: true }));
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The seeded file with its ids and secrets; created once and kept until tables or products change. */
export async function seededFile() {
  const fingerprint = fingerprintOf([
    ...tables,
    core('products/products.ts'),
    core('products/fields.ts'),
    core('sales/moves/insert.ts'),
    import.meta.url,
  ]);
  const note = seedFile('seed.json');
  if (existsSync(note)) {
    const known = JSON.parse(readFileSync(note, 'utf8'));
    if (known.fingerprint === fingerprint && existsSync(known.file)) return known;
  }
  for (const name of seedFolder ? [] : readdirSync(folder))
    if (!['against', 'running', 'scale', 'small', 'results.json'].includes(name))
      rmSync(dataFile(name), { recursive: true, force: true });
  mkdirSync(dataFile(seedFolder), { recursive: true });
  removeDatabase(seedFile('seed.db'));
  const made = await seed(seedFile('seed.db'));
  writeFileSync(note, JSON.stringify({ ...made, fingerprint }));
  return { ...made, fingerprint };
}

/** A working copy, so that every run starts from the same file. */
export function copyOf(seeded, name) {
  const file = dataFile(name);
  copyDatabase(seeded.file, file);
  readThrough(file);
  return file;
}

/** Reads a file once: the file of a long-running server is in memory, but a fresh copy is not. */
function readThrough(file) {
  const buffer = Buffer.allocUnsafe(1024 * 1024);
  const open = openSync(file, 'r');
  while (readSync(open, buffer) > 0);
  closeSync(open);
}

export function copyDatabase(from, to) {
  removeDatabase(to);
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
}

export function removeDatabase(file) {
  for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
}

async function seed(file) {
  console.log(
    `seeding ${seedSize.products} products and ${seedSize.orders} pending orders; kept in bench/.data for later runs`,
  );
  const currency = 'EUR';
  const { store, apiKey } = await commerce('init', '--db', file, '--name', 'Benchmark', '--currency', currency);
  const secret = `whsec_${randomBytes(16).toString('hex')}`;
  await commerce('payments', 'configure', '--db', file, '--provider', 'stripe', '--webhook-secret', secret);
  const instance = await openCommerce({ storage: openSqlite({ file }) });
  const shop = await instance.store(store.id);
  const products = await inParallel(seedSize.products, (n) =>
    createProduct(shop, productInput(n)).then(({ id }) => id),
  );
  const orders = await inParallel(seedSize.orders, () =>
    createOrder(shop, { items: [{ productId: products[randomInt(products.length)], quantity: 1 }] }).then(
      ({ id, total }) => ({ id, total }),
    ),
  );
  await instance.close();
  writeFileSync(seedFile('products.json'), JSON.stringify(products));
  writeFileSync(seedFile('orders.json'), JSON.stringify(orders));
  return { file, storeId: store.id, key: apiKey.key, secret, currency };
}

export const seededIds = (name) => JSON.parse(readFileSync(seedFile(`${name}.json`), 'utf8'));

/** Runs tasks in parallel: enough for commits to be shared, but not so many that requests only wait for each other. */
export async function inParallel(count, work, atOnce = 512) {
  const results = [];
  for (let done = 0; done < count; done += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, count - done) }, (_, i) => work(done + i));
    results.push(...(await Promise.all(some)));
  }
  return results;
}

const colours = ['red', 'green', 'blue', 'black', 'white', 'yellow', 'orange', 'violet'];
const sizes = ['XS', 'S', 'M', 'L', 'XL'];
const things = ['Mug', 'Shirt', 'Poster', 'Lamp', 'Notebook', 'Backpack', 'Candle', 'Blanket'];

/**
 * A typical product of a shop, about 1 kB as JSON; its stock is tracked, so that a sale has to change it.
 * @param {number} n
 * @returns {import('@commerce/core').ProductInput}
 */
export function productInput(n) {
  const colour = colours[n % colours.length];
  const size = sizes[n % sizes.length];
  const thing = things[n % things.length];
  return {
    title: `${colour} ${thing} ${size} no. ${n}`,
    slug: `${thing.toLowerCase()}-${n}`,
    status: n % 10 === 0 ? 'draft' : 'published',
    description: `A ${colour} ${thing.toLowerCase()} in size ${size}, made to be used every day. Ships within two days in packaging without plastic, can be returned for a month, and is repaired for free in the first three years.`,
    price: `${(n % 90) + 9}.90`,
    compareAtPrice: `${(n % 90) + 19}.90`,
    sku: `SKU-${n}`,
    barcode: String(4_000_000_000_000 + n),
    variantGroupId: `group-${Math.floor(n / 5)}`,
    attributes: { colour, size, material: 'cotton' },
    trackStock: true,
    stock: 1_000_000,
    lowStockThreshold: 10,
    seoTitle: `${colour} ${thing} | Benchmark`,
    seoDescription: `Buy the ${colour} ${thing.toLowerCase()} in size ${size}.`,
  };
}

const core = (name) => new URL(`../../packages/core/src/${name}`, import.meta.url);

/** Sources that create the tables. */
export const tables = [core('storage/migrations/0001_initial.ts')];

/** Changes when one of these sources changes; the seeds are then created again. */
export function fingerprintOf(sources) {
  const hash = createHash('sha256');
  for (const source of sources) hash.update(readFileSync(fileURLToPath(source)));
  return hash.digest('hex');
}
