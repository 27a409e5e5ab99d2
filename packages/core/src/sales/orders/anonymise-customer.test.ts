import { auditOf, emittedBy, eventsOf, newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, send } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, snapshot } from '@commerce/test-support/harness/denied';
import { inParallel } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';
import {
  anonymiseCustomer,
  type Context,
  type Customer,
  confirmFromInbox,
  createCustomer,
  createOrder,
  createWebhook,
  getCustomer,
  getOrder,
  getProduct,
  listAuditLogs,
  listCustomers,
  listOrders,
  type Order,
  updateCustomer,
  updateOrder,
  updateProduct,
} from '../../index.ts';
import { uuidV7Source } from '../../kernel/ids.ts';
import { fakeClock } from '../../testing/index.ts';

const ids = uuidV7Source();

/** Every word that identifies Ada or her address. No other data of these tests contains one of them, and no id can end with one. */
const person = [
  'lovelace',
  'ada@analytical',
  'analytical',
  'squarehouse',
  'mayfair',
  'w1k-2hp',
  '7946-0958',
  'gb980780684',
  'loves exports',
  'doorbell',
  'byron',
  'augusta',
  'annabella',
  'ockham',
];
const address = {
  firstName: 'Augusta',
  lastName: 'Lovelace',
  company: 'Analytical Ltd',
  address1: '12 Squarehouse',
  address2: 'Byron wing',
  city: 'Mayfair',
  region: 'Greater London',
  postalCode: 'W1K-2HP',
  country: 'GB',
  phone: '+44 7946-0958',
};
const forgotten = {
  firstName: null,
  lastName: null,
  address1: null,
  address2: null,
  city: null,
  region: 'Greater London',
  postalCode: null,
  country: 'GB',
  company: null,
  phone: null,
};
const contact = {
  email: 'Ada@Analytical.example',
  name: 'Ada Lovelace',
  phone: '+44 7946-0958',
  vatId: 'GB980780684',
};
/** The person in Stripe's notifications, in a charge and in a checkout session. */
const payer = {
  email: contact.email,
  name: contact.name,
  phone: contact.phone,
  address: {
    line1: '12 Squarehouse',
    line2: null,
    city: 'Mayfair',
    state: null,
    postal_code: 'W1K-2HP',
    country: 'GB',
  },
};

