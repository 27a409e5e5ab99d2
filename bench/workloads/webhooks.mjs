import { mkdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createProduct, openCommerce } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';
import { commerce, processorTime, residentMemory, startServer, startTalking, stop } from '../harness/children.mjs';
import { startPostgres } from '../harness/postgres.mjs';
import { dataFile, inParallel, removeDatabase } from '../harness/seed.mjs';

/** Sizes of each measurement; smaller ones are enough for a first look. */
export const usualWebhooks = {
  rate: 1000,
  seconds: 60,
  queued: 100_000,
  pairs: 3,
  fairSeconds: 10,
  engines: ['sqlite', 'postgres'],
};

/** A store on one engine, with a server and subscribers. */
async function openShop(engine, server, name) {
  const file = dataFile(`webhooks-${name}.db`);
  let address = file;
  let remove = async () => removeDatabase(file);
  if (engine === 'postgres') {
    const database = `webhooks_${name}`;
    await server.administer(`drop database if exists ${database}`);
    await server.administer(`create database ${database}`);
    address = server.address(database);
    remove = () => server.administer(`drop database ${database} with (force)`);
  } else removeDatabase(file);
  const { store, apiKey } = await commerce('init', '--db', address, '--name', 'Benchmark', '--currency', 'EUR');
  const open = () =>
    openCommerce({
      storage: engine === 'postgres' ? openPostgres({ url: address }) : openSqlite({ file }),
      allowInsecureWebhooks: true,
    });
  const instance = await open();
  const shop = await instance.store(store.id);
  const product = (n) => createProduct(shop, { title: `Mug ${n}`, slug: `mug-${n}`, price: '10' });
  const products = (await inParallel(200, product, 50)).map(({ id }) => id);
  await instance.close();
  return { engine, address, open, remove, storeId: store.id, key: apiKey.key, products };
}

const serve = (shop) => startServer(shop.address, [], ['--allow-insecure-webhooks', '--log', 'off']);

