// The store inside an application of your own: no server, no port. Run it with `node main.js [database file]`.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configureProvider, createOrder, createProduct, getOrder, getProduct, openCommerce } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
// Your application gets its notifications from Stripe; here we sign one as Stripe would.
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), 'commerce-example-')), 'shop.db');
const commerce = await openCommerce({ storage: openSqlite({ file }) });

// Every operation takes the store's context first; it says which store, and who acts.
const { id } = await commerce.createStore({ name: 'Mugs & more', currency: 'EUR' });
const shop = await commerce.store(id);

const mug = await createProduct(shop, {
  title: 'Blue mug',
  slug: 'blue-mug',
  sku: 'MUG-BLUE',
  price: '12.50',
  status: 'published',
  trackStock: true,
  stock: 10,
});

// The checkout makes a pending order and puts its id into the payment's metadata as `order_id`.
const pending = await createOrder(shop, {
  customer: { email: 'ada@example.com', name: 'Ada' },
  items: [{ sku: 'MUG-BLUE', quantity: 2 }],
  shipping: '4.90',
  taxRate: '0.19',
});
console.log(`${pending.orderNumber} is ${pending.status}: ${pending.total} ${pending.currency}`);

// The webhook handler hands the raw bytes and the headers on. Nothing else can make the order paid.
const secret = 'whsec_example';
await configureProvider(shop, 'stripe', { webhookSecret: secret });
const event = stripePaymentSucceeded({
  orderId: pending.id,
  amount: Number(pending.total.replace('.', '')),
  currency: 'eur',
});
const answer = await commerce.receiveNotification('stripe', signStripe(event, secret, Date.now()), {
  storeId: id,
});

const paid = await getOrder(shop, pending.id);
const left = (await getProduct(shop, mug.id)).stock;
console.log(
  `notification: ${answer.outcome}; ${paid.orderNumber} is ${paid.status}, paid at ${paid.paidAt}; ${left} mugs left`,
);

await commerce.close();
