import { randomInt, randomUUID } from 'node:crypto';
import { configureProvider, openCommerce, updateSettings } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { startServer, startTalking, stop } from '../harness/children.mjs';
import { load, usualConnections } from '../harness/load.mjs';
import { copyOf, removeDatabase, seededIds } from '../harness/seed.mjs';
import { signedPayment } from '../harness/stripe-event.mjs';

const shop = 'https://shop.example';
const slowDelay = 300;
/** Requests per measurement; they take a few seconds. */
const counts = { notification: 4000, checkout: 3000, slow: 750 };

/**
 * Measures the checkouts per second at a local provider that answers immediately, and at one that takes 300 ms. Also compares the server's
 * cost of a checkout with that of a notification that pays an order.
 */
export async function measureCheckouts(seeded, rounds) {
  const { storeId, key, currency } = seeded;
  const provider = startTalking(new URL('./checkouts-child.mjs', import.meta.url), 'the provider');
  const { account } = await provider.ask({});
  const file = copyOf(seeded, 'checkouts.db');
  const commerce = await openCommerce({ storage: openSqlite({ file }) });
  const store = await commerce.store(storeId);
  await updateSettings(store, { returnUrls: [shop] });
  await configureProvider(store, 'stripe', account);
  const server = await startServer(file);
  const orders = seededIds('orders');
  // Every tenth product is a draft.
  const products = seededIds('products').filter((_, n) => n % 10 !== 0);
  let paid = 0;
  let opened = 0;
  const requests = {
    notification(count) {
      const some = orders.slice(paid, paid + count);
      paid += some.length;
      const signing = { secret: account.webhookSecret, currency };
      return some.map((order) => {
        const { body, headers } = signedPayment(order, signing);
        return { method: 'POST', path: `/api/webhooks/stripe/${storeId}`, headers, body };
      });
    },
    checkout(count) {
      opened += count;
      return Array.from({ length: count }, () => ({
        method: 'POST',
        path: `/stores/${storeId}/checkouts`,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          items: [{ productId: products[randomInt(products.length)], quantity: 1 }],
          customer: { email: `${randomUUID()}@buyer.example`, name: 'Ada Lovelace' },
          successUrl: `${shop}/thanks`,
          cancelUrl: `${shop}/cart`,
        }),
      }));
    },
  };
  const run = async (name, count = counts[name]) => {
    if (name === 'slow') await provider.ask({ slow: count, delay: slowDelay });
    const work = name === 'slow' ? 'checkout' : name;
    return load({
      url: server.url,
      requests: requests[work](count),
      connections: usualConnections,
      child: server.child,
    });
  };
  await run('notification', 1000);
  await run('checkout', 1000);
  const taken = [];
  for (let round = 1; round <= rounds; round++) {
    const one = { notification: await run('notification'), checkout: await run('checkout'), slow: await run('slow') };
    console.log(
      `checkouts ${round}: ${Object.entries(one)
        .map(([name, { rate, cost }]) => `${name} ${Math.round(rate)} per second, ${Math.round(cost ?? Number.NaN)} µs`)
        .join('; ')}`,
    );
    taken.push(one);
  }
  await stop(server.child);
  await stop(provider.child);
  await expectAll(commerce, { paid, opened });
  await commerce.close();
  removeDatabase(file);
  return taken;
}

/** Checks that every successfully answered request is in the file. */
async function expectAll({ engine }, { paid, opened }) {
  const count = async (query) => {
    const { n } = await query.select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow();
    return n;
  };
  const { db } = engine.storage;
  const there = {
    paid: await count(db.selectFrom('orders').where('status', '=', 'paid')),
    opened: await count(db.selectFrom('checkouts').where('state', '=', 'open')),
  };
  if (there.paid !== paid || there.opened !== opened) {
    throw new Error(`${paid} notifications and ${opened} checkouts were answered, ${JSON.stringify(there)} are there`);
  }
}

export function checkoutsTable(taken, median) {
  const of = (name, value) => median(taken.map((one) => value(one[name])));
  const row = (title, name) => [
    title,
    Math.round(of(name, ({ rate }) => rate)).toLocaleString('en-US'),
    `${of(name, ({ p50 }) => p50).toFixed(1)} / ${of(name, ({ p99 }) => p99).toFixed(1)}`,
    Math.round(of(name, ({ cost }) => cost ?? Number.NaN)).toLocaleString('en-US'),
    name === 'notification'
      ? '1'
      : median(taken.map((one) => (one[name].cost ?? Number.NaN) / (one.notification.cost ?? Number.NaN))).toFixed(2),
  ];
  return {
    head: ['work', 'per second', 'p50 / p99 ms', 'processor time for one, µs', 'of a notification'],
    rows: [
      row('Stripe notification → paid order, 1 item', 'notification'),
      row('`POST /stores/{s}/checkouts`, 1 item, provider answers at once', 'checkout'),
      row(`the same, provider takes ${slowDelay} ms`, 'slow'),
    ],
  };
}