async function subscribe(shop, url, hook, events = ['product.updated']) {
  const answer = await fetch(`${url}/stores/${shop.storeId}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: hook, events }),
  });
  if (answer.status !== 201) throw new Error(`a subscription was answered with ${answer.status}`);
}

async function subscribers(kinds) {
  const child = startTalking(new URL('./hooks-child.mjs', import.meta.url), 'the subscribers');
  const { urls } = await child.ask({ start: kinds });
  return { ...child, urls, count: () => child.ask({}), close: () => stop(child.child) };
}

/** Updates products at a steady rate, each time with the time in the title. */
async function write({ url }, shop, { rate, seconds, connections = 64 }) {
  const writer = startTalking(new URL('./hooks-writer.mjs', import.meta.url), 'the writer');
  const path = `/stores/${shop.storeId}/products`;
  const result = await writer.ask({ url, path, key: shop.key, products: shop.products, rate, seconds, connections });
  if (result.failed > 0) throw new Error(`${result.failed} updates failed`);
  return result;
}

async function allArrived(hooks, expected, patience = 120) {
  const begin = performance.now();
  let last = -1;
  for (;;) {
    const { arrived } = await hooks.count();
    if (arrived >= expected) return;
    if (arrived !== last) last = arrived;
    else if (performance.now() - begin > patience * 1000) throw new Error(`${arrived} of ${expected} arrived`);
    await sleep(100);
  }
}

const at = (sorted, share) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;

/** Events at a steady rate to one subscriber that answers: measures from each causing request to the arrival. */
async function measureLoad(shop, { rate, seconds }) {
  const hooks = await subscribers(['ok']);
  const server = await serve(shop);
  await subscribe(shop, server.url, hooks.urls[0]);
  await write(server, shop, { rate: 200, seconds: 3 });
  await allArrived(hooks, 600);
  await hooks.ask({ times: true });
  const before = processorTime(server.child) ?? Number.NaN;
  const sent = await write(server, shop, { rate, seconds });
  const lag = sent.answered - (await hooks.count()).arrived;
  await allArrived(hooks, sent.answered);
  const used = (processorTime(server.child) ?? Number.NaN) - before;
  const { times, copies } = await hooks.ask({ times: true });
  const memory = await residentMemory(server.child);
  await stop(server.child);
  await hooks.close();
  return { engine: shop.engine, sent, times, copies, lag, memory, busy: used / 1000 / sent.taken };
}

/** Subscribers in addition to the 50 that answer; they also get every event. */
const beside = { nothing: [], 'that answer': Array(50).fill('ok'), 'that hang': Array(50).fill('hang') };

/** Measures how hanging subscribers, half of all, affect the others, the memory and the interface. Alternates with runs without them. */
async function measureFairness(engine, server, { pairs, fairSeconds }) {
  const none = () => /** @type {number[]} */ ([]);
  const results = Object.keys(beside).map((kind) => ({ kind, arrivals: none(), answers: none(), memory: none() }));
  for (let pair = 0; pair < pairs; pair++) {
    for (const result of pair % 2 === 0 ? results : results.toReversed()) {
      const { kind } = result;
      const shop = await openShop(engine, server, 'fairness');
      const hooks = await subscribers([...Array(50).fill('ok'), ...beside[kind]]);
      const answering = kind === 'that answer' ? 100 : 50;
      const served = await serve(shop);
      for (const hook of hooks.urls) await subscribe(shop, served.url, hook);
      // 10 updates a second are 500 deliveries to the answering subscribers.
      const sent = await write(served, shop, { rate: 10, seconds: fairSeconds });
      await allArrived(hooks, sent.answered * answering);
      const memory = await residentMemory(served.child);
      const { times } = await hooks.ask({ times: true });
      result.arrivals.push(...times);
      result.answers.push(...sent.times);
      result.memory.push(memory);
      console.log(
        `fairness ${engine}, beside ${kind}: arrival p99 ${at(times, 0.99)} ms, API p99 ${at(sent.times, 0.99).toFixed(1)} ms, ${memory.toFixed(0)} MB`,
      );
      await stop(served.child);
      await hooks.close();
      await shop.remove();
    }
  }
  return { engine, results };
}

/** A long queue waits for a dead subscriber while another one still gets events; then the dead one comes back. */
async function measureBacklog(shop, { queued }) {
  const hooks = await subscribers(['dead', 'ok']);
  const instance = await shop.open();
  const ctx = await instance.store(shop.storeId);
  let server = await serve(shop);
  await subscribe(shop, server.url, hooks.urls[0], ['product.created']);
  await subscribe(shop, server.url, hooks.urls[1]);
  await stop(server.child);
  const product = (n) => createProduct(ctx, { title: `Queued ${n}`, slug: `queued-${n}`, price: '10' });
  await inParallel(queued, product, shop.engine === 'postgres' ? 50 : 512);
  await instance.close();
  if (shop.engine === 'postgres') await shop.vacuum();
  server = await serve(shop);
  const idle = await residentMemory(server.child);
  await sleep(3000);
  const before = processorTime(server.child) ?? Number.NaN;
  const sent = await write(server, shop, { rate: 50, seconds: 15 });
  const busy = ((processorTime(server.child) ?? Number.NaN) - before) / 1000 / sent.taken;
  await allArrived(hooks, sent.answered);
  const { times } = await hooks.ask({ times: true });
  const memory = await residentMemory(server.child);
  await hooks.ask({ revive: true });
  const rates = [];
  let [
    {
      counts: [last],
    },
    since,
  ] = [await hooks.count(), performance.now()];
  // A delivery that failed during the outage comes back on its schedule, so the end of the queue is not awaited.
  for (let quiet = 0, second = 0; quiet < 3 && second < 120 && last < queued * 0.95; second++) {
    await sleep(1000);
    const { counts } = await hooks.count();
    const now = performance.now();
    const rate = ((counts[0] - last) * 1000) / (now - since);
    rates.push(rate);
    quiet = rate < 1 && second > 30 ? quiet + 1 : 0;
    [last, since] = [counts[0], now];
  }
  const peak = await residentMemory(server.child);
  await stop(server.child);
  await hooks.close();
  console.log(`backlog ${shop.engine}: drained ${last}, per second: ${rates.map(Math.round).join(' ')}`);
  return { engine: shop.engine, times, busy, idle, memory, peak, rates, drained: last, api: at(sent.times, 0.99) };
}

/** Runs all three on each engine. */
export async function measureWebhooks(options = usualWebhooks, parts = ['load', 'fairness', 'backlog']) {
  mkdirSync(dataFile(''), { recursive: true });
  const server = options.engines.includes('postgres') ? await startPostgres(dataFile('postgres')) : undefined;
  /** @type {Record<'load' | 'fairness' | 'backlog', object[]>} */
  const results = { load: [], fairness: [], backlog: [] };
  try {
    for (const engine of options.engines) {
      for (const [part, measure] of Object.entries({ load: measureLoad, backlog: measureBacklog })) {
        if (!parts.includes(part)) continue;
        const shop = await openShop(engine, server, part);
        shop.vacuum = () => server?.administer('vacuum analyze', `webhooks_${part}`);
        results[part].push(await measure(shop, options));
        await shop.remove();
      }
      if (parts.includes('fairness')) results.fairness.push(await measureFairness(engine, server, options));
    }
  } finally {
    await server?.stop();
  }
  return results;
}

export function webhooksTables({ load, fairness, backlog }, median) {
  const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
  const mb = (value) => `${Math.round(value)} MB`;
  const tables = [];
  if (load.length > 0) {
    tables.push({
      head: [
        'load: one subscriber',
        'events',
        'per second',
        'arrived',
        'twice',
        'p50',
        'p99',
        'longest',
        'processor',
        'memory',
      ],
      rows: load.map(({ engine, sent, times, copies, busy, memory }) => [
        engine,
        String(sent.answered),
        String(Math.round(sent.answered / sent.taken)),
        String(times.length),
        String(copies),
        ms(at(times, 0.5)),
        ms(at(times, 0.99)),
        ms(at(times, 1)),
        `${Math.round(busy * 100)} %`,
        mb(memory),
      ]),
    });
  }
  if (fairness.length > 0) {
    const sorted = (values) => Float64Array.from(values).sort();
    const row = (engine, { kind, arrivals, answers, memory }) => [
      `${engine}, ${kind === 'nothing' ? 'only these' : `with 50 ${kind}`}`,
      ...[arrivals, answers].flatMap((values) => [0.5, 0.99].map((share) => ms(at(sorted(values), share)))),
      mb(median(memory)),
    ];
    tables.push({
      head: ['fairness: 50 subscribers that answer', 'arrival p50', 'arrival p99', 'API p50', 'API p99', 'memory'],
      rows: fairness.flatMap(({ engine, results }) => results.map((result) => row(engine, result))),
    });
  }
  if (backlog.length > 0) {
    tables.push({
      head: [
        'backlog of a dead subscriber',
        'others p50',
        'others p99',
        'API p99',
        'processor',
        'memory before / with / after',
        'drained per second, median',
        'least',
        'most',
      ],
      rows: backlog.map(({ engine, times, api, busy, idle, memory, peak, rates }) => {
        const under = rates.slice(1, -1);
        return [
          engine,
          ms(at(times, 0.5)),
          ms(at(times, 0.99)),
          ms(api),
          `${Math.round(busy * 100)} %`,
          `${mb(idle)} / ${mb(memory)} / ${mb(peak)}`,
          ...[median(under), Math.min(...under), Math.max(...under)].map((rate) => String(Math.round(rate))),
        ];
      }),
    });
  }
  return tables;
}
