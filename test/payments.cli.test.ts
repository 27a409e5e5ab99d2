import { initStore, settings } from '@commerce/test-support/fixtures/payments-cli';
import { client, sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { payment } from '@commerce/test-support/fixtures/stripe';
import {
  commerce,
  commerceJson,
  type RunningServer,
  startServer,
  words,
} from '@commerce/test-support/harness/processes';
import { freePort } from '@commerce/test-support/harness/sockets';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';

forOneStorage('commerce payments', 'postgres', (database) => {
  const db = ['--db', database.address];
  let server: RunningServer;
  let shop: { storeId: string; key: string };
  let api: ReturnType<typeof client>;
  const providers = ['stripe', 'paypal', 'square'];

  const simulate = (provider: string, ...args: string[]) =>
    commerce(['payments', 'simulate', '--provider', provider, ...args, '--server', server.url, '--json', ...db]);
  const answersOf = ({ stdout }: { stdout: string }) => JSON.parse(stdout).answers;
  const stock = async () => (await api('GET', '/products?sku=MUG')).body.items[0].stock as number;
  const newOrder = async () =>
    (
      await commerceJson(
        ['orders', 'create', '--file', '-', ...db],
        JSON.stringify({ items: [{ sku: 'MUG', quantity: 1 }] }),
      )
    ).item;
  const orderNow = async (id: string) => (await api('GET', `/orders/${id}`)).body.item;

  beforeAll(async () => {
    shop = await initStore(database.address);
    server = await startServer(database.address);
    api = client(server.url, shop);
    const mug = {
      title: 'Mug',
      slug: 'mug',
      sku: 'MUG',
      price: '12.50',
      status: 'published',
      trackStock: true,
      stock: 100,
    };
    expect((await api('POST', '/products', mug)).status).toBe(201);
  });
  afterAll(async () => {
    await server?.stop();
  });

  it('configures each provider, which a running server uses at once, and repeats no secret', async () => {
    const [paypalBase, squareBase] = [`http://127.0.0.1:${await freePort()}`, `http://127.0.0.1:${await freePort()}`];
    for (const [provider, flags] of Object.entries(settings(paypalBase, squareBase))) {
      const { code, stdout, stderr } = await commerce([
        ...['payments', 'configure', '--provider', provider, '--make-orders', ...flags, ...db, '--json'],
      ]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        item: {
          ...{ storeId: shop.storeId, provider, makeOrders: true },
          ...{
            settings: expect.any(Object),
            hasPages: provider === 'paypal',
            testMode: provider === 'stripe' ? null : true,
          },
          updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      });
      // A client's id is public: every page that pays with PayPal contains it.
      expect(stdout.replace('"clientId":"id_word"', '')).not.toMatch(/_word/);
    }
    const text = await commerce([...words('payments configure --provider stripe --webhook-secret whsec_word'), ...db]);
    expect(text).toMatchObject({
      code: 0,
      stdout: `stripe is set up; send its notifications to /api/webhooks/stripe/${shop.storeId}\n`,
    });
  });

  it('simulates a payment of items, twice: an order is made and paid once, over each provider', async () => {
    for (const provider of providers) {
      const before = await stock();
      const { code, stdout, stderr } = await simulate(provider, '--items', 'MUG:2', '--duplicate');
      expect({ provider, code, stderr }).toEqual({ provider, code: 0, stderr: '' });
      expect(JSON.parse(stdout)).toEqual({
        answers: [
          { status: 200, body: { received: true, outcome: 'paid' } },
          { status: 200, body: { received: true, outcome: 'unchanged' } },
        ],
      });
      expect(await stock()).toBe(before - 2);
      const { items } = await commerceJson(['orders', 'list', '--status', 'paid', '--limit', '1', ...db]);
      expect(items[0]).toMatchObject({ paymentProvider: provider, total: '25.00', items: [{ quantity: 2 }] });
    }
  });

  it('says so, with a code, when the server refuses what was simulated', async () => {
    const cup = { title: 'Cup', slug: 'cup', sku: 'CUP', price: '1', status: 'published', trackStock: true, stock: 1 };
    await api('POST', '/products', cup);
    const ran = await simulate('stripe', '--items', 'CUP:2');
    expect(ran.code).toBe(1);
    expect(answersOf(ran)).toMatchObject([{ status: 500, body: { error: { code: 'INSUFFICIENT_STOCK' } } }]);
    const text = await commerce([
      ...words('payments simulate --provider stripe --items MUG:1 --server'),
      server.url,
      ...db,
    ]);
    expect(text).toMatchObject({ code: 0, stdout: '200 {"received":true,"outcome":"paid"}\n', stderr: '' });
  });

  it('lists what came, shows one with its body, and looks at it again', async () => {
    const order = await newOrder();
    const event = payment(order.id, 1249).intentSucceeded() as { id: string };
    const sent = await sendStripe(server.url, event, {
      secret: 'whsec_word',
      path: `/api/webhooks/stripe/${shop.storeId}`,
    });
    expect(sent.body).toMatchObject({ outcome: 'amount_mismatch' });

    const all = await commerceJson(['payments', 'inbox', ...db]);
    expect(all.total).toBe(all.items.length);
    const unmatched = await commerceJson(['payments', 'inbox', '--unmatched', ...db]);
    expect(unmatched.total).toBeLessThan(all.total);
    const [kept] = unmatched.items;
    expect(kept).toMatchObject({
      provider: 'stripe',
      outcome: 'amount_mismatch',
      orderId: order.id,
      eventId: event.id,
    });
    const page = await commerceJson(['payments', 'inbox', '--limit', '1', '--offset', '1', ...db]);
    expect(page).toEqual({ items: all.items.slice(1, 2), total: all.total });

    const shown = { item: { ...kept, payload: JSON.stringify(event) } };
    expect(await commerceJson(['payments', 'show', kept.id, ...db])).toEqual(shown);
    // It did not change; only the look at it is recorded.
    const replayed = await commerceJson(['payments', 'replay', kept.id, ...db]);
    expect(replayed).toEqual({ item: { ...kept, updatedAt: expect.any(String) } });
    const { stdout } = await commerce(['payments', 'show', kept.id, ...db]);
    for (const text of [kept.id, event.id, '12.49 EUR was paid', JSON.stringify(event)]) expect(stdout).toContain(text);
    expect((await commerce(['payments', 'inbox', '--unmatched', ...db])).stdout).toContain('amount_mismatch');
    for (const command of ['show', 'replay']) {
      expect(await commerce(['payments', command, 'x', ...db])).toEqual({
        code: 1,
        stdout: '',
        stderr: 'error: no payment notification "x" in this store\n',
      });
    }
  });

  it('lists payments, by what became of them, and dismisses one', async () => {
    const [lost] = (await commerceJson(['payments', 'list', '--matched', 'mismatch', ...db])).items;
    expect(lost).toMatchObject({ provider: 'stripe', status: 'succeeded', amount: '12.49', matched: 'mismatch' });
    expect((await commerceJson(['payments', 'show', lost.id, ...db])).item).toEqual(lost);
    expect((await commerceJson(['payments', 'list', '--unmatched', ...db])).items).toContainEqual(lost);
    expect((await commerce(['payments', 'list', '--order', lost.orderId, ...db])).stdout).toContain('12.49 EUR');
    const applied = await commerce(['payments', 'apply', lost.id, '--order', lost.orderId, ...db]);
    expect(applied).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/12\.49 EUR.*12\.50 EUR/) });
    const dismissed = await commerceJson(['payments', 'dismiss', lost.id, '--reason', 'sent back', ...db]);
    expect(dismissed.item).toMatchObject({ id: lost.id, matched: 'dismissed' });
    expect((await commerceJson(['payments', 'list', '--unmatched', ...db])).items).not.toContainEqual(lost);
    expect(await commerce(['payments', 'list', '--matched', 'lost', ...db])).toMatchObject({ code: 2 });
  });

  it('tells of a dispute: in the list, with the payment, and among the refunds of the order', async () => {
    const order = await newOrder();
    await simulate('stripe', '--order', order.id);
    await simulate('stripe', '--order', order.id, '--event', 'disputed');
    const { items } = await commerceJson(['payments', 'list', '--disputed', ...db]);
    expect(items).toMatchObject([{ orderId: order.id, disputes: [{ amount: '12.50', status: 'open' }] }]);
    const show = async () => (await commerce(['payments', 'show', items[0].id, ...db])).stdout;
    expect(await show()).toMatch(/dispute du_\S+ +12\.50 EUR {2}open {2}product_not_received {2}answer until \d{4}-/);
    await simulate('stripe', '--order', order.id, '--event', 'dispute-lost');
    expect(await show()).toMatch(/dispute du_\S+ +12\.50 EUR {2}lost {2}product_not_received\n/);
    expect((await commerce(['orders', 'show', order.id, ...db])).stdout).toMatch(
      /12\.50 EUR {2}\S+ {2}du_\S+ {2}dispute/,
    );
    expect((await commerceJson(['payments', 'list', '--disputed', ...db])).total).toBe(0);
  });

  it('records a payment by hand where the store allows it, and applies one to another order', async () => {
    const { id } = await newOrder();
    const record = [
      ...words('payments record --order'),
      id,
      ...words('--method transfer --amount 12.50 --reference'),
      'no. 7',
    ];
    expect(await commerce([...record, ...db])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/manualPayments/),
    });
    await commerceJson(['stores', 'update', shop.storeId, '--manual-payments', ...db]);
    const { item } = await commerceJson([...record, ...db]);
    expect(item).toMatchObject({
      provider: 'manual',
      method: 'transfer',
      reference: 'no. 7',
      matched: 'paid',
      orderId: id,
    });
    expect(await orderNow(id)).toMatchObject({ status: 'paid', paymentProvider: 'manual', paymentMethod: 'transfer' });

    const event = payment(null, 1250).intentSucceeded();
    await sendStripe(server.url, event, { secret: 'whsec_word', path: `/api/webhooks/stripe/${shop.storeId}` });
    const [none] = (await commerceJson(['payments', 'list', '--matched', 'none', ...db])).items;
    const other = await newOrder();
    const applied = await commerceJson(['payments', 'apply', none.id, '--order', other.id, ...db]);
    expect(applied.item).toMatchObject({ id: none.id, matched: 'paid', orderId: other.id });
    expect(await orderNow(other.id)).toMatchObject({ status: 'paid', paymentId: none.providerPaymentId });
  });
});
