import { createServer } from 'node:http';
import { configureProvider, openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { simulateNotification } from '@commerce/core/testing';
import { startLimit, startServer, stop } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';
import { copyOf, dataFile, removeDatabase, seededIds } from '../harness/seed.mjs';

/** Notifications per measurement, by connections; they take a few seconds. */
const counts = { 1: 600, 50: 4000 };
const warmUp = 500;

/**
 * Measures how many notifications of each provider become paid orders in a second, over one connection and over fifty, compared with bare
 * durable commits. PayPal is a local stub, which is asked to verify each notification and for its order.
 */
export async function measureProviders(seeded, rounds) {
  const stub = await startPayPal();
  const file = copyOf(seeded, 'providers.db');
  const commerce = await openCommerce({ storage: openSqlite({ file }) });
  const shop = await commerce.store(seeded.storeId);
  const url = 'https://shop.example/hook';
  await configureProvider(shop, 'square', { signatureKey: 'benchmark', notificationUrl: url });
  const account = { clientId: 'benchmark', clientSecret: 'benchmark', webhookId: 'benchmark' };
  await configureProvider(shop, 'paypal', { ...account, apiBase: `http://127.0.0.1:${stub.address().port}` });
  const server = await startServer(file);
  const orders = seededIds('orders');
  let used = 0;
  const pay = async (provider, connections, count) => {
    const requests = [];
    for (const { id } of orders.slice(used, used + count)) {
      const { path, headers, body } = await simulateNotification(shop, { provider, orderId: id, event: 'succeeded' });
      requests.push({ method: 'POST', path, headers, body: Buffer.from(body) });
    }
    used += requests.length;
    return load({ url: server.url, requests, connections, child: server.child });
  };
  const limitFile = dataFile('limit.db');
  removeDatabase(limitFile);
  const limit = startLimit('commits', limitFile);
  const results = [];
  for (const provider of ['stripe', 'paypal', 'square']) {
    await pay(provider, 50, warmUp);
    for (const connections of [1, 50]) {
      const taken = [];
      for (let round = 0; round < rounds; round++) {
        const bound = await limit.ask({ seconds: 1.5, bytes: 1000 });
        taken.push({ bound, done: await pay(provider, connections, counts[connections]) });
      }
      const one = { provider, connections, taken };
      console.log(
        `${provider} over ${connections}: ${taken.map(({ done }) => Math.round(done.rate)).join(', ')} per second`,
      );
      results.push(one);
    }
  }
  await stop(limit.child);
  await stop(server.child);
  await expectPaid(commerce, used);
  await commerce.close();
  stub.close();
  for (const name of ['providers.db', 'limit.db']) removeDatabase(dataFile(name));
  return results;
}

/** Checks that every payment that was answered with 200 is in the file. */
async function expectPaid({ engine }, wanted) {
  const { n } = await engine.storage.db
    .selectFrom('orders')
    .select((eb) => eb.fn.countAll().as('n'))
    .where('status', '=', 'paid')
    .executeTakeFirstOrThrow();
  if (n !== wanted) throw new Error(`${wanted} notifications were answered, ${n} orders are paid`);
}

function startPayPal() {
  const payer = { payment_source: { paypal: { email_address: 'buyer@example.com', account_status: 'VERIFIED' } } };
  const server = createServer((request, response) => {
    request.resume();
    const { url = '' } = request;
    const answer = url.startsWith('/v1/oauth2/')
      ? { access_token: 'benchmark', token_type: 'Bearer', expires_in: 32_400 }
      : url.startsWith('/v2/checkout/')
        ? payer
        : { verification_status: 'SUCCESS' };
    response.setHeader('Content-Type', 'application/json');
    request.on('end', () => response.end(JSON.stringify(answer)));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

export function providersTable(results, median) {
  const of = (taken, value) => median(taken.map(value));
  return {
    head: [
      'provider',
      'connections',
      'notifications, per second',
      'of bare commits',
      'p50 / p99 ms',
      'processor time for one, µs',
    ],
    rows: results.map(({ provider, connections, taken }) => [
      provider,
      String(connections),
      Math.round(of(taken, ({ done }) => done.rate)).toLocaleString('en-US'),
      of(taken, ({ done, bound }) => done.rate / bound.rate).toFixed(2),
      `${of(taken, ({ done }) => done.p50).toFixed(1)} / ${of(taken, ({ done }) => done.p99).toFixed(1)}`,
      Math.round(of(taken, ({ done }) => done.cost ?? Number.NaN)).toString(),
    ]),
  };
}
