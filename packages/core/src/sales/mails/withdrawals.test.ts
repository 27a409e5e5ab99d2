import { useSelling } from '@commerce/test-support/fixtures/selling';
import { useTwoProcesses } from '@commerce/test-support/fixtures/shop';
import { type MailServer, startMailServer } from '@commerce/test-support/harness/mail-server';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  type Context,
  createCheckout,
  createWithdrawal,
  getOrder,
  listMails,
  matchWithdrawals,
  type WithdrawalInput,
} from '../../index.ts';
import { claimMail } from '../../mail/claims.ts';
import { orderToken } from '../../orders/link.ts';

const hour = 3_600_000;

forEachStorage('acknowledgements of withdrawals', (database) => {
  const { clock, commerce, openShop } = useSelling(database, { smtpAllow: ['127.0.0.0/8'] });
  const twoProcesses = useTwoProcesses(database, { clock, smtpAllow: ['127.0.0.0/8'] });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  beforeEach(() => {
    server.arrived.length = 0;
  });
  afterAll(() => server?.close());

  async function mailing() {
    const opened = await openShop([], {
      settings: {
        timeZone: 'Europe/Berlin',
        orderUrl: 'https://shop.example/order#{token}',
        paymentMethods: [{ id: 'cash', name: 'Cash on delivery', kind: 'cash_on_delivery' }],
        mail: { from: 'shop@shop.example', ownerAddress: 'owner@shop.example', smtp: server.smtp },
      },
    });
    const shop = await commerce().store(opened.shop.store.id);
    const place = async (email: string, more = {}) => {
      const cart = { ...opened.input(), paymentMethodId: 'cash', customer: { email }, ...more };
      const { orderId } = await createCheckout(shop, cart);
      return getOrder(shop, orderId);
    };
    return { shop, place };
  }

  const withdraw = (shop: Context, changes: Partial<WithdrawalInput> = {}) =>
    createWithdrawal(shop, {
      ...{ name: 'Ada Lovelace', email: 'ada@shop.test', orderNumber: '#1001', note: 'Too small.' },
      ...changes,
    });

  /** Looks for the orders, and sends what is due. */
  async function work(): Promise<void> {
    await matchWithdrawals(commerce().engine);
    await commerce().sendDueMails();
  }
  const acknowledged = () =>
    server.arrived.filter(({ mail }) => /withdrawal/i.test(mail.subject ?? '')).map(({ to }) => to[0] ?? '');

  it('say what was received, to the second, and to the owner which order it is', async () => {
    const { shop, place } = await mailing();
    const order = await place('ada@shop.test');
    await work();
    server.arrived.length = 0;
    clock.advance(1000 - (clock.now() % 1000) + 7250);
    const seconds = new Date(clock.now()).toISOString().slice(14, 19);
    await withdraw(shop, { items: [{ productId: order.items[0]?.productId, quantity: 1 }] });
    await work();
    const [buyers, owners] = [...server.arrived].sort((a, b) => ((a.to[0] ?? '') < (b.to[0] ?? '') ? -1 : 1));
    expect([buyers?.to, owners?.to]).toEqual([['ada@shop.test'], ['owner@shop.example']]);
    const text = buyers?.mail.text ?? '';
    for (const part of ['Ada Lovelace', '#1001', 'Too small.', seconds, order.items[0]?.titleSnapshot ?? '-'])
      expect(text).toContain(part);
    expect(text).not.toMatch(/accept/i);
    expect(owners?.mail.text).toContain('#1001');
    expect(owners?.mail.text).not.toContain('No order matches');
    expect((await listMails(shop, { orderId: order.id })).items.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['withdrawal.received', 'owner.withdrawal']),
    );
  });

  it('are in the language of the order', async () => {
    const { shop, place } = await mailing();
    const { orderNumber } = await place('ada@shop.test', { locale: 'de' });
    await withdraw(shop, { orderNumber });
    await work();
    expect(server.arrived.map(({ mail }) => mail.subject)).toContain(`Ihr Widerruf ist eingegangen (${orderNumber})`);
  });

  it('do not carry the words of a stranger to an address of no order', async () => {
    const { shop } = await mailing();
    const items = [{ sku: 'evil.test/sku', quantity: 1 }];
    await withdraw(shop, { email: 'victim@shop.test', note: 'Buy at evil.test', items });
    await work();
    const textTo = (address: string) => {
      const mail = server.arrived.find(({ to }) => to[0] === address)?.mail;
      return `${mail?.text}${mail?.html}`;
    };
    expect(textTo('victim@shop.test')).toContain('#1001');
    expect(textTo('victim@shop.test')).not.toContain('evil.test');
    for (const part of ['No order matches', 'evil.test']) expect(textTo('owner@shop.example')).toContain(part);
  });

  it('say nothing of an order to another address, though the link to the order came with the statement', async () => {
    const { shop, place } = await mailing();
    const order = await place('ada@shop.test');
    await work();
    server.arrived.length = 0;
    const token = await orderToken(shop.engine.storage.reads, shop.store.id, order.id, clock.now());
    const statement = { name: 'Mallory', email: 'victim@shop.test', note: 'Buy at evil.test' };
    await createWithdrawal(shop, statement, { orderToken: token ?? '' });
    await work();
    const mail = server.arrived.find(({ to }) => to[0] === 'victim@shop.test')?.mail;
    expect(mail?.text).toContain(order.orderNumber);
    for (const part of ['evil.test', 'shop.example/order#', 'Lovelace'])
      expect(`${mail?.text}${mail?.html}`).not.toContain(part);
    expect((await listMails(shop, { orderId: order.id })).items.map(({ to }) => to)).not.toContain('victim@shop.test');
  });

  it('name goods as the shop knows them, and never all where only some were meant', async () => {
    const { shop } = await mailing();
    const items = [
      { sku: 'OLD-MUG_1', quantity: 1 },
      { sku: 'buy at evil.test', quantity: 2 },
    ];
    await withdraw(shop, { items, note: null });
    await withdraw(shop, { email: 'grace@shop.test', note: 'Only the mug.' });
    await work();
    const textTo = (address: string) => server.arrived.find(({ to }) => to[0] === address)?.mail.text ?? '';
    expect(textTo('ada@shop.test')).toMatch(/1 × OLD-MUG_1\s+2 × …/);
    expect(textTo('grace@shop.test')).not.toMatch(/whole order/i);
  });

  it('go to one address three times in 24 hours; later ones wait, and none is lost', async () => {
    const { shop } = await mailing();
    for (const name of ['victim', 'Victim', 'VICTIM', 'vicTim', 'victiM'])
      await withdraw(shop, { email: `${name}@shop.test` });
    await work();
    await work();
    expect(acknowledged().filter((to) => to === 'victim@shop.test')).toHaveLength(3);
    clock.advance(23 * hour);
    await work();
    expect(acknowledged().filter((to) => to === 'victim@shop.test')).toHaveLength(3);
    clock.advance(hour);
    await work();
    expect(acknowledged().filter((to) => to === 'victim@shop.test')).toHaveLength(5);
  });

  it('are counted once for all processes', async () => {
    const { shop } = await mailing();
    const next = await twoProcesses(shop);
    for (let i = 0; i < 12; i++) await withdraw(shop, { email: 'victim@shop.test' });
    await matchWithdrawals(commerce().engine);
    const claims = Array.from({ length: 12 }, () => claimMail(next().engine, shop.store.id));
    const claimed = (await Promise.all(claims)).filter((claim) => claim?.kind === 'withdrawal.received');
    expect(claimed).toHaveLength(3);
  });

  it('go to a hundred strangers an hour, and a flood keeps neither buyers nor orders waiting', async () => {
    const { shop, place } = await mailing();
    const order = await place('grace@shop.test');
    await work();
    server.arrived.length = 0;
    for (let i = 0; i < 120; i++) await withdraw(shop, { email: `stranger-${i}@shop.test`, orderNumber: '1' });
    await matchWithdrawals(commerce().engine);
    await work();
    const strangers = () => acknowledged().filter((to) => to.startsWith('stranger'));
    expect(strangers()).toHaveLength(100);
    await withdraw(shop, { email: 'grace@shop.test', orderNumber: order.orderNumber });
    await place('alan@shop.test');
    await work();
    expect(acknowledged()).toContain('grace@shop.test');
    expect(server.arrived.map(({ to }) => to[0])).toContain('alan@shop.test');
    expect(strangers()).toHaveLength(100);
    clock.advance(hour);
    await work();
    expect(new Set(strangers()).size).toBe(120);
  });
});
