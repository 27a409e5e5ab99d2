import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { configureProvider, createApiKey, createOrder, createProduct, openCommerce, scopes } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { dataFile, fingerprintOf, inParallel, productInput, tables } from '../harness/seed.mjs';
import { signedPayment } from '../harness/stripe-event.mjs';

/** The secret that every store of the fleet shares with its payment provider; it signs only what is sent here. */
export const fleetSecret = 'whsec_fleet0123456789abcdef';
export const fleetCurrency = 'EUR';

/** The numbers of products of the busiest store and of the quietest. */
const mostProducts = 200;
const leastProducts = 3;

/** The number of products of the store with a rank from 1. Its share of requests follows the rank: 1/rank of the busiest store's. */
const productsOf = (rank) => Math.min(mostProducts, leastProducts + Math.floor((10 * mostProducts) / rank));

/** Concurrent transactions; each has its own connection. */
const atOnce = 12;

/**
 * @typedef {{ id: string, key: string, products: string[] }} FleetStore
 * @typedef {{ store: number, product: number, order: number }} Bytes on the disk, of one of each with everything that is kept about it
 */

/**
 * A database with a number of stores, each with products, a key, a payment provider and a paid order; created by the first run.
 * @param {Awaited<ReturnType<typeof import('../harness/postgres.mjs').startPostgres>>} server
 * @param {number} count
 * @returns {Promise<{ database: string, file: string, bytes: Bytes, products: number, fingerprint: string }>} `file` contains the stores,
 * the busiest first
 */
export async function fleetStores(server, count) {
  const database = `fleet_${count}`;
  const note = dataFile(`scale/${database}.json`);
  const fingerprint = fingerprintOf([...tables, import.meta.url]);
  if (existsSync(note)) {
    const seeded = JSON.parse(readFileSync(note, 'utf8'));
    if (seeded.fingerprint === fingerprint) return seeded;
  }
  console.log(`making ${count.toLocaleString('en-US')} stores; kept in bench/.data for later runs`);
  await server.administer(`drop database if exists ${database}`);
  await server.administer(`create database ${database}`);
  // Applies to this database and not to copies of it: a seed lost in a power cut is created again.
  await server.administer(`alter database ${database} set synchronous_commit = off`);
  const start = performance.now();
  const size = async () => {
    await server.administer('vacuum full analyze', database);
    const [{ bytes }] = await server.administer(`select pg_database_size('${database}')::float8 as bytes`);
    return bytes;
  };
  const storage = openPostgres({ url: server.address(database), maxConnections: 20 });
  const commerce = await openCommerce({ storage, upkeep: false });
  const empty = await size();
  const stores = await inParallel(count, (n) => makeStore(commerce, n + 1), atOnce);
  const withStores = await size();
  const places = stores.flatMap(({ id }, n) => Array.from({ length: productsOf(n + 1) }, () => ({ n, id })));
  await inParallel(
    places.length,
    async (i) => {
      const { n, id } = places[i];
      const product = await createProduct(await commerce.store(id), { ...productInput(i), status: 'published' });
      stores[n].products.push(product.id);
    },
    50,
  );
  const withProducts = await size();
  await inParallel(count, (n) => payOrder(commerce, stores[n]), atOnce);
  const withOrders = await size();
  await commerce.close();
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  console.log(`made in ${minutes} minutes, with ${places.length.toLocaleString('en-US')} products`);
  const file = dataFile(`scale/${database}-stores.json`);
  writeFileSync(file, JSON.stringify(stores));
  const bytes = {
    store: (withStores - empty) / count,
    product: (withProducts - withStores) / places.length,
    order: (withOrders - withProducts) / count,
  };
  const seeded = { database, file, bytes, products: places.length, fingerprint };
  writeFileSync(note, JSON.stringify(seeded));
  return seeded;
}

/** A new store with a key and a payment provider. */
async function makeStore(commerce, rank) {
  const { id } = await commerce.createStore({ name: `Store ${rank}`, currency: fleetCurrency });
  const shop = await commerce.store(id);
  const { key } = await createApiKey(shop, { name: 'Fleet', scopes: [...scopes] });
  await configureProvider(shop, 'stripe', { webhookSecret: fleetSecret });
  return { id, key, products: /** @type {string[]} */ ([]) };
}

/** Creates an order of the store and pays it with a notification like the provider's. */
async function payOrder(commerce, { id, products }) {
  const order = await createOrder(await commerce.store(id), { items: [{ productId: products[0], quantity: 1 }] });
  const { headers, body } = signedPayment(order, { secret: fleetSecret, currency: fleetCurrency });
  const { outcome } = await commerce.receiveNotification('stripe', { headers, body }, { storeId: id });
  if (outcome !== 'paid') throw new Error(`the payment of a new order was ${outcome}`);
}