forEachStorage('the anonymisation of a customer', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  const now = () => new Date(clock.now()).toISOString();

  async function openShop() {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const mug = await newProduct(shop, { title: 'Mug', price: '10', sku: 'MUG', trackStock: true, stock: 10 });
    return { shop, mug };
  }
  const addAda = (shop: Context, more: object = {}) =>
    createCustomer(shop, {
      ...contact,
      addresses: [{ ...address, isDefault: true }],
      metadata: { crm: 'Ockham' },
      tags: ['Byronist'],
      ...more,
    });
  const orderOf = (shop: Context, customerId: string, more: object = {}) =>
    createOrder(shop, {
      items: [{ sku: 'MUG', quantity: 1, options: { Engraving: 'To my Augusta' } }],
      customerId,
      giftNote: 'With love, your Annabella',
      metadata: { nick: 'Ockhamite' },
      shippingAddress: address,
      billingAddress: { ...address, city: 'Mayfair' },
      customerNote: 'The doorbell says Lovelace',
      taxExempt: { reason: 'other', note: 'Loves exports' },
      ...more,
    });

  /** Words about the person found in any table of the database, in any case; other tests' stores are excluded. */
  async function remembered(shop: Context): Promise<string[]> {
    const rows = Object.values(await snapshot(commerce())).flat();
    const own = rows.filter((row) => row.includes(shop.store.id) || !row.includes('"store_id"'));
    const dump = own.join('\n').toLowerCase();
    return person.filter((word) => dump.includes(word));
  }

  it('leaves an id without a person, under an e-mail that cannot exist', async () => {
    const { shop } = await openShop();
    const before = await addAda(shop);
    expect(await remembered(shop)).not.toEqual([]);
    clock.advance(1000);
    const types = await emittedBy(shop, async () => {
      expect(await anonymiseCustomer(shop, before.id)).toEqual({
        id: before.id,
        storeId: shop.store.id,
        email: `anonymised-${before.id}@customer.invalid`,
        name: null,
        phone: null,
        vatId: null,
        marketingOptIn: false,
        defaultAddressId: null,
        addresses: [],
        metadata: {},
        tags: [],
        orderCount: 0,
        totalSpent: '0.00',
        lastOrderAt: null,
        createdAt: before.createdAt,
        kept: { invoices: 0, until: null },
        updatedAt: now(),
      });
    });
    expect(types).toEqual(['customer.updated']);
    const after = await getCustomer(shop, before.id);
    expect((await eventsOf(shop)).at(-1)).toMatchObject({ resourceId: before.id, data: after });
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'customer.anonymised',
      resource_type: 'customer',
      resource_id: before.id,
      changes: '{}',
    });
    for (const query of [{ email: contact.email }, { search: 'lovelace' }, { search: '7946' }]) {
      expect(await listCustomers(shop, query)).toEqual({ items: [], total: 0 });
    }
    expect(await listCustomers(shop)).toEqual({ items: [after], total: 1 });
    expect(await remembered(shop)).toEqual([]);
    // The e-mail is free again, so the same person comes back as a new customer.
    const again = await createCustomer(shop, { email: 'ada@analytical.example' });
    expect(again.id).not.toBe(before.id);
    await anonymiseCustomer(shop, again.id);
  });

  it('keeps the orders with their lines and payments, and region and country alone of their addresses', async () => {
    const { shop, mug } = await openShop();
    const { id } = await addAda(shop, { vatId: null });
    const [paid, pending, bare] = [
      await orderOf(shop, id),
      await orderOf(shop, id, { billingAddress: null }),
      await createOrder(shop, { items: [{ sku: 'MUG', quantity: 2 }], customerId: id }),
    ];
    const charge = payment(paid.id, 1000);
    await send(shop, charge.intentSucceeded());
    await send(shop, charge.chargeSucceeded());
    const before = await getOrder(shop, paid.id);
    clock.advance(1000);
    const types = await emittedBy(shop, () => anonymiseCustomer(shop, id));
    expect(types).toEqual(['order.updated', 'order.updated', 'customer.updated']);
    const taxExempt = { reason: 'other', note: null };
    const person = {
      ...{ shippingAddress: forgotten, customerNote: null, taxExempt, updatedAt: now() },
      ...{ giftNote: null, metadata: {} },
    };
    const plain = ({ items }: Order) => items.map((item) => ({ ...item, options: {} }));
    expect(await getOrder(shop, paid.id)).toEqual({
      ...{ ...before, ...person, billingAddress: forgotten, items: plain(before) },
    });
    expect(await getOrder(shop, pending.id)).toEqual({
      ...{ ...pending, ...person, billingAddress: null, items: plain(pending) },
    });
    // Unchanged, because it held nothing about her.
    expect(await getOrder(shop, bare.id)).toEqual(bare);
    expect((await listOrders(shop, { customerId: id })).total).toBe(3);
    expect((await listOrders(shop, { status: 'paid' })).total).toBe(1);
    expect((await getProduct(shop, mug.id)).stock).toBe(9);
    const entries = (await auditOf(shop)).filter((entry) => entry.action === 'order.anonymised');
    expect(entries.map((entry) => [entry.resource_id, entry.changes])).toEqual([
      [paid.id, '{}'],
      [pending.id, '{}'],
    ]);
    expect(await remembered(shop)).toEqual([]);
    // The order that was pending can still be paid, and says so.
    expect(await send(shop, payment(pending.id, 1000).intentSucceeded())).toMatchObject({ outcome: 'paid' });
    expect(await getOrder(shop, pending.id)).toMatchObject({ status: 'paid', shippingAddress: forgotten });
  });

  it('removes from the audit log what an order had in its metadata, and keeps the other changes', async () => {
    const { shop } = await openShop();
    const { id } = await addAda(shop);
    const order = await orderOf(shop, id);
    await updateOrder(shop, order.id, { metadata: { nick: 'Byronist' }, merchantNote: 'Fragile' });
    await updateOrder(shop, order.id, { metadata: {} });
    await anonymiseCustomer(shop, id);
    expect(await remembered(shop)).toEqual([]);
    const changes = (await auditOf(shop)).filter(({ action }) => action === 'order.updated').map((one) => one.changes);
    expect(changes.map((one) => JSON.parse(one))).toEqual([{ merchantNote: { from: null, to: 'Fragile' } }, {}]);
  });

  it('removes only the payer from the payment details of a provider', async () => {
    const { shop } = await openShop();
    const { id } = await addAda(shop);
    const order = await orderOf(shop, id);
    // As a wallet sends it.
    const withPayer: Order = {
      ...order,
      paymentDetails: { payerEmail: 'ada@analytical.example', payerStatus: 'VERIFIED', last4: '4242' },
    };
    await shop.engine.storage.db.transaction().execute((tx) =>
      tx
        .updateTable('orders')
        .set({ json: JSON.stringify(withPayer) })
        .where('id', '=', order.id)
        .execute(),
    );
    await anonymiseCustomer(shop, id);
    expect((await getOrder(shop, order.id)).paymentDetails).toEqual({ payerStatus: 'VERIFIED', last4: '4242' });
    expect(await remembered(shop)).toEqual([]);
  });

  it('rewrites the events of the outbox, also undelivered ones', async () => {
    const { shop } = await openShop();
    await createWebhook(shop, { url: 'https://example.com/hook', events: ['customer.*', 'order.*'] });
    const { id } = await addAda(shop);
    clock.advance(1000);
    await updateCustomer(shop, id, { name: 'Augusta Ada Byron', addresses: [] });
    const order = await orderOf(shop, id);
    await send(shop, payment(order.id, 1000).intentSucceeded());
    clock.advance(3_600_000 * 24 * 400);
    await updateCustomer(shop, id, { name: 'Ada Lovelace' });
    const before = await eventsOf(shop);
    await anonymiseCustomer(shop, id);
    const after = await eventsOf(shop);
    expect(after.slice(0, before.length).map(({ id, type, resourceId }) => ({ id, type, resourceId }))).toEqual(
      before.map(({ id, type, resourceId }) => ({ id, type, resourceId })),
    );
    const [customer, paid] = [await getCustomer(shop, id), await getOrder(shop, order.id)];
    for (const { type, data } of after) {
      if (type.startsWith('customer.')) expect(data).toEqual(customer);
      if (type.startsWith('order.')) expect(data).toEqual(paid);
      if (type.startsWith('product.')) expect(data).toMatchObject({ title: 'Mug' });
    }
    expect(await remembered(shop)).toEqual([]);
  });

  it('empties the values of the audit log, and keeps who did what when', async () => {
    const { shop } = await openShop();
    const { id } = await addAda(shop);
    await updateCustomer(shop, id, { name: 'Augusta Lovelace', email: 'ada@analytical.test' });
    const before = await auditOf(shop);
    await anonymiseCustomer(shop, id);
    const after = await auditOf(shop);
    for (const [i, entry] of before.entries()) {
      expect(after[i]).toEqual(entry.resource_id === id ? { ...entry, changes: '{}' } : entry);
    }
    const { items, total } = await listAuditLogs(shop, { resourceId: id });
    expect(items.map((entry) => entry.action)).toEqual(['customer.anonymised', 'customer.updated', 'customer.created']);
    expect(total).toBe(3);
    expect(await remembered(shop)).toEqual([]);
  });

  it('removes the person from the stored payment notifications', async () => {
    const { shop } = await openShop();
    const id = ids.next(clock.now());
    const items = JSON.stringify([{ sku: 'MUG', quantity: 2 }]);
    const metadata = { order_id: id, order_items: items, order_note: 'The doorbell says Lovelace' };
    const paid = payment(id, 2000);
    const shipping = { name: contact.name, phone: contact.phone, address: payer.address };
    const charge = paid.chargeSucceeded({ metadata, billing_details: payer, receipt_email: contact.email, shipping });
    expect(await send(shop, charge)).toMatchObject({ outcome: 'paid' });
    // Only the session's own id is new.
    expect(await send(shop, paid.sessionCompleted({ metadata, customer_details: payer }))).toMatchObject({
      outcome: 'recorded',
    });
    // An earlier attempt with another payment, and one that is processed again.
    await send(shop, payment(id, 2000).intentFailed());
    expect(await send(shop, payment(id, 1).chargeSucceeded({ billing_details: payer }))).toMatchObject({
      outcome: 'second_payment',
    });
    const [customer] = (await listCustomers(shop)).items as [Customer];
    const before = await getOrder(shop, id);
    expect(before).toMatchObject({ customerId: customer.id, status: 'paid', billingAddress: { city: 'Mayfair' } });
    await anonymiseCustomer(shop, customer.id);
    expect(await remembered(shop)).toEqual([]);
    const after = await getOrder(shop, id);
    expect(after).toMatchObject({
      status: 'paid',
      paymentId: before.paymentId,
      paymentDetails: before.paymentDetails,
      items: before.items,
      total: before.total,
    });
    // A copy of the notification, which a provider can send days later, changes nothing and restores no personal data.
    const types = await emittedBy(shop, async () => {
      expect(await send(shop, charge)).toMatchObject({ outcome: 'unchanged' });
    });
    expect([types, await remembered(shop)]).toEqual([[], []]);
  });

  it('finds the notifications of a payment that do not name the order themselves', async () => {
    const { shop } = await openShop();
    const customer = await addAda(shop);
    const order = await orderOf(shop, customer.id);
    // With Checkout, only the session can name the order; the charge names the payment.
    const paid = payment(order.id, 1000);
    const anonymous = { metadata: {}, billing_details: payer, receipt_email: contact.email };
    expect(await send(shop, paid.chargeSucceeded(anonymous))).toMatchObject({ outcome: 'order_not_found' });
    expect(await send(shop, paid.sessionCompleted({ customer_details: payer }))).toMatchObject({ outcome: 'paid' });
    expect(await send(shop, paid.chargeUpdated(anonymous))).toMatchObject({ outcome: 'recorded' });
    await anonymiseCustomer(shop, customer.id);
    expect(await remembered(shop)).toEqual([]);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', paymentDetails: { last4: '4242' } });
  });

  it.each<[string, (shop: Context, orderId: string, event: object) => Promise<unknown>]>([
    ['is sent again', (shop, _, event) => send(shop, event)],
    ['is confirmed from the inbox', (shop, orderId) => confirmFromInbox(shop, orderId)],
  ])('lets money that waits be applied when it %s, without the person who paid it', async (_, apply) => {
    const { shop, mug } = await openShop();
    const customer = await addAda(shop);
    const order = await orderOf(shop, customer.id, { items: [{ sku: 'MUG', quantity: 10 }] });
    await updateProduct(shop, mug.id, { stock: 5 });
    const charge = payment(order.id, 10_000).chargeSucceeded({ billing_details: payer });
    await expect(send(shop, charge)).rejects.toMatchObject({ kind: 'insufficientStock' });
    await anonymiseCustomer(shop, customer.id);
    expect(await remembered(shop)).toEqual([]);
    await updateProduct(shop, mug.id, { stock: 10 });
    await apply(shop, order.id, charge);
    expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', customerNote: null });
    expect(await remembered(shop)).toEqual([]);
  });

  it('happens once: a second call changes nothing and emits nothing', async () => {
    const { shop } = await openShop();
    const { id } = await addAda(shop);
    const order = await orderOf(shop, id);
    await send(shop, payment(order.id, 1000).chargeSucceeded({ billing_details: payer }));
    const after = await anonymiseCustomer(shop, id);
    const rows = await snapshot(commerce());
    clock.advance(1000);
    expect(await anonymiseCustomer(shop, id)).toEqual(after);
    expect(await snapshot(commerce())).toEqual(rows);
  });

  it('can be repeated when the person came back, with a new order or with a name removed again', async () => {
    const { shop } = await openShop();
    const { id } = await addAda(shop);
    await anonymiseCustomer(shop, id);
    await orderOf(shop, id);
    await updateCustomer(shop, id, { name: 'Ada Lovelace' });
    await updateCustomer(shop, id, { name: null });
    expect(await remembered(shop)).not.toEqual([]);
    await anonymiseCustomer(shop, id);
    expect(await remembered(shop)).toEqual([]);
  });

  it('leaves everybody else alone, in this store and in others', async () => {
    const [{ shop }, { shop: other }] = [await openShop(), await openShop()];
    const grace = { email: 'grace@example.org', name: 'Grace Hopper', phone: '1' };
    const ada = await addAda(shop);
    const [neighbour, twin] = [await createCustomer(shop, grace), await createCustomer(other, grace)];
    const orders = [
      await orderOf(shop, neighbour.id, { shippingAddress: { city: 'Arlington' }, billingAddress: null }),
      await createOrder(shop, { items: [{ sku: 'MUG', quantity: 1 }], shippingAddress: { city: 'Nowhere' } }),
    ].map((order) => ({ ...order, customerNote: order.customerNote }));
    await orderOf(shop, ada.id);
    const [first] = orders as [Order];
    const charge = payment(first.id, 1000).chargeSucceeded({ billing_details: { name: 'Grace Hopper' } });
    await send(shop, charge);
    const paying = await getCustomer(shop, neighbour.id);
    const before = await snapshot(commerce());
    await anonymiseCustomer(shop, ada.id);
    const after = await snapshot(commerce());
    expect(await getCustomer(shop, neighbour.id)).toEqual(paying);
    expect(await getCustomer(other, twin.id)).toEqual(twin);
    for (const order of orders) {
      const { shippingAddress, customerNote } = await getOrder(shop, order.id);
      expect({ shippingAddress, customerNote }).toEqual({
        shippingAddress: order.shippingAddress,
        customerNote: order.customerNote,
      });
    }
    expect(after.payment_notifications).toEqual(before.payment_notifications);
    // Every changed row is Ada's, or new.
    for (const [table, rows] of Object.entries(before)) {
      // Rows of no person: sums, and the internal data of SQLite's index.
      if (/^list_counts$|^order_search_(?:data|idx|docsize)$/.test(table)) continue;
      for (const row of rows) {
        if (!after[table]?.includes(row))
          expect(person.filter((word) => row.toLowerCase().includes(word))).not.toEqual([]);
      }
    }
    // Only in this test, the neighbour's order has a note, which is not Ada's.
    expect((await getOrder(shop, first.id)).customerNote).toBe('The doorbell says Lovelace');
    await anonymiseCustomer(shop, neighbour.id);
  });

  it('reaches every order of a customer who has more than are held in memory at a time', async () => {
    const { shop } = await openShop();
    const { id } = await addAda(shop);
    const count = 230;
    const orders = await inParallel(Array.from({ length: count }), 8, () =>
      orderOf(shop, id, { items: [{ sku: 'MUG', quantity: 1 }] }),
    );
    const before = (await eventsOf(shop)).length;
    await anonymiseCustomer(shop, id);
    const events = (await eventsOf(shop)).slice(before);
    expect(events.map((event) => event.type).sort()).toEqual([
      'customer.updated',
      ...orders.map(() => 'order.updated'),
    ]);
    expect(new Set(events.map((event) => event.resourceId))).toEqual(new Set([id, ...orders.map((order) => order.id)]));
    expect(await remembered(shop)).toEqual([]);
    expect((await listOrders(shop, { status: 'pending' })).total).toBe(count);
    expect((await listAuditLogs(shop, { action: 'order.anonymised' })).total).toBe(count);
  });

  it('does not find an id that is not a customer of the store', async () => {
    const [{ shop }, { shop: other }] = [await openShop(), await openShop()];
    const { id } = await createCustomer(shop, { email: 'grace@example.org', name: 'Grace Hopper' });
    for (const [ctx, wrong] of [
      [other, id],
      [shop, id.toUpperCase()],
      [shop, 'grace@example.org'],
      [shop, '\0'],
      [shop, ''],
    ] as const) {
      await expectDenied(commerce(), () => anonymiseCustomer(ctx, wrong), { kind: 'notFound' });
    }
  });

  it('leaves no trace of a person who orders and pays at the same time under the same customer id', async () => {
    for (let round = 0; round < 8; round++) {
      const { shop } = await openShop();
      const { id } = await addAda(shop);
      const order = await orderOf(shop, id);
      const charge = payment(order.id, 1000).chargeSucceeded({ billing_details: payer });
      const results = await Promise.allSettled([
        send(shop, charge),
        anonymiseCustomer(shop, id),
        updateCustomer(shop, id, { phone: '+44 7946-0958' }),
      ]);
      for (const result of results) expect(result).toMatchObject({ status: 'fulfilled' });
      expect(await getOrder(shop, order.id)).toMatchObject({ status: 'paid', customerId: id });
      // Data written afterwards can be anonymised again; nothing was lost in between.
      await anonymiseCustomer(shop, id);
      expect(await remembered(shop)).toEqual([]);
      expect((await listOrders(shop, { status: 'paid' })).total).toBe(1);
    }
  });
});
