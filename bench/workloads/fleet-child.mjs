// Clients of a fleet of stores, in their own process. They send the requests of buyers and of shops to stores drawn by Zipf's law. They
// send either at a fixed rate without waiting for answers, or over a number of connections that each wait for their answers.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { answer } from '../harness/parent.mjs';
import { signedPayment } from '../harness/stripe-event.mjs';
import { fleetCurrency, fleetSecret } from './fleet-stores.mjs';

/** Shares of the started actions. An order is two requests: the order itself and, after its answer, the notification of its payment. */
const shares = [
  { kind: 'list', share: 0.3 },
  { kind: 'item', share: 0.5 },
  { kind: 'change', share: 0.12 },
  { kind: 'order', share: 0.08 },
];

/** Answers that are awaited after the end. */
const maxWait = 15_000;

/** @type {import('./fleet-stores.mjs').FleetStore[]} */
let stores = [];
/** Cumulative weights of the stores. */
let sums = new Float64Array();
/** @type {Pool[]} */
let pools = [];

process.on('message', async (/** @type {any} */ task) => {
  if (task.file) {
    stores = JSON.parse(readFileSync(task.file, 'utf8'));
    let sum = 0;
    sums = Float64Array.from(stores, (_, n) => (sum += 1 / (n + 1)));
    pools = task.urls.map((url) => new Pool(url, { connections: null, pipelining: 1 }));
    answer({ ready: stores.length });
    return;
  }
  answer({ started: true });
  answer(task.rate ? await sendAtRate(task) : await sendOver(task));
});
process.on('disconnect', () => process.exit(0));

/** The number of a store, drawn by Zipf's law with exponent 1: the first gets twice as many requests as the second. */
function drawStore() {
  const at = Math.random() * sums[sums.length - 1];
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle] > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function drawKind() {
  let left = Math.random();
  for (const { kind, share } of shares) {
    left -= share;
    if (left < 0) return kind;
  }
  return 'item';
}

const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** The measurements: kind, store number and milliseconds of each request, and refusals and faults by status. */
function newRecord() {
  return {
    kinds: /** @type {string[]} */ ([]),
    stores: /** @type {number[]} */ ([]),
    times: /** @type {number[]} */ ([]),
    lateness: /** @type {number[]} */ ([]),
    faults: /** @type {Record<string, number>} */ ({}),
  };
}

let turn = 0;

async function send(record, kind, n, request) {
  const start = performance.now();
  /** @type {number | string} */
  let status;
  let text = '';
  try {
    const response = await pools[turn++ % pools.length].request(request);
    status = response.statusCode;
    if (kind === 'order') text = await response.body.text();
    else await response.body.dump({ limit: 10_000_000 });
  } catch (error) {
    const { code, message } = /** @type {{ code?: string, message: string }} */ (error);
    status = code ?? message;
  }
  if (typeof status === 'number' && status >= 200 && status < 300) {
    record.kinds.push(kind);
    record.stores.push(n);
    record.times.push(performance.now() - start);
  } else if (n === 0 && status === 429) {
    // The busiest store has exceeded its limit.
    return undefined;
  } else {
    record.faults[`${kind} ${status}`] = (record.faults[`${kind} ${status}`] ?? 0) + 1;
    return undefined;
  }
  return text;
}

async function begin(record, kind, n) {
  const { id, key, products } = stores[n];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const path = `/stores/${id}`;
  switch (kind) {
    case 'list':
      return send(record, kind, n, { method: 'GET', path: `${path}/products?limit=20`, headers });
    case 'item':
      return send(record, kind, n, { method: 'GET', path: `${path}/products/${pick(products)}`, headers });
    case 'change': {
      const body = JSON.stringify({ price: `${Math.floor(Math.random() * 90) + 9}.90` });
      return send(record, kind, n, { method: 'PUT', path: `${path}/products/${pick(products)}`, headers, body });
    }
    default: {
      const items = [{ productId: pick(products), quantity: 1 }];
      const text = await send(record, 'order', n, {
        method: 'POST',
        path: `${path}/orders`,
        headers,
        body: JSON.stringify({ items }),
      });
      if (text === undefined) return undefined;
      const payment = signedPayment(JSON.parse(text).item, { secret: fleetSecret, currency: fleetCurrency });
      return send(record, 'payment', n, { method: 'POST', path: `/api/webhooks/stripe/${id}`, ...payment });
    }
  }
}

/** Starts a fixed number of actions a second, independently of the answers. */
async function sendAtRate({ rate, seconds }) {
  const record = newRecord();
  const underWay = new Set();
  const start = performance.now();
  let due = start;
  await new Promise((resolve) => {
    const tick = () => {
      const now = performance.now();
      for (; due <= now && due < start + seconds * 1000; due -= (Math.log(1 - Math.random()) * 1000) / rate) {
        record.lateness.push(now - due);
        const one = begin(record, drawKind(), drawStore()).finally(() => underWay.delete(one));
        underWay.add(one);
      }
      if (due >= start + seconds * 1000) resolve(undefined);
      else setTimeout(tick, 1);
    };
    tick();
  });
  const patience = new Promise((resolve) => setTimeout(resolve, maxWait).unref());
  await Promise.race([Promise.all(underWay), patience]);
  if (underWay.size > 0) record.faults['no answer'] = underWay.size;
  return packed(record, seconds * 1000);
}

/** Lets each of a number of connections send one request after the other. */
async function sendOver({ connections, seconds }) {
  const record = newRecord();
  const start = performance.now();
  const end = start + seconds * 1000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) await begin(record, drawKind(), drawStore());
    }),
  );
  return packed(record, performance.now() - start);
}

function packed({ kinds, stores, times, lateness, faults }, taken) {
  return {
    kinds,
    stores: Int32Array.from(stores),
    times: Float64Array.from(times),
    lateness: Float64Array.from(lateness),
    faults,
    taken,
  };
}
