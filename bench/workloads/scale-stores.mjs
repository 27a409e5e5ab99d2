import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import {
  configureProvider,
  createCategory,
  createOrder,
  createProduct,
  getProduct,
  openCommerce,
  updateSettings,
} from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';
import { catalogueOrder, catalogueProduct } from '../harness/catalogue.mjs';
import { commerce } from '../harness/children.mjs';
import { copyDatabase, dataFile, fingerprintOf, inParallel, removeDatabase, tables } from '../harness/seed.mjs';

/** The number of products whose ids are kept for requests; as many as a run needs. */
const sampleCount = 5000;

const categoryCount = 20;

/** One product in so many is ordered once. */
const productsPerOrder = 10;

const fingerprint = () => fingerprintOf([...tables, new URL('../harness/catalogue.mjs', import.meta.url)]);

/** A copy, which can be changed, of a store with this many products in a SQLite file. The first run creates the store. */
export async function sqliteStore(count) {
  mkdirSync(dataFile('scale'), { recursive: true });
  const file = dataFile(`scale/${count}.db`);
  const seeded = await seededStore(`sqlite-${count}`, count, async () => {
    removeDatabase(file);
    return { address: file, storage: openSqlite({ file }) };
  });
  const copy = dataFile(`scale/${count}-work.db`);
  copyDatabase(file, copy);
  return { ...seeded, address: copy, remove: async () => removeDatabase(copy) };
}

export const currency = 'EUR';
export const shopOrigin = 'https://shop.example';

/** Orders that wait for their payment; as many as a run needs. */
const orderCount = 12_000;

/**
 * Adds to a copy of a store what it takes to sell: Stripe, bank transfer, and pending orders.
 * @param {Awaited<ReturnType<typeof sqliteStore>>} store
 * @returns the store with the ids of products that can be bought (`sold`), the pending orders, and the secret of Stripe's notifications
 */
export async function sellingStore(store) {
  const instance = await openCommerce({ storage: openSqlite({ file: store.address }), upkeep: false });
  const shop = await instance.store(store.storeId);
  const secret = `whsec_${randomBytes(16).toString('hex')}`;
  await configureProvider(shop, 'stripe', { webhookSecret: secret });
  await updateSettings(shop, {
    paymentMethods: [{ id: 'transfer', name: 'Bank transfer', kind: 'transfer', holdDays: 7 }],
    returnUrls: [shopOrigin],
  });
  const read = await inParallel(store.ids.length, (n) => getProduct(shop, store.ids[n]));
  const sold = read.filter(({ status }) => status === 'published').map(({ id }) => id);
  const orders = await inParallel(orderCount, async (n) => {
    const { id, total } = await createOrder(shop, { items: [{ productId: sold[n % sold.length], quantity: 1 }] });
    return { id, total };
  });
  await instance.close();
  return { ...store, sold, orders, secret };
}

/** The same in a database of a PostgreSQL server. */
export async function postgresStore(server, count) {
  const seed = `seed_${count}`;
  const seeded = await seededStore(`postgres-${count}`, count, async () => {
    await server.administer(`drop database if exists ${seed}`);
    await server.administer(`create database ${seed}`);
    // Applies to this database and not to copies of it: a seed lost in a power cut is created again.
    await server.administer(`alter database ${seed} set synchronous_commit = off`);
    const address = server.address(seed);
    // More would wait for a connection until they time out.
    return { address, storage: openPostgres({ url: address }), atOnce: 50 };
  });
  // PostgreSQL does this itself within a few minutes.
  await server.administer('vacuum analyze', seed);
  const work = `work_${count}`;
  await server.administer(`drop database if exists ${work}`);
  await server.administer(`create database ${work} template ${seed}`);
  const address = server.address(work);
  return { ...seeded, address, remove: () => server.administer(`drop database ${work}`) };
}

/** A store that an earlier run created, or a new one. */
async function seededStore(name, count, open) {
  const note = dataFile(`scale/${name}.json`);
  if (existsSync(note)) {
    const seeded = JSON.parse(readFileSync(note, 'utf8'));
    if (seeded.fingerprint === fingerprint()) return seeded;
  }
  const seeded = { count, ...(await seed(await open(), count)), fingerprint: fingerprint() };
  writeFileSync(note, JSON.stringify(seeded));
  return seeded;
}

async function seed({ address, storage, atOnce }, count) {
  console.log(`seeding ${count.toLocaleString('en-US')} products; kept in bench/.data for later runs`);
  const start = performance.now();
  const { store, apiKey } = await commerce('init', '--db', address, '--name', 'Benchmark', '--currency', currency);
  const instance = await openCommerce({ storage });
  const shop = await instance.store(store.id);
  const categoryIds = [];
  for (let n = 0; n < categoryCount; n++) {
    const { id } = await createCategory(shop, { name: `Category ${n}`, slug: `category-${n}`, status: 'published' });
    categoryIds.push(id);
  }
  const every = Math.ceil(count / sampleCount);
  const make = async (n) => {
    const { id } = await createProduct(shop, catalogueProduct(n, count, categoryIds));
    return n % every === 0 ? id : undefined;
  };
  const ids = await inParallel(count, make, atOnce);
  const orders = Math.ceil(count / productsPerOrder);
  await inParallel(orders, (n) => createOrder(shop, catalogueOrder(n, `SKU-${n}`)), atOnce);
  await instance.close();
  const minutes = (performance.now() - start) / 60_000;
  console.log(`made in ${minutes.toFixed(1)} minutes, ${Math.round(count / minutes / 60)} products a second`);
  return { storeId: store.id, key: apiKey.key, categoryIds, ids: ids.filter((id) => id !== undefined) };
}
