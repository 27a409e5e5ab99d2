import { useSelling } from '@commerce/test-support/fixtures/selling';
import { auditOf } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid } from '@commerce/test-support/harness/denied';
import { type MailServer, startMailServer } from '@commerce/test-support/harness/mail-server';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  adjustStock,
  anonymiseCustomer,
  type Context,
  cancelCheckout,
  createCheckout,
  createFulfilment,
  createPage,
  deleteMailTemplate,
  getMail,
  getOrder,
  getOrderTimeline,
  getSettings,
  listMails,
  listOrders,
  mailKinds,
  putMailTemplate,
  recordPayment,
  refundOrder,
  resendMail,
  type SettingsChanges,
  testMail,
  updateFulfilment,
  updateOrder,
  updateProduct,
  updateSettings,
} from '../../index.ts';
import { writing } from '../../storage/run.ts';

const minute = 60_000;
const hour = 60 * minute;
const smtpAllow = ['127.0.0.0/8'];

const onlyLowStock = Object.fromEntries(mailKinds.map((kind) => [kind, kind === 'owner.low_stock']));

forEachStorage('mail', (database) => {
  const { clock, commerce, openShop } = useSelling(database, { smtpAllow });
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  beforeEach(async () => {
    server.refusals.length = 0;
    // Shops of earlier tests still have mails.
    await commerce().sendDueMails();
    server.arrived.length = 0;
    server.beforeAnswer = undefined;
  });
  afterAll(() => server?.close());

  const transfer = { id: 'transfer', name: 'Bank transfer', kind: 'transfer' as const, instructions: 'Pay {total}.' };
  const cash = { id: 'cash', name: 'Cash on delivery', kind: 'cash_on_delivery' as const };

  /** A shop that sends mail through the server. */
  async function mailing(more: SettingsChanges = {}, mail: NonNullable<SettingsChanges['mail']> = {}) {
    const opened = await openShop([], {
      settings: {
        paymentMethods: [transfer, cash],
        manualPayments: true,
        ...more,
        mail: { from: 'shop@shop.example', ownerAddress: 'owner@shop.example', smtp: server.smtp, ...mail },
      },
    });
    const shop = await commerce().store(opened.shop.store.id);
    const place = async (paymentMethodId: string, changes = {}) => {
      const { orderId } = await createCheckout(shop, { ...opened.input(), paymentMethodId, ...changes });
      return getOrder(shop, orderId);
    };
    return { ...opened, shop, place };
  }

  const kindsOf = async (shop: Context, orderId?: string) =>
    (await listMails(shop, { ...(orderId === undefined ? {} : { orderId }), limit: 100 })).items
      .map(({ kind }) => kind)
      .reverse();
  /** Mails that arrived since the last call, by their addresses. */
  const take = () => server.arrived.splice(0);

  it('follows an order to be paid by transfer: asks for the money, then confirms', async () => {
    const { shop, place } = await mailing();
    const order = await place('transfer', { locale: 'de-AT' });
    expect(await kindsOf(shop, order.id)).toEqual(['order.payment_waiting', 'owner.new_order']);
    await commerce().sendDueMails();
    expect(
      take().map(({ to, mail }) => [to, mail.from?.address, mail.from && 'name' in mail.from && mail.from.name]),
    ).toEqual([
      [['ada@shop.test'], 'shop@shop.example', 'Shop'],
      [['owner@shop.example'], 'shop@shop.example', 'Shop'],
    ]);
    const told = await getMail(shop, (await listMails(shop, { kind: 'owner.new_order' })).items[0]?.id ?? '');
    for (const part of ['Ada Lovelace', 'ada@shop.test']) expect(told.text).toContain(part);
    const [asked, owners] = (await listMails(shop, { orderId: order.id })).items.reverse();
    expect([asked?.locale, owners?.locale]).toEqual(['de-AT', 'en']);
    await recordPayment(shop, order.id, { method: 'bank', amount: order.total });
    const parcel = await createFulfilment(shop, order.id, { tracking: { carrier: 'DHL', number: '1', url: null } });
    await updateFulfilment(shop, order.id, parcel.id, { deliveredAt: new Date(clock.now()).toISOString() });
    await refundOrder(shop, order.id, { amount: '5.00', refundId: 'r1' });
    expect(await kindsOf(shop, order.id)).toEqual([
      ...['order.payment_waiting', 'owner.new_order', 'order.confirmed', 'order.shipped', 'order.refunded'],
    ]);
  });

  it('repeats what a buyer chose and wrote to the owner, and to the buyer once it is paid', async () => {
    const { shop, place, product } = await mailing();
    const words = { Engraving: 'Visit spam.example', Colour: 'gold' };
    const order = await place('transfer', {
      items: [{ productId: product.id, quantity: 1, options: words }],
      giftNote: 'Cheap pills at pills.example',
    });
    await commerce().sendDueMails();
    await recordPayment(shop, order.id, { method: 'bank', amount: order.total });
    await createFulfilment(shop, order.id, {});
    await commerce().sendDueMails();
    const texts = new Map<string, string>();
    for (const { id, kind } of (await listMails(shop, { orderId: order.id, limit: 100 })).items) {
      texts.set(kind, (await getMail(shop, id)).text ?? '');
    }
    const has = (kind: string) => [texts.get(kind)?.includes('spam.example'), texts.get(kind)?.includes('pills')];
    expect(has('order.payment_waiting')).toEqual([false, false]);
    expect(has('owner.new_order')).toEqual([true, true]);
    expect(has('order.confirmed')).toEqual([true, true]);
    expect(has('order.shipped')).toEqual([true, false]);
    expect(texts.get('order.confirmed')).toMatch(/Engraving: Visit spam\.example\n *Colour: gold/);
  });

  it('confirms an order to pay on delivery when it is placed, and says nothing more when it is paid', async () => {
    const { shop, place } = await mailing();
    const order = await place('cash');
    await createFulfilment(shop, order.id);
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    expect(await kindsOf(shop, order.id)).toEqual(['order.confirmed', 'owner.new_order', 'order.shipped']);
  });

  it('tells of a cancelled order, but not of a checkout that was never an order', async () => {
    const { shop, place, input } = await mailing();
    const order = await place('cash');
    await updateOrder(shop, order.id, { status: 'cancelled' });
    expect(await kindsOf(shop, order.id)).toEqual(['order.confirmed', 'owner.new_order', 'order.cancelled']);
    const { shop: other, input: cart } = await openShop(['stripe'], {
      settings: { mail: { from: 'shop@shop.example', smtp: server.smtp } },
    });
    const paying = await commerce().store(other.store.id);
    const { id } = await createCheckout(paying, { ...cart(), provider: 'stripe' });
    await cancelCheckout(paying, id);
    expect((await listOrders(paying)).items).toMatchObject([{ status: 'cancelled' }]);
    expect(await kindsOf(paying)).toEqual([]);
    void input;
  });

  it('sends only the kinds that are on, and nothing without a sender or a server', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false, 'order.delivered': true } });
    const order = await place('cash');
    const parcel = await createFulfilment(shop, order.id);
    await updateFulfilment(shop, order.id, parcel.id, { deliveredAt: new Date(clock.now()).toISOString() });
    expect(await kindsOf(shop)).toEqual(['order.confirmed', 'order.shipped', 'order.delivered']);
    const { smtp: _, ...mail } = (await getSettings(shop)).mail;
    await updateSettings(shop, { mail: { ...mail, smtp: null } });
    const silent = await commerce().store(shop.store.id);
    await updateOrder(silent, order.id, { status: 'cancelled' }).catch(() => {});
    await createCheckout(silent, {
      items: order.items.map(({ productId }) => ({ productId, quantity: 1 })),
      customer: { email: 'eve@shop.test' },
      successUrl: 'https://shop.example/',
      cancelUrl: 'https://shop.example/',
      paymentMethodId: 'cash',
    });
    expect(await kindsOf(silent)).toHaveLength(3);
  });

  it('warns the owner of low stock, once a transaction and at most twenty times an hour', async () => {
    const { shop, product, place } = await mailing({}, { kinds: { 'order.confirmed': false, 'order.shipped': false } });
    await updateSettings(shop, { mail: { ...(await getSettings(shop)).mail, kinds: onlyLowStock } });
    const warned = await commerce().store(shop.store.id);
    const sellTwo = async () => {
      const order = await place('cash');
      await createFulfilment(warned, order.id);
      await adjustStock(warned, product.id, { adjustment: 2 });
    };
    await updateProduct(shop, product.id, { lowStockThreshold: 9 });
    for (let i = 0; i < 22; i++) await sellTwo();
    const warnings = async () => (await kindsOf(shop)).filter((kind) => kind === 'owner.low_stock').length;
    expect(await warnings()).toBe(20);
    clock.advance(hour + 1);
    await sellTwo();
    expect(await warnings()).toBe(21);
  });

  it('tries a mail that is turned away again at once, after 1, 5, 15, 30 minutes, then hourly for a day', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    const order = await place('cash');
    const start = clock.now();
    const at: number[] = [];
    for (let i = 0; i < 60; i++) server.refusals.push({ code: 451, words: 'try again later' });
    while (true) {
      await commerce().sendDueMails();
      const [mail] = (await listMails(shop, { orderId: order.id })).items;
      at.push((clock.now() - start) / minute);
      if (mail?.status !== 'pending') {
        expect(mail).toMatchObject({ status: 'failed', nextAttemptAt: null, sentAt: null });
        expect(mail?.attempts.at(-1)).toMatchObject({ responseCode: 451, response: null });
        break;
      }
      clock.advance(Date.parse(mail.nextAttemptAt ?? '') - clock.now());
    }
    expect(at.slice(0, 7)).toEqual([0, 1, 6, 21, 51, 111, 171]);
    expect(at.at(-1)).toBeLessThanOrEqual(24 * 60);
    expect(at.at(-1)).toBeGreaterThan(23 * 60);
    expect(take()).toEqual([]);
  });

  it('arrives after greylisting, with the Message-ID of the first attempt', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    const order = await place('cash');
    server.refusals.push({ code: 450, words: 'greylisted' }, { code: 450, words: 'greylisted' });
    await commerce().sendDueMails();
    clock.advance(minute);
    await commerce().sendDueMails();
    // What is sent was written out for the first attempt.
    await updateSettings(shop, { name: 'Another name' });
    clock.advance(5 * minute);
    await commerce().sendDueMails();
    const [mail] = (await listMails(shop, { orderId: order.id })).items;
    expect(mail).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
    expect(mail?.attempts.map(({ responseCode }) => responseCode)).toEqual([450, 450, 250]);
    expect(
      take().map(({ mail: { messageId, headers } }) => [
        messageId,
        headers.find(({ key }) => key === 'auto-submitted')?.value,
      ]),
    ).toEqual([[`<${mail?.id}@shop.example>`, 'auto-generated']]);
  });

  it('gives up a mail that the server refuses for good, but not one for a wrong password or an unreachable server', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    server.refusals.push({ code: 550, words: 'no such mailbox' });
    const order = await place('cash');
    await commerce().sendDueMails();
    expect((await listMails(shop, { orderId: order.id })).items).toMatchObject([
      { status: 'failed', attempts: [{ responseCode: 550, error: expect.stringContaining('no such mailbox') }] },
    ]);
    const closed = await startMailServer();
    await closed.close();
    const { mail } = await getSettings(shop);
    await updateSettings(shop, { mail: { ...mail, smtp: closed.smtp } });
    await resendMail(shop, (await listMails(shop)).items[0]?.id ?? '');
    await commerce().sendDueMails();
    expect((await listMails(shop)).items[0]).toMatchObject({ status: 'pending', attempts: [{ responseCode: null }] });
    const strict = await startMailServer({
      authOptional: false,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (_, __, callback) => callback(new Error('wrong password')),
    });
    try {
      await updateSettings(shop, {
        mail: { ...mail, smtp: { ...strict.smtp, user: 'shop', password: 'not it, sorry' } },
      });
      clock.advance(minute);
      await commerce().sendDueMails();
      const [waiting] = (await listMails(shop)).items;
      expect(waiting).toMatchObject({ status: 'pending', attempts: [{}, { responseCode: 535 }] });
      expect(JSON.stringify(waiting)).not.toContain('not it');
    } finally {
      await strict.close();
    }
  });

  it('is sent again to another address as a new mail with the same text', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    const order = await place('cash');
    await commerce().sendDueMails();
    const [first] = (await listMails(shop)).items;
    const again = await resendMail(shop, first?.id ?? '', { to: 'ada@right.test' });
    expect(again).toMatchObject({ resentOf: first?.id, to: 'ada@right.test', orderId: order.id, status: 'pending' });
    await commerce().sendDueMails();
    const [one, two] = take();
    expect([one?.to, two?.to]).toEqual([['ada@shop.test'], ['ada@right.test']]);
    expect(two?.mail.text).toBe(one?.mail.text);
    expect(two?.mail.messageId).not.toBe(one?.mail.messageId);
    const timeline = await getOrderTimeline(shop, order.id);
    expect(timeline.items.flatMap((entry) => (entry.kind === 'mail' ? [entry.mail.to] : []))).toEqual([
      'ada@shop.test',
      'ada@right.test',
    ]);
    await expectDenied(
      commerce(),
      () => resendMail(shop, first?.id ?? '', { to: 'a@x.test, b@x.test' }),
      invalid('to'),
    );
  });

  it('of an anonymised buyer is not sent, and what was sent loses its text', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    const order = await place('cash');
    await commerce().sendDueMails();
    await createFulfilment(shop, order.id);
    expect(await kindsOf(shop)).toEqual(['order.confirmed', 'order.shipped']);
    await anonymiseCustomer(shop, order.customerId ?? '');
    take();
    expect(await commerce().sendDueMails()).toBe(0);
    const { items } = await listMails(shop);
    expect(items).toMatchObject([
      { kind: 'order.shipped', status: 'cancelled', to: '' },
      { kind: 'order.confirmed', status: 'succeeded', to: '', subject: null },
    ]);
    const rows = await shop.engine.storage.db.selectFrom('mails').selectAll().execute();
    expect(JSON.stringify(rows.filter(({ store_id }) => store_id === shop.store.id))).not.toMatch(/ada|lovelace/i);
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    await refundOrder(shop, order.id, { amount: '1.00', refundId: 'r1' });
    expect(await listMails(shop)).toMatchObject({ total: 2 });
  });

  it('is one for each parcel and each refund, also of one transaction, and none of a transaction that fails', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false, 'order.confirmed': false } });
    const order = await place('cash');
    const [item] = order.items;
    const piece = { lines: [{ itemId: item?.id ?? '', quantity: 1 }] };
    const both = (isFailing: boolean) =>
      commerce().transaction(shop, async (ctx) => {
        await createFulfilment(ctx, order.id, piece);
        await createFulfilment(ctx, order.id, piece);
        if (isFailing) throw new Error('it fails');
      });
    await expect(both(true)).rejects.toThrow('it fails');
    expect(await kindsOf(shop)).toEqual([]);
    await both(false);
    expect(await kindsOf(shop)).toEqual(['order.shipped', 'order.shipped']);
    await commerce().sendDueMails();
    // Each names one piece.
    expect(take().map(({ mail }) => /1 × /.test(mail.text ?? ''))).toEqual([true, true]);
    await recordPayment(shop, order.id, { method: 'cash', amount: order.total });
    await commerce().transaction(shop, async (ctx) => {
      await refundOrder(ctx, order.id, { amount: '1.00', refundId: 'r1' });
      await refundOrder(ctx, order.id, { amount: '2.00', refundId: 'r2' });
    });
    await commerce().sendDueMails();
    const amounts = take().map(({ mail }) => /[\d.]+/.exec(/€[\d.]+/.exec(mail.text ?? '')?.[0] ?? '')?.[0]);
    expect(amounts.sort()).toEqual(['1.00', '2.00']);
  });

  it('follows the settings of the store, however old the context of an application is', async () => {
    const opened = await openShop([], { settings: { paymentMethods: [cash] } });
    const old = opened.shop;
    const { orderId } = await createCheckout(old, { ...opened.input(), paymentMethodId: 'cash' });
    expect(await kindsOf(old)).toEqual([]);
    await updateSettings(old, { mail: { from: 'shop@shop.example', smtp: server.smtp } });
    await createFulfilment(old, orderId);
    expect(await kindsOf(old)).toEqual(['order.shipped']);
    await updateSettings(old, { mail: {} });
    await updateOrder(old, orderId, { status: 'cancelled' }).catch(() => {});
    const { orderId: next } = await createCheckout(old, { ...opened.input(), paymentMethodId: 'cash' });
    await createFulfilment(old, next);
    expect(await kindsOf(old)).toEqual(['order.shipped']);
  });

  it('does not ask for the money of an order that was cancelled or paid meanwhile', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    const [cancelled, paid, open] = [await place('transfer'), await place('transfer'), await place('transfer')];
    await updateOrder(shop, cancelled.id, { status: 'cancelled' });
    await recordPayment(shop, paid.id, { method: 'bank', amount: paid.total });
    await commerce().sendDueMails();
    const states = async (id: string) =>
      (await listMails(shop, { orderId: id })).items.map(({ kind, status }) => [kind, status]).reverse();
    expect(await states(cancelled.id)).toEqual([
      ['order.payment_waiting', 'cancelled'],
      ['order.cancelled', 'succeeded'],
    ]);
    expect(await states(paid.id)).toEqual([
      ['order.payment_waiting', 'cancelled'],
      ['order.confirmed', 'succeeded'],
    ]);
    expect(await states(open.id)).toEqual([['order.payment_waiting', 'succeeded']]);
  });

  it('waits for what is being sent when it stops, so that nothing is sent twice', async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    await place('cash');
    let release = () => {};
    const taken = new Promise<void>((resolve) => {
      server.beforeAnswer = () => {
        resolve();
        return new Promise<void>((answer) => {
          release = answer;
        });
      };
    });
    const stop = commerce().startDelivery();
    await taken;
    const stopped = stop();
    setTimeout(() => release(), 300);
    await stopped;
    expect((await listMails(shop)).items).toMatchObject([{ status: 'succeeded', attempts: [{ error: null }] }]);
    server.beforeAnswer = undefined;
    await commerce().sendDueMails();
    expect(take()).toHaveLength(1);
  });

  it('of a demonstration goes nowhere, neither to its buyer nor to the owner', async () => {
    const { shop, place } = await mailing();
    await place('cash', { customer: { email: 'ada@demo.example' } });
    expect(await kindsOf(shop)).toEqual([]);
  });

  it('has the texts of the terms and of the right of withdrawal as they were then', async () => {
    const opened = await openShop([], {
      settings: { paymentMethods: [cash], mail: { from: 'shop@shop.example', smtp: server.smtp } },
    });
    const content = '<h1>Terms</h1><p>You pay.</p><script>alert(1)</script>';
    const terms = await createPage(opened.shop, {
      title: 'General/../terms',
      slug: 'terms',
      content,
      status: 'published',
    });
    const draft = await createPage(opened.shop, { title: 'Withdrawal', slug: 'withdrawal', content: 'Secret draft' });
    await updateSettings(opened.shop, { pages: { terms: terms.id, withdrawal: draft.id } });
    const shop = await commerce().store(opened.shop.store.id);
    await createCheckout(shop, { ...opened.input(), paymentMethodId: 'cash' });
    await commerce().sendDueMails();
    const attachments = take().flatMap(({ mail }) => mail.attachments);
    expect(attachments.map(({ filename, mimeType }) => [filename, mimeType])).toEqual([
      ['General .. terms.txt', 'text/plain'],
    ]);
    expect(Buffer.from(attachments[0]?.content as ArrayBuffer).toString()).toBe(
      'General/../terms\n\nTerms\n\nYou pay.\n',
    );
  });

  it("is in the shop's own words if it has some, and in the built-in ones if they fail", async () => {
    const { shop, place } = await mailing({}, { kinds: { 'owner.new_order': false } });
    await putMailTemplate(shop, 'order.confirmed', 'de', {
      subject: 'Bestellung {{ order.number }}',
      text: 'Danke, {{ buyer.name }}!',
    });
    const german = await place('cash', { locale: 'de-AT' });
    await commerce().sendDueMails();
    expect(take()[0]?.mail.subject).toBe(`Bestellung ${german.orderNumber}`);
    await writing(shop.engine.storage, (db) =>
      db.updateTable('mail_templates').set({ text: '{{ nonsense' }).where('store_id', '=', shop.store.id).execute(),
    );
    await place('cash', { locale: 'de', customer: { email: 'eve@shop.test' } });
    await commerce().sendDueMails();
    const [mail] = take();
    expect(mail?.mail.subject).not.toContain('nonsense');
    expect(mail?.mail.text).toContain('12.50'.replace('.', ','));
    expect((await auditOf(shop)).map(({ action }) => action)).toContain('mailTemplate.failed');
    await deleteMailTemplate(shop, 'order.confirmed', 'de');
    await expectDenied(commerce(), () => deleteMailTemplate(shop, 'order.confirmed', 'de'), { kind: 'notFound' });
  });

  it('keeps the password of the server encrypted, unanswered, and for the server that it was given for', async () => {
    const { shop } = await mailing();
    const { mail } = await getSettings(shop);
    const smtp = { host: 'smtp.example.com', port: 587, security: 'starttls' as const, user: 'shop' };
    const password = 'a long password 1234';
    const set = await updateSettings(shop, { mail: { ...mail, smtp: { ...smtp, password } } });
    expect(set.mail.smtp).toEqual({ ...smtp, password: { lastFour: '1234' } });
    // An answer sent back keeps it.
    expect((await updateSettings(shop, set)).mail.smtp).toEqual(set.mail.smtp);
    const { password: _, ...without } = { ...set.mail.smtp, ...smtp };
    expect((await updateSettings(shop, { mail: { ...mail, smtp: without } })).mail.smtp).toEqual(set.mail.smtp);
    for (const changed of [{ host: 'smtp.attacker.example' }, { port: 25 }, { user: 'other' }]) {
      await expectDenied(
        commerce(),
        () => updateSettings(shop, { mail: { ...mail, smtp: { ...without, ...changed } } }),
        invalid('mail.smtp.password'),
      );
    }
    const [row] = await shop.engine.storage.db
      .selectFrom('stores')
      .selectAll()
      .where('id', '=', shop.store.id)
      .execute();
    expect(row?.settings).not.toContain('1234');
    expect(JSON.stringify(await auditOf(shop))).not.toContain(password);
  });

  it.each([
    ['mail.smtp.host', { host: '10.0.0.1', port: 25, security: 'tls' }],
    ['mail.smtp.host', { host: 'localhost:25', port: 25, security: 'tls' }],
    ['mail.smtp.security', { host: 'smtp.example.com', port: 25, security: 'none' }],
    ['mail.smtp.user', { host: 'smtp.example.com', port: 25, security: 'tls', password: 'secret' }],
  ] as const)('refuses %s of %j', async (field, smtp) => {
    const { shop } = await mailing();
    const { mail } = await getSettings(shop);
    await expectDenied(commerce(), () => updateSettings(shop, { mail: { ...mail, smtp } }), invalid(field));
  });

  it('tests the server and tells what was said, without the password', async () => {
    const { shop } = await mailing();
    const test = await testMail(shop, { to: 'owner@shop.example' });
    expect(test).toMatchObject({ sent: true, error: null });
    expect(test.conversation[0]).toMatch(/^< 220 /);
    expect(test.conversation).toContain('> RCPT TO:<owner@shop.example>');
    expect(take()).toMatchObject([{ to: ['owner@shop.example'] }]);
    server.refusals.push({ code: 550, words: 'not here' });
    expect(await testMail(shop, { to: 'owner@shop.example' })).toMatchObject({
      sent: false,
      error: expect.stringContaining('not here'),
    });
    expect(await getMail(shop, 'none').catch((error) => error.kind)).toBe('notFound');
  });
});
