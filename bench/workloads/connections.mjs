import { randomInt } from 'node:crypto';
import { startServer, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { copyOf, productInput, seededFile, seededIds } from '../harness/seed.mjs';
import { median } from '../harness/statistics.ts';

/** Numbers of connections, and the products that each run creates over them. */
const counts = [1, 10, 50, 200, 500];
const createdOver = (connections) => Math.min(4000, 200 + connections * 50);

/**
 * Measures one server over few connections and over many. The counts alternate, so that disturbances of the machine affect all of them.
 * @param {number} rounds
 * @param {number} seconds
 */
export async function measureConnections(rounds, seconds) {
  const seeded = await seededFile();
  const { child, url } = await startServer(copyOf(seeded, 'connections.db'), [], ['--log', 'off']);
  const products = seededIds('products');
  const headers = { Authorization: `Bearer ${seeded.key}` };
  const path = `/stores/${seeded.storeId}/products`;
  let made = 4_000_000;
  const reads = () =>
    Array.from({ length: 20_000 }, () => ({
      method: 'GET',
      path: `${path}/${products[randomInt(products.length)]}`,
      headers,
    }));
  const creates = (count) =>
    Array.from({ length: count }, () => ({
      method: 'POST',
      path,
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(productInput(made++)),
    }));
  await load({ url, requests: creates(1000), child });
  const measured = counts.map(() => ({ get: /** @type {object[]} */ ([]), post: /** @type {object[]} */ ([]) }));
  for (let round = 0; round < rounds; round++) {
    for (const [i, connections] of counts.entries()) {
      const get = await load({ url, requests: reads(), seconds, connections, child });
      const post = await load({ url, requests: creates(createdOver(connections)), connections, child });
      measured[i].get.push(get);
      measured[i].post.push(post);
      console.log(`${connections} connections: GET ${Math.round(get.rate)}/s, POST ${Math.round(post.rate)}/s`);
    }
  }
  await stop(child);
  return measured;
}

const of = (results, name) => median(results.map((one) => one[name]));

/** The figures as rows of a table. */
export function connectionsTable(measured) {
  const whole = (value) => Math.round(value).toLocaleString('en-US');
  const latency = (results) => `${of(results, 'p50').toFixed(1)} / ${of(results, 'p99').toFixed(1)}`;
  return {
    head: [
      'connections',
      '`GET` of a product, a second',
      'p50 / p99 ms',
      '`POST` of a product, a second',
      'p50 / p99 ms',
    ],
    rows: measured.map(({ get, post }, i) => [
      whole(counts[i]),
      whole(of(get, 'rate')),
      latency(get),
      whole(of(post, 'rate')),
      latency(post),
    ]),
  };
}

/**
 * Requests a second by the number of connections.
 * @returns {Record<string, import('../harness/results.mjs').Series[]>}
 */
export function connectionsSeries(measured) {
  const line = (name) => measured.map((one, i) => [counts[i], of(one[name], 'rate')]);
  return {
    'connections-get': [{ title: 'GET of a product', points: line('get') }],
    'connections-post': [{ title: 'POST of a product', points: line('post') }],
  };
}
