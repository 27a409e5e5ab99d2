import { setTimeout as sleep } from 'node:timers/promises';
import { commonWord, rarePair } from '../harness/catalogue.mjs';
import { startServer, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { describe, median } from '../harness/statistics.ts';
import { sqliteStore } from './scale-stores.mjs';

/** The factor by which the p99 of reads can grow during the searches. */
const most = 3;
const seconds = 5;
const readers = 4;
const changesPerSecond = 20;

/** The searches that read the most rows: two letters are in no index, and the word is in three products of ten. */
const searches = [
  '/products?limit=50&search=ze',
  `/products?limit=50&search=${commonWord}&status=published`,
  `/products?limit=50&offset=20000&search=${commonWord}`,
  `/products/by-attributes?limit=50&offset=100000&size=m`,
  `/products/by-attributes?limit=50&color=${rarePair.color}&material=${rarePair.material}`,
];

/**
 * Measures how long reads of single products take while another client makes the worst searches of the same store. Titles change after each
 * search, so that no answer is remembered. Compares this with reads during only the changes.
 */
export async function measureBeside(rounds, count) {
  const store = await sqliteStore(count);
  const server = await startServer(store.address);
  const path = `/stores/${store.storeId}`;
  const headers = { authorization: `Bearer ${store.key}` };
  const requests = Array.from({ length: 5000 }, (_, n) => ({
    method: 'GET',
    path: `${path}/products/${store.ids[n % store.ids.length]}`,
    headers,
  }));
  const measure = async (work) => {
    const measured = await load({ url: server.url, requests, seconds, connections: readers, child: server.child });
    console.log(`${work}: ${describe(measured)}`);
    return measured;
  };
  const results = [];
  try {
    for (let round = 1; round <= rounds; round++) {
      const writer = changeTitles(server.url + path, headers, store.ids);
      const quiet = await measure(`${round} beside changes`);
      const searcher = search(server.url + path, headers);
      const beside = await measure(`${round} beside changes and searches`);
      results.push({ quiet, beside, ...(await searcher.stop()), changes: await writer.stop() });
    }
  } finally {
    await stop(server.child);
    await store.remove();
  }
  return { count, results };
}

/** Changes titles until it is stopped; returns how many it has changed. */
function changeTitles(url, headers, ids) {
  let isStopped = false;
  let changed = 0;
  const run = async () => {
    while (!isStopped) {
      const next = sleep(1000 / changesPerSecond);
      const id = ids[changed % ids.length];
      const response = await fetch(`${url}/products/${id}`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `changed ${changed++}` }),
      });
      if (!response.ok) throw new Error(`a change was answered with ${response.status}`);
      await response.arrayBuffer();
      await next;
    }
  };
  const running = run();
  return {
    async stop() {
      isStopped = true;
      await running;
      return changed;
    },
  };
}

/** Sends searches one after the other until it is stopped. */
function search(url, headers) {
  let isStopped = false;
  let answered = 0;
  let refused = 0;
  const run = async () => {
    while (!isStopped) {
      const response = await fetch(url + searches[(answered + refused) % searches.length], { headers });
      if (response.ok) answered++;
      else if (response.status === 503) refused++;
      else throw new Error(`a search was answered with ${response.status}`);
      await response.arrayBuffer();
    }
  };
  const running = run();
  return {
    async stop() {
      isStopped = true;
      await running;
      return { answered, refused };
    },
  };
}

export function besideTable({ count, results }) {
  const of = (pick) => median(results.map(pick));
  const ratio = of(({ quiet, beside }) => beside.p99 / quiet.p99);
  const times = (pick) => `${of((one) => pick(one).p50).toFixed(2)} / ${of((one) => pick(one).p99).toFixed(2)}`;
  const perSecond = (pick) => (of(pick) / seconds).toFixed(1);
  return {
    head: [
      `\`GET\` of a product out of ${count.toLocaleString('en-US')}, ${readers} connections`,
      'p50 / p99 ms',
      'of the quiet p99',
      'at most',
    ],
    rows: [
      [`during ${changesPerSecond} changes of titles a second`, times(({ quiet }) => quiet), '', ''],
      [
        `the same, and ${perSecond(({ answered }) => answered)} of the worst searches a second, one after the other`,
        times(({ beside }) => beside),
        `${ratio.toFixed(2)} times`,
        `${most} ${ratio <= most ? '✓' : '✗'}`,
      ],
    ],
  };
}
