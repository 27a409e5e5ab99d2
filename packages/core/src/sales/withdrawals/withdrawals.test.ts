import { useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf, emittedBy, eventsOf, useTwoProcesses } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeEach, expect, it } from 'vitest';
import {
  anonymiseCustomer,
  type Context,
  createCheckout,
  createWithdrawal,
  eraseOrder,
  getOrder,
  getWithdrawal,
  listWithdrawals,
  matchWithdrawal,
  matchWithdrawals,
  type Order,
  once,
  type ReceivedWithdrawal,
  type SettingsChanges,
  updateCustomer,
  updateSettings,
  updateWithdrawal,
  versionOf,
  type WithdrawalInput,
} from '../../index.ts';
import { toJson } from '../../kernel/json.ts';
import { orderToken } from '../../orders/link.ts';
import { runTransaction } from '../../storage/run.ts';
import type { Db } from '../../storage/storage.ts';
import { requireStore } from '../../stores/stores.ts';
import { forgetWithdrawalAddresses } from './address-cap.ts';

const transfer = { id: 'transfer', name: 'Bank transfer', kind: 'transfer' } as const;
const mail = {
  from: 'shop@shop.example',
  ownerAddress: 'owner@shop.example',
  smtp: { host: 'smtp.example.com' },
} as const;
const settings: SettingsChanges = { paymentMethods: [transfer], orderUrl: 'https://shop.example/order#{token}', mail };
const hour = 3_600_000;

