import { randomInt, randomUUID } from 'node:crypto';
import { colors, things } from '../harness/catalogue.mjs';
import { stop } from '../harness/children.mjs';
import { usualConnections } from '../harness/load.mjs';
import { describe, median } from '../harness/statistics.ts';
import { signedPayment } from '../harness/stripe-event.mjs';
import { openLimit, runWorkload } from './first-table.mjs';
import { serve } from './scale.mjs';
import { currency, sellingStore, shopOrigin, sqliteStore } from './scale-stores.mjs';

/** Requests that warm up a write, whose rate then says how many a round sends. */
const warmUp = 1000;

const oneOf = (list) => list[randomInt(list.length)];

/** Paths below a store, each another, as the requests of a read. */
const reads = (path) => (served) =>
  Array.from({ length: 20_000 }, () => ({ method: 'GET', path: `${served.path}${path(served)}`, headers: served.key }));

/** Writes to a store, each with its own body. */
const writes = (request) => (served, count) => Array.from({ length: count }, () => request(served));

const published = 'status=published';

const pairs = colors.flatMap((color) => things.map((thing) => `${color}+${thing}`));

/** A page among the first 100 products. There are so many that hardly one is asked for twice: that would be a kept answer. */
const page = () => `${published}&limit=${randomInt(12, 61)}&offset=${randomInt(40)}`;

/**
 * What a shop does all day, in a shopkeeper's words. `rowBytes` means that a line writes, and is compared with commits. `totals` are lists whose
 * totals are counted once before the clock starts, as they are in a shop between two changes.
 */
const lines = [
  {
    name: 'product',
    title: 'Open a product, each time another',
    requests: reads(({ store }) => `/products/${oneOf(store.ids)}`),
  },
  {
    name: 'front',
    title: 'Open the front page: the newest 50 products, again and again',
    requests: reads(() => `/products?limit=50&${published}`),
  },
  {
    name: 'category',
    title: 'Open a page of a category by price, among its first 100 products',
    totals: ({ store }) => store.categoryIds.map((id) => `categoryId=${id}`),
    requests: reads(({ store }) => `/products?${page()}&sort=price&categoryId=${oneOf(store.categoryIds)}`),
  },
  {
    name: 'search',
    title: 'Search for a colour and a thing, among the first 100 found',
    totals: () => pairs.map((pair) => `search=${pair}`),
    requests: reads(() => `/products?${page()}&search=${oneOf(pairs)}`),
  },
  {
    name: 'order',
    title: 'Order one product, to be paid by bank transfer',
    rowBytes: 1000,
    requests: writes(({ path, key, store }) => ({
      method: 'POST',
      path: `${path}/checkouts`,
      headers: { ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify({
        items: [{ productId: oneOf(store.sold), quantity: 1 }],
        customer: { email: `${randomUUID()}@buyer.example`, name: 'Ada Lovelace' },
        successUrl: `${shopOrigin}/thanks`,
        cancelUrl: `${shopOrigin}/cart`,
      }),
    })),
  },
  {
    name: 'payment',
    title: 'Receive a payment: the notification of Stripe makes an order paid',
    rowBytes: 1000,
    left: ({ store }) => store.orders.length,
    requests: ({ store }, count) =>
      store.orders.splice(0, count).map((order) => ({
        method: 'POST',
        path: `/api/webhooks/stripe/${store.storeId}`,
        ...signedPayment(order, { secret: store.secret, currency }),
      })),
  },
  {
    name: 'create',
    title: 'Add a product',
    rowBytes: 1000,
    requests: writes((served) => ({
      method: 'POST',
      path: `${served.path}/products`,
      headers: { ...served.key, 'Content-Type': 'application/json' },
      body: JSON.stringify(served.nextProduct()),
    })),
  },
  {
    name: 'price',
    title: 'Change the price of a product',
    rowBytes: 1000,
    requests: writes(({ path, key, store }) => ({
      method: 'PUT',
      path: `${path}/products/${oneOf(store.ids)}`,
      headers: { ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ price: `${randomInt(9, 99)}.90` }),
    })),
  },
];

/**
 * Measures what a shop does all day over 50 connections, in a store of each size and beside the limit of the machine. Within a round the
 * limit and all sizes take turns, so that other load of the machine meets all of them.
 * @param {number[]} sizes
 * @param {{ rounds: number, seconds: number }} length
 */
