import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, expect, it } from 'vitest';
import {
  type Commerce,
  type CommerceEvent,
  createPage,
  type HandlerFailure,
  listAuditLogs,
  listSubscriberDeliveries,
  listSubscribers,
  openCommerce,
  redeliverToSubscriber,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';
import { appSubscribers } from './app-subscribers.ts';

/** The warnings of this process by Commerce from now on. */
function watchWarnings() {
  const seen: (Error & { code?: string })[] = [];
  const see = (warning: Error) => {
    if (warning.name === 'CommerceWarning') seen.push(warning);
  };
  process.on('warning', see);
  return { seen, end: () => process.off('warning', see) };
}

forEachStorage('subscribers of the application', (database) => {
  const clock = fakeClock();
  const closing: Commerce[] = [];
  afterEach(async () => {
    for (const commerce of closing.splice(0)) {
      for (const name of appSubscribers(commerce.engine).names()) await commerce.forgetSubscriber(name);
      await commerce.close();
    }
  });
  async function open(): Promise<Commerce> {
    const commerce = await openCommerce({ storage: database.open(), clock, random: () => 0.5 });
    closing.push(commerce);
    return commerce;
  }

  it('receive the same events as webhooks, of every store', async () => {
    const commerce = await open();
    const seen: CommerceEvent[] = [];
    await commerce.on('product.*', (event) => seen.push(event), { name: 'mirror' });
    const shops = [await newShop(commerce), await newShop(commerce)];
    const products = [];
    for (const shop of shops) {
      products.push(await newProduct(shop));
      await createPage(shop, { title: 'P', slug: 'p' });
    }
    expect(await commerce.deliverDue()).toBe(2);
    expect(seen.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      products.map((data) => ({
        id: expect.any(String),
        type: 'product.created',
        timestamp: data.createdAt,
        storeId: data.storeId,
        data,
      })),
    );
    expect(await commerce.deliverDue()).toBe(0);
  });

  it('receive an event again after they threw, by the schedule of webhooks, five times in all', async () => {
    const commerce = await open();
    const attempts: number[] = [];
    await commerce.on(
      'product.created',
      async (_, { attempt }) => {
        attempts.push(attempt);
        throw new Error('no');
      },
      { name: 'fails' },
    );
    await newProduct(await newShop(commerce));
    for (const wait of [0, 5_000, 25_000, 120_000, 600_000]) {
      if (wait > 0) {
        clock.advance(wait - 1);
        expect(await commerce.deliverDue()).toBe(0);
        clock.advance(1);
      }
      expect(await commerce.deliverDue()).toBe(1);
    }
    clock.advance(86_400_000);
    expect(await commerce.deliverDue()).toBe(0);
    expect(attempts).toEqual([1, 2, 3, 4, 5]);
  });

  it('report what they threw, with the event, the attempt and the time of the next one', async () => {
    const commerce = await open();
    const thrown = new Error('the mail server is away');
    await commerce.on('product.created', () => Promise.reject(thrown), { name: 'mailer' });
    const product = await newProduct(await newShop(commerce));
    const told: unknown[] = [];
    const onError = (error: unknown, failure?: HandlerFailure) => told.push([error, failure]);
    for (const wait of [0, 5_000, 25_000, 120_000, 600_000]) {
      clock.advance(wait);
      await commerce.deliverDue({ onError });
    }
    const event = expect.objectContaining({ type: 'product.created', data: product, storeId: product.storeId });
    const next = (seconds: number) => new Date(clock.now() - 750_000 + seconds * 1000).toISOString();
    expect(told).toEqual(
      [next(5), next(30), next(150), next(750), null].map((willRetryAt, i) => [
        thrown,
        { subscriber: 'mailer', event, attempt: i + 1, willRetryAt },
      ]),
    );
  });

  it('report to the receiver of startDelivery, whose own error stops nothing', async () => {
    const commerce = await open();
    const warnings = watchWarnings();
    await commerce.on('product.created', () => Promise.reject('no'), { name: 'fails' });
    const told: unknown[] = [];
    const stop = commerce.startDelivery({
      interval: 10,
      async onError(error, failure) {
        told.push([error, failure?.subscriber]);
        throw new Error('the receiver is broken');
      },
    });
    await newProduct(await newShop(commerce));
    await until('the warning', () => warnings.seen.length === 1);
    await stop();
    expect(told).toEqual([['no', 'fails']]);
    expect(warnings.seen[0]?.message).toBe('the receiver is broken');
    warnings.end();
  });

  it('can throw anything, also what has no text: the attempt counts', async () => {
    const commerce = await open();
    const shop = await newShop(commerce);
    const anything = [
      Object.create(null),
      Object.assign(new Error('no'), { message: { code: 7 } }),
      Object.defineProperty(new Error('no'), 'message', {
        get() {
          throw new Error('not even this');
        },
      }),
      Symbol('away'),
      undefined,
    ];
    await commerce.on('product.created', () => Promise.reject(anything.shift()), { name: 'throws' });
    for (const _ of [...anything]) await newProduct(shop);
    const told: unknown[] = [];
    expect(await commerce.deliverDue({ onError: (error) => told.push(error) })).toBe(5);
    expect(told).toHaveLength(5);
    const { items } = await listSubscriberDeliveries(shop, 'throws');
    const errors = items.map(({ attempts }) => attempts.map(({ error }) => error).join());
    const nothing = 'an error without a message';
    expect(errors.sort()).toEqual(['Symbol(away)', '[object Object]', nothing, nothing, 'undefined'].sort());
  });

  it('are named in a warning of the process if the application receives no errors', async () => {
    const commerce = await open();
    const warnings = watchWarnings();
    await commerce.on('product.created', () => Promise.reject(new Error('no')), { name: 'fails' });
    await newProduct(await newShop(commerce));
    await commerce.deliverDue();
    await until('the warning', () => warnings.seen.length === 1);
    const next = new Date(clock.now() + 5_000).toISOString();
    expect(warnings.seen[0]).toMatchObject({ name: 'CommerceWarning', code: 'COMMERCE_SUBSCRIBER_FAILED' });
    expect(warnings.seen[0]?.message).toMatch(
      new RegExp(
        `^the subscriber "fails" failed for product\\.created [0-9a-f-]{36}, attempt 1; the next attempt is at ${next}: no$`,
      ),
    );
    warnings.end();
  });

  it('have their deliveries in a list, with what they threw, and receive a failed event again on request', async () => {
    const commerce = await open();
    let isBroken = true;
    const seen: string[] = [];
    const handler = (event: CommerceEvent) => {
      if (isBroken) throw new Error('the mail server is away');
      seen.push(event.id);
    };
    await commerce.on(['page.created', 'product.created'], handler, { name: 'mailer' });
    await commerce.on('order.paid', () => {}, { name: 'accounts' });
    const [shop, other] = [await newShop(commerce), await newShop(commerce)];
    await newProduct(other);
    await newProduct(shop);
    const onError = () => {};
    for (const wait of [0, 5_000, 25_000, 120_000, 600_000]) {
      clock.advance(wait);
      await commerce.deliverDue({ onError });
    }
    await createPage(shop, { title: 'P', slug: 'p' });
    const named = async () =>
      (await listSubscribers(shop)).items.filter(({ name }) => /^(mailer|accounts)$/.test(name));
    expect(await named()).toEqual([
      { name: 'accounts', events: ['order.paid'], waiting: 0, failed: 0 },
      { name: 'mailer', events: ['product.created', 'page.created'], waiting: 1, failed: 1 },
    ]);
    expect((await listSubscribers(shop, { limit: 1 })).items).toHaveLength(1);
    const all = await listSubscriberDeliveries(shop, 'mailer');
    expect(all).toMatchObject({
      total: 2,
      items: [{ event: 'page.created', status: 'pending', subscriber: 'mailer' }, { event: 'product.created' }],
    });
    expect(await listSubscriberDeliveries(shop, 'mailer', { limit: 1, offset: 1 })).toEqual({
      total: 2,
      items: all.items.slice(1),
    });
    const { items, total } = await listSubscriberDeliveries(shop, 'mailer', { status: 'failed' });
    expect(total).toBe(1);
    const [failed] = items;
    expect(failed).toMatchObject({ subscriber: 'mailer', nextAttemptAt: null });
    expect(failed).not.toHaveProperty('webhookId');
    expect(failed?.attempts.map(({ error }) => error)).toEqual(Array(5).fill('the mail server is away'));

    isBroken = false;
    const again = await redeliverToSubscriber(shop, 'mailer', failed?.id as string);
    expect(again).toMatchObject({ subscriber: 'mailer', eventId: failed?.eventId, status: 'pending', attempts: [] });
    expect(await commerce.deliverDue()).toBe(2);
    expect(seen).toContain(failed?.eventId);
    expect((await listAuditLogs(shop, { action: 'subscriber.redelivered' })).items).toMatchObject([
      { resourceType: 'subscriber', resourceId: 'mailer', changes: { delivery: failed?.id } },
    ]);
  });

  it('receive a waiting event now if it is redelivered', async () => {
    const commerce = await open();
    const shop = await newShop(commerce);
    await commerce.on('product.created', () => Promise.reject(new Error('no')), { name: 'fails' });
    await newProduct(shop);
    const onError = () => {};
    await commerce.deliverDue({ onError });
    expect(await commerce.deliverDue({ onError })).toBe(0);
    const { items } = await listSubscriberDeliveries(shop, 'fails', { status: 'pending' });
    await redeliverToSubscriber(shop, 'fails', items[0]?.id as string);
    expect(await commerce.deliverDue({ onError })).toBe(1);
    expect((await listSubscriberDeliveries(shop, 'fails')).items[0]?.attempts).toHaveLength(2);
  });

  it('show their deliveries neither for an unknown name, nor to storefront keys, nor for another store', async () => {
    const commerce = await open();
    const [shop, other] = [await newShop(commerce), await newShop(commerce)];
    await commerce.on('product.created', () => {}, { name: 'mailer' });
    await newProduct(other);
    const { items } = await listSubscriberDeliveries(other, 'mailer');
    const id = items[0]?.id as string;
    expect((await listSubscriberDeliveries(shop, 'mailer')).total).toBe(0);
    await expectDenied(commerce, () => listSubscriberDeliveries(shop, 'nobody'), { kind: 'notFound' });
    await expectDenied(commerce, () => listSubscriberDeliveries(shop, 'mailer\0'), { kind: 'notFound' });
    await expectDenied(commerce, () => redeliverToSubscriber(shop, 'nobody', id), { kind: 'notFound' });
    await expectDenied(commerce, () => redeliverToSubscriber(shop, 'mailer', id), { kind: 'notFound' });
    const visitor = { ...other, actor: { type: 'apiKey', id: 'k', isPublic: true } } as const;
    await expectDenied(commerce, () => listSubscribers(visitor), { kind: 'forbidden' });
    await expectDenied(commerce, () => listSubscriberDeliveries(visitor, 'mailer'), { kind: 'forbidden' });
    await expectDenied(commerce, () => redeliverToSubscriber(visitor, 'mailer', id), { kind: 'forbidden' });
  });

  it('miss no event that happens while no process has their handler', async () => {
    const before = await open();
    const off = await before.on('product.created', () => {}, { name: 'mailer' });
    const shop = await newShop(before);
    off();
    const product = await newProduct(shop);
    expect(await before.deliverDue()).toBe(0);
    const after = await open();
    const seen: string[] = [];
    await after.on('product.created', (event) => seen.push(event.data.id), { name: 'mailer' });
    expect(await after.deliverDue()).toBe(1);
    expect(seen).toEqual([product.id]);
    expect(await after.deliverDue()).toBe(0);
  });

  it('receive events of another process', async () => {
    const [writing, delivering] = [await open(), await open()];
    const seen: string[] = [];
    await delivering.on(['product.created', 'page.created'], (event) => seen.push(event.type));
    const stop = delivering.startDelivery({ interval: 10 });
    const shop = await newShop(writing);
    await newProduct(shop);
    await createPage(shop, { title: 'P', slug: 'p' });
    await until('both arrived', () => seen.length === 2);
    expect(seen.sort()).toEqual(['page.created', 'product.created']);
    await stop();
  });

  it('keep events that a delivering process without their handler writes', async () => {
    const [writing, handling] = [await open(), await open()];
    const seen: string[] = [];
    await handling.on('product.created', (event) => seen.push(event.data.id), { name: 'mailer' });
    const stop = writing.startDelivery({ interval: 10 });
    // The order of its deliveries is not given: this one shows that it has looked.
    await writing.on('page.created', (event) => seen.push(event.type), { name: 'pages' });
    const shop = await newShop(writing);
    const product = await newProduct(shop);
    await createPage(shop, { title: 'P', slug: 'p' });
    await until('it has delivered', () => seen.length === 1);
    await stop();
    expect((await listSubscriberDeliveries(shop, 'mailer')).items).toMatchObject([{ status: 'pending', attempts: [] }]);
    expect(await handling.deliverDue()).toBe(1);
    expect(seen).toEqual(['page.created', product.id]);
  });

  it('receive each event once, however many processes have a handler of that name', async () => {
    const processes = [await open(), await open()];
    const seen: string[] = [];
    for (const commerce of processes)
      await commerce.on('product.created', (event) => seen.push(event.id), { name: 'one' });
    const shop = await newShop(processes[0] as Commerce);
    for (let i = 0; i < 50; i++) await newProduct(shop);
    const attempts = await Promise.all(processes.map((commerce) => commerce.deliverDue()));
    expect(attempts.reduce((sum, n) => sum + n)).toBe(50);
    expect(new Set(seen).size).toBe(50);
    expect(seen).toHaveLength(50);
  });

  it('are removed for good, with their waiting events', async () => {
    const commerce = await open();
    await commerce.on('product.created', () => {}, { name: 'old' });
    const shop = await newShop(commerce);
    await newProduct(shop);
    await commerce.forgetSubscriber('old');
    await newProduct(shop);
    const { db } = commerce.engine.storage;
    expect(await db.selectFrom('deliveries').selectAll().where('store_id', '=', shop.store.id).execute()).toEqual([]);
  });

  it('need a unique name and existing events', async () => {
    const commerce = await open();
    const handler = () => {};
    await commerce.on('product.created', handler);
    await expectDenied(commerce, () => commerce.on('product.created', handler), { kind: 'conflict' });
    const invalid = (events: string | string[], name: string, field: string) =>
      expectDenied(commerce, () => commerce.on(events as 'order.paid', handler, { name }), {
        kind: 'validation',
        fields: [field],
      });
    await invalid('product.bought', 'x', 'events');
    await invalid([], 'x', 'events');
    await invalid('product.created', 'with blanks', 'name');
    await invalid('product.created', '', 'name');
  });
});