forEachStorage('withdrawals', (database) => {
  const { clock, commerce, openShop } = useSelling(database);
  const twoProcesses = useTwoProcesses(database, { clock });
  const statement = (changes: Partial<WithdrawalInput> = {}): WithdrawalInput => ({
    name: 'Ada Lovelace',
    email: 'ada@shop.test',
    orderNumber: '1001',
    ...changes,
  });

  /** A shop with a placed order of Ada. */
  async function ordered(): Promise<{ shop: Context; order: Order; token: string }> {
    const { shop: before, input } = await openShop([], { settings });
    const shop = { ...before, store: await requireStore(commerce().engine, before.store.id) };
    const shippingAddress = { firstName: 'Ada', lastName: 'Lovelace', city: 'London', country: 'GB' };
    const { orderId } = await createCheckout(shop, input({ shippingAddress, locale: 'de' }));
    const order = await getOrder(shop, orderId);
    return { shop, order, token: (await tokenOf(shop, orderId)) ?? '' };
  }
  const tokenOf = ({ engine, store }: Context, id: string) => orderToken(engine.storage.db, store.id, id, clock.now());
  const visitor = (shop: Context, address?: string): Context => ({
    ...shop,
    address,
    actor: { type: 'apiKey', id: 'storefront', isPublic: true },
  });
  const mailsOf = ({ engine, store }: Context) =>
    engine.storage.db
      .selectFrom('mails')
      .select(['kind', 'recipient', 'locale', 'order_id', 'withdrawal_id'])
      .where('store_id', '=', store.id)
      .where('withdrawal_id', 'is not', null)
      .orderBy('id')
      .execute();
  const match = () => matchWithdrawals(commerce().engine);
  // Of the stores of earlier tests.
  beforeEach(match);

  it('are received, acknowledged and told of, whether or not there is such an order', async () => {
    const { shop, order } = await ordered();
    const answers: ReceivedWithdrawal[] = [];
    const types = await emittedBy(shop, async () => {
      for (const orderNumber of [order.orderNumber, 'ORD-9999', 'no idea']) {
        answers.push(await createWithdrawal(visitor(shop, '203.0.113.1'), statement({ orderNumber })));
      }
    });
    const receivedAt = new Date(clock.now()).toISOString();
    for (const answer of answers) expect(answer).toEqual({ id: answer.id, receivedAt });
    expect(types).toEqual(['withdrawal.received', 'withdrawal.received', 'withdrawal.received']);
    const about = (withdrawal_id = '') => [
      { kind: 'withdrawal.received', recipient: 'ada@shop.test', locale: 'en', order_id: null, withdrawal_id },
      { kind: 'owner.withdrawal', recipient: 'owner@shop.example', locale: 'en', order_id: null, withdrawal_id },
    ];
    expect(await mailsOf(shop)).toEqual(answers.flatMap(({ id }) => about(id)));
    const { items, total } = await listWithdrawals(shop);
    expect(total).toBe(3);
    expect(items.map(({ id }) => id)).toEqual(answers.map(({ id }) => id).reverse());
    expect(items[2]).toEqual({
      id: answers[0]?.id,
      storeId: shop.store.id,
      status: 'received',
      ...statement({ orderNumber: order.orderNumber }),
      orderId: null,
      items: [],
      note: null,
      merchantNote: null,
      receivedAt,
      dueAt: new Date(clock.now() + 14 * 24 * hour).toISOString(),
      updatedAt: receivedAt,
    });
    expect((await eventsOf(shop)).at(-1)?.data).toEqual(items[0]);
  });

  it.each(['1001', '#1001', 'ord-1001', ' ORD-1001 ', 'ORD1001'])('find their order by %j', async (orderNumber) => {
    const { shop, order } = await ordered();
    const { id } = await createWithdrawal(shop, statement({ orderNumber, email: 'ADA@Shop.Test ' }));
    clock.advance(1000);
    expect(await match()).toBe(1);
    expect(await getWithdrawal(shop, id)).toMatchObject({
      status: 'matched',
      orderId: order.id,
      orderNumber: orderNumber.trim(),
      updatedAt: new Date(clock.now()).toISOString(),
    });
    expect((await mailsOf(shop)).map(({ order_id }) => order_id)).toEqual([order.id, order.id]);
    const entry = (await auditOf(shop)).at(-1);
    expect(entry).toMatchObject({ action: 'withdrawal.matched', actor_type: 'system', resource_id: id });
    // Found once, it is not looked for again.
    expect([await match(), await emittedBy(shop, () => matchWithdrawal(shop, id))]).toEqual([0, []]);
    expect((await auditOf(shop)).at(-1)).toEqual(entry);
  });

  it.each([
    ['another e-mail', { email: 'eve@shop.test' }],
    ['another number', { orderNumber: '1002' }],
    ['a number in other words', { orderNumber: 'my order 1001' }],
    ['a number beyond all numbers', { orderNumber: '9'.repeat(40) }],
  ])('find no order with %s, and are not tried again', async (_, changes) => {
    const { shop } = await ordered();
    const { id } = await createWithdrawal(shop, statement(changes));
    expect([await match(), await match()]).toEqual([1, 0]);
    expect(await getWithdrawal(shop, id)).toMatchObject({ status: 'received', orderId: null });
    expect((await mailsOf(shop)).map(({ order_id }) => order_id)).toEqual([null, null]);
  });

  it('find no order that was only a checkout: anyone can open one for the e-mail of another person', async () => {
    const { shop, input } = await openShop(['stripe']);
    await createCheckout(shop, input());
    const { id } = await createWithdrawal(shop, statement());
    expect(await matchWithdrawal(shop, id)).toMatchObject({ status: 'received', orderId: null });
  });

  it('find an order by the e-mail of its time, and by the one that its customer has now', async () => {
    const { shop, order } = await ordered();
    await updateCustomer(shop, order.customerId ?? '', { email: 'countess@shop.test' });
    for (const email of ['ada@shop.test', 'countess@shop.test']) {
      const { id } = await createWithdrawal(shop, statement({ email }));
      expect(await matchWithdrawal(shop, id)).toMatchObject({ orderId: order.id });
    }
  });

  it('find no order of another store, and the trouble of one store is its own', async () => {
    const [{ shop }, { shop: other }] = [await ordered(), await openShop([])];
    const [mine, theirs] = [await createWithdrawal(shop, statement()), await createWithdrawal(other, statement())];
    const write = (work: (db: Db) => Promise<unknown>) => runTransaction(shop.engine.storage, work);
    await write((db) => db.updateTable('withdrawals').set({ json: 'not JSON' }).where('id', '=', mine.id).execute());
    const errors: unknown[] = [];
    expect(await matchWithdrawals(commerce().engine, { onError: (error) => errors.push(error) })).toBe(1);
    expect(errors).toHaveLength(1);
    expect(await getWithdrawal(other, theirs.id)).toMatchObject({ status: 'received', orderId: null });
    await write((db) => db.deleteFrom('withdrawals').where('id', '=', mine.id).execute());
    await expect(matchWithdrawal(other, mine.id)).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('take from the order what they leave out, with its token, and know it at once', async () => {
    const { shop, order, token } = await ordered();
    const { id } = await createWithdrawal(
      visitor(shop),
      { items: [{ productId: order.items[0]?.productId, quantity: 1 }] },
      { orderToken: token },
    );
    expect(await getWithdrawal(shop, id)).toMatchObject({
      status: 'matched',
      name: 'Ada Lovelace',
      email: 'ada@shop.test',
      orderNumber: order.orderNumber,
      orderId: order.id,
      items: [{ productId: order.items[0]?.productId, sku: null, quantity: 1 }],
    });
    expect(await mailsOf(shop)).toMatchObject([{ locale: 'de', order_id: order.id }, { order_id: order.id }]);
    expect(await match()).toBe(0);
    // What is given counts, and the number of another order is not the order of the token.
    const given = statement({ email: 'new@shop.test', orderNumber: '1002' });
    const other = await createWithdrawal(shop, given, { orderToken: token });
    expect(await getWithdrawal(shop, other.id)).toMatchObject({ ...given, status: 'received', orderId: null });
  });

  it('are refused with a wrong token, and say nothing of it', async () => {
    const { shop, order, token } = await ordered();
    const { shop: elsewhere } = await ordered();
    const wrong = ['', 'x', order.id, `${token.slice(0, -2)}AA`, `${token}.x`, await tokenOf(elsewhere, order.id)];
    for (const orderToken of wrong) {
      const write = () => createWithdrawal(visitor(shop), statement(), { orderToken: orderToken ?? '' });
      await expectDenied(commerce(), write, { kind: 'notFound' });
      if (orderToken) await expect(write()).rejects.not.toThrow(orderToken);
    }
  });

  it.each([
    ['name', { name: undefined }],
    ['name', { name: ' \n ' }],
    ['name', { name: 'x'.repeat(101) }],
    ['email', { email: 'ada' }],
    ['email', { email: 'ada@shop.test, eve@shop.test' }],
    ['email', { email: 'ada@shop.test\nBcc: eve@shop.test' }],
    ['orderNumber', { orderNumber: undefined }],
    ['orderNumber', { orderNumber: 'x'.repeat(65) }],
    ['note', { note: 'x'.repeat(1001) }],
    ['items', { items: Array.from({ length: 101 }, () => ({ sku: 'MUG', quantity: 1 })) }],
    ['items.0', { items: [{ quantity: 1 }] }],
    ['items.0.productId', { items: [{ productId: 'read this', quantity: 1 }] }],
    ['items.0.quantity', { items: [{ sku: 'MUG', quantity: 0 }] }],
    ['reason', { reason: 'too small' } as object],
  ])('are refused for their %s', async (field, changes) => {
    const { shop } = await openShop([]);
    await expectDenied(commerce(), () => createWithdrawal(shop, statement(changes)), invalid(field));
  });

  it('hold names and numbers of one line', async () => {
    const { shop } = await openShop([]);
    const { id } = await createWithdrawal(
      shop,
      statement({ name: ' Ada\r\n\tLovelace ', orderNumber: '#\u2028 1001' }),
    );
    expect(await getWithdrawal(shop, id)).toMatchObject({ name: 'Ada Lovelace', orderNumber: '# 1001' });
  });

  it('are ten an hour from a network address with a storefront key, and never limited by an e-mail', async () => {
    const { shop } = await openShop([]);
    const { shop: other } = await openShop([]);
    const from = (address: string) => createWithdrawal(visitor(shop, address), statement());
    for (let i = 0; i < 10; i++) {
      await from('203.0.113.1');
      clock.advance(60_000);
    }
    const refusal = { kind: 'rateLimited', retryAfter: 50 * 60 } as const;
    await expectDenied(commerce(), () => from('203.0.113.1'), refusal);
    // The same e-mail from elsewhere, to another store, and from trusted code.
    await from('203.0.113.2');
    await createWithdrawal(visitor(other, '203.0.113.1'), statement());
    await createWithdrawal({ ...shop, address: '203.0.113.1' }, statement());
    clock.advance(50 * 60_000);
    await from('203.0.113.1');
    await forgetWithdrawalAddresses(shop.engine);
    const rows = await shop.engine.storage.db
      .selectFrom('withdrawals')
      .select('address_hash')
      .where('store_id', '=', shop.store.id)
      .where('address_hash', 'is not', null)
      .execute();
    // Digests are forgotten after the hour, and none is the address.
    expect(rows).toHaveLength(11);
    expect(JSON.stringify(rows)).not.toContain('203.0.113');
  });

  it('share the places of an address, also when they come at the same moment to two processes', async () => {
    const { shop } = await openShop([]);
    const next = await twoProcesses(shop);
    const all = Array.from({ length: 14 }, () => createWithdrawal(visitor(next(), '203.0.113.9'), statement()));
    const done = await Promise.allSettled(all);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect((await listWithdrawals(shop)).total).toBe(10);
  });

  it('are one for repeated requests', async () => {
    const { shop } = await openShop([]);
    const request = {
      key: 'a random key of a buyer',
      route: 'POST /withdrawals',
      fingerprint: 'the same',
      print: (result: unknown) => ({ status: 201, body: JSON.stringify(result) }),
      printError: () => undefined,
    };
    const send = () => once(visitor(shop, '203.0.113.1'), request, (ctx) => createWithdrawal(ctx, statement()));
    const first = await send();
    expect(await send()).toEqual({ replay: { status: 201, body: JSON.stringify('result' in first && first.result) } });
    expect((await listWithdrawals(shop)).total).toBe(1);
  });

  it('are listed by status and by order', async () => {
    const { shop, order } = await ordered();
    const [a, b, c] = [
      await createWithdrawal(shop, statement()),
      await createWithdrawal(shop, statement({ orderNumber: '7' })),
      await createWithdrawal(shop, statement({ orderNumber: '8' })),
    ];
    await match();
    await updateWithdrawal(shop, c.id, { status: 'closed' });
    const ids = async (query: object) => (await listWithdrawals(shop, query)).items.map(({ id }) => id);
    expect(await ids({ status: 'matched' })).toEqual([a.id]);
    expect(await ids({ status: 'received' })).toEqual([b.id]);
    expect(await ids({ status: 'closed' })).toEqual([c.id]);
    expect(await ids({ orderId: order.id })).toEqual([a.id]);
    expect(await ids({ orderId: 'x' })).toEqual([]);
    expect(await listWithdrawals(shop, { limit: 1, offset: 1 })).toMatchObject({ items: [{ id: b.id }], total: 3 });
    for (const read of [() => listWithdrawals(visitor(shop)), () => getWithdrawal(visitor(shop), a.id)]) {
      await expect(read()).rejects.toMatchObject({ kind: 'forbidden' });
    }
  });

  it('are matched, noted and closed by hand', async () => {
    const { shop, order } = await ordered();
    const { id } = await createWithdrawal(shop, statement({ orderNumber: 'the mug' }));
    const matched = await updateWithdrawal(shop, id, { orderId: order.id });
    expect(matched).toMatchObject({ status: 'matched', orderId: order.id });
    expect((await mailsOf(shop)).map(({ order_id }) => order_id)).toEqual([null, order.id]);
    expect(await match()).toBe(0);
    const closed = await updateWithdrawal(shop, id, { ...matched, status: 'closed', merchantNote: 'The mug is back.' });
    expect(closed).toMatchObject({ status: 'closed', orderId: order.id, merchantNote: 'The mug is back.' });
    expect((await auditOf(shop)).at(-1)).toMatchObject({
      action: 'withdrawal.updated',
      changes: toJson({
        status: { from: 'matched', to: 'closed' },
        merchantNote: { from: null, to: 'The mug is back.' },
      }),
    });
    expect(await updateWithdrawal(shop, id, { ...closed, orderId: null })).toMatchObject({ status: 'closed' });
    expect(await updateWithdrawal(shop, id, { status: 'received' })).toMatchObject({ status: 'received' });
    // The buyer's words stay.
    expect(await updateWithdrawal(shop, id, { ...closed, status: 'received', orderId: null })).toMatchObject(
      statement({ orderNumber: 'the mug' }),
    );
  });

  it('refuse changes that contradict each other, and changes of another version', async () => {
    const { shop, order } = await ordered();
    const { shop: elsewhere, order: foreign } = await ordered();
    const { id } = await createWithdrawal(shop, statement());
    const { id: theirs } = await createWithdrawal(elsewhere, statement());
    const version = versionOf(toJson(await getWithdrawal(shop, id)));
    const change =
      (changes: object, ctx = shop, of = id) =>
      () =>
        updateWithdrawal(ctx, of, changes);
    await expectDenied(commerce(), change({ status: 'matched' }), invalid('status'));
    await expectDenied(commerce(), change({ orderId: foreign.id }), invalid('orderId'));
    await expectDenied(commerce(), change({ orderId: 'x\u0000' }), invalid('orderId'));
    await expectDenied(commerce(), change({ colour: 'red' }), invalid('colour'));
    await expectDenied(commerce(), change({ status: 'closed' }, shop, theirs), { kind: 'notFound' });
    await updateWithdrawal(shop, id, { orderId: order.id });
    await expectDenied(commerce(), change({ status: 'received' }), invalid('status'));
    const stale = { ...shop, expected: { id, versions: [version] } };
    await expectDenied(commerce(), change({ status: 'closed' }, stale), { kind: 'conflict' });
  });

  it('lose the person with the customer: those of the orders, and those with one of the e-mails', async () => {
    const { shop, order, token } = await ordered();
    const older = await createWithdrawal(shop, statement({ orderNumber: 'x', note: 'Ada was here' }));
    const byToken = await createWithdrawal(shop, { email: 'elsewhere@shop.test', note: 'Ada' }, { orderToken: token });
    await updateCustomer(shop, order.customerId ?? '', { email: 'countess@shop.test' });
    const newer = await createWithdrawal(shop, statement({ email: 'Countess@shop.test' }));
    const kept = await createWithdrawal(shop, statement({ name: 'Eve', email: 'eve@shop.test' }));
    await updateWithdrawal(shop, older.id, { merchantNote: 'called' });
    await anonymiseCustomer(shop, order.customerId ?? '');
    for (const { id } of [older, byToken, newer]) {
      expect(await getWithdrawal(shop, id)).toMatchObject({ name: '', email: '', note: null });
    }
    expect(await getWithdrawal(shop, byToken.id)).toMatchObject({ status: 'matched', orderId: order.id });
    expect(await getWithdrawal(shop, kept.id)).toMatchObject({ name: 'Eve', email: 'eve@shop.test' });
    expect(await match()).toBe(1);
    const left = Object.values(await snapshot(commerce()))
      .flat()
      .filter((row) => row.includes(shop.store.id) && /\bada\b|lovelace|countess|elsewhere@/i.test(row));
    expect(left).toEqual([]);
    // The link of the order is dead, as any wrong one.
    await expectDenied(commerce(), () => createWithdrawal(shop, statement(), { orderToken: token }), {
      kind: 'notFound',
    });
  });

  it('go with an order that was never real', async () => {
    const { shop, order, token } = await ordered();
    await createWithdrawal(shop, {}, { orderToken: token });
    const { id } = await createWithdrawal(shop, statement({ orderNumber: '7' }));
    await eraseOrder(shop, order.id);
    expect((await listWithdrawals(shop)).items.map((one) => one.id)).toEqual([id]);
  });

  it('send no mail where the shop sends none', async () => {
    const { shop } = await ordered();
    await updateSettings(shop, { mail: { ...mail, kinds: { 'withdrawal.received': false } } });
    await createWithdrawal(shop, statement());
    expect((await mailsOf(shop)).map(({ kind }) => kind)).toEqual(['owner.withdrawal']);
  });
});