export async function measureSizes(sizes, length) {
  const served = [];
  for (const count of sizes) served.push(await open(await sellingStore(await sqliteStore(count))));
  const measured = [];
  for (const line of lines) measured.push(await measureLine(line, served, length));
  for (const { server, client, store } of served) {
    client.close();
    await stop(server.child);
    await store.remove();
  }
  return { sizes, lines: measured };
}

async function open(store) {
  const one = await serve(store);
  return { ...one, path: `/stores/${store.storeId}`, key: { Authorization: `Bearer ${store.key}` } };
}

async function measureLine(line, served, { rounds, seconds }) {
  const isWrite = line.rowBytes !== undefined;
  /** The requests of a line to one store, as a workload of the first table. */
  const works = served.map((one) => ({
    once: isWrite,
    requests: (/** @type {number} */ count) => line.requests(one, count),
    sample: () => line.requests(one)[0],
  }));
  const middle = served.length >> 1;
  for (const one of served) {
    for (const query of line.totals?.(one) ?? []) await one.client.get(`/products?${published}&limit=1&${query}`);
  }
  const limit = await openLimit({ ...works[middle], rowBytes: line.rowBytes }, served[middle].server);
  await limit.run(1);
  const warm = [];
  for (const [i, work] of works.entries()) warm.push(await runWorkload(work, served[i].server, 1, warmUp));
  const taken = [];
  for (let round = 1; round <= rounds; round++) {
    const bound = await limit.run(seconds);
    console.log(`${line.name} ${round}: limit ${describe(bound)}`);
    const done = [];
    for (const [i, work] of works.entries()) {
      const left = (line.left?.(served[i]) ?? Number.POSITIVE_INFINITY) / (rounds - round + 1);
      const result = await runWorkload(work, served[i].server, seconds, Math.min(warm[i].rate * seconds, left));
      console.log(`  ${served[i].store.count} products: ${describe(result)}`);
      done.push(result);
    }
    taken.push({ bound, done });
  }
  await limit.stop();
  const of = (/** @type {(round: typeof taken[number]) => number} */ pick) => median(taken.map(pick));
  return {
    name: line.name,
    title: line.title,
    isWrite,
    limit: of(({ bound }) => bound.rate),
    // Commits wait for the disk, not for a processor.
    limitCost: isWrite ? undefined : of(({ bound }) => bound.cost ?? Number.NaN),
    figures: served.map((_, i) => ({
      rate: of(({ done }) => done[i].rate),
      share: of(({ done, bound }) => done[i].rate / bound.rate),
      p50: of(({ done }) => done[i].p50),
      p99: of(({ done }) => done[i].p99),
      cost: of(({ done }) => done[i].cost ?? Number.NaN),
    })),
  };
}

const number = (value) => value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 });
const whole = (value) => Math.round(value).toLocaleString('en-US');
const share = (value) => (value < 0.1 ? value.toPrecision(1) : value.toFixed(2));

/** The first table of the page: what a shop does, how fast at each size, beside the limit. */
export function sizesTable({ sizes, lines: measured }) {
  return {
    head: [
      `${usualConnections} clients at once; per second, then p50 / p99 ms`,
      ...sizes.map((count) => `${number(count)} products`),
      'limit of this machine, per second',
      'of the limit',
      'processor time for one, µs',
    ],
    rows: measured.map(({ title, isWrite, limit, limitCost, figures }) => [
      title,
      ...figures.map(({ rate, p50, p99 }) => `**${number(rate)}**, ${number(p50)} / ${number(p99)}`),
      `${number(limit)} ${isWrite ? 'bare commits' : 'bare answers'}`,
      figures.map((one) => share(one.share)).join(', '),
      `${figures.map(({ cost }) => whole(cost)).join(', ')}${limitCost === undefined ? '' : ` (limit ${whole(limitCost)})`}`,
    ]),
  };
}

/**
 * Lines of the plots: one for each work, with its rate by the number of products.
 * @returns {Record<string, import('../harness/results.mjs').Series[]>}
 */
export function sizesSeries({ sizes, lines: measured }) {
  const drawn = { product: 'open a product', front: 'front page', category: 'category', search: 'search' };
  const written = { order: 'order', payment: 'payment', create: 'add a product', price: 'change a price' };
  const of = (/** @type {Record<string, string>} */ names) =>
    measured
      .filter(({ name }) => name in names)
      .map(({ name, figures }) => ({ title: names[name], points: sizes.map((size, i) => [size, figures[i].rate]) }));
  return { 'sizes-reads': of(drawn), 'sizes-writes': of(written) };
}
