import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { configureStripe, payment, signed, webhookSecret, withHeader } from '@commerce/test-support/fixtures/stripe';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import Stripe from 'stripe';
import { expect, it } from 'vitest';
import { configureProvider } from '../index.ts';
import { receiveNotification } from '../sales/notifications/receive.ts';
import { fakeClock } from '../testing/index.ts';

const noon = Date.parse('2026-06-01T12:00:00.000Z');

forEachStorage("the signature of Stripe's notifications", (database) => {
  const clock = fakeClock(noon);
  const commerce = useCommerce(database, { clock });
  const body = JSON.stringify(payment('0190a5c8-0000-7000-8000-000000000001', 1000).intentSucceeded());
  const seconds = noon / 1000;

  const headerOf = (payload: string, options: { secret?: string; scheme?: string; timestamp?: number } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret: webhookSecret, timestamp: seconds, ...options });
  const v1Of = (payload: string, secret: string) => headerOf(payload, { secret }).split(',')[1] ?? '';
  const wrong = `v1=${'0'.repeat(64)}`;
  const right = v1Of(body, webhookSecret);

  async function receive(sent: string, header: string | undefined) {
    const shop = await newShop(commerce());
    await configureStripe(shop);
    const receiving = () =>
      receiveNotification(commerce().engine, 'stripe', withHeader(sent, header), { storeId: shop.store.id });
    return { shop, receiving };
  }

  it.each<[string, string, string]>([
    ['as Stripe makes it', body, headerOf(body)],
    ['299 s old', body, headerOf(body, { timestamp: seconds - 299 })],
    ['300 s old', body, headerOf(body, { timestamp: seconds - 300 })],
    ['300 s ahead', body, headerOf(body, { timestamp: seconds + 300 })],
    ['one of several v1 right, the right one last', body, `t=${seconds},${wrong},${right}`],
    ['one of several v1 right, the right one first', body, `t=${seconds},${right},${wrong}`],
    ['of a secret that is being rolled', body, `t=${seconds},${v1Of(body, 'whsec_old')},${right}`],
    ['with the dummy v0 of the test mode beside it', body, `${headerOf(body)},v0=${'ab'.repeat(32)}`],
    ['with a scheme of the future beside it', body, `t=${seconds},v2=whatever,${right}`],
    ['with blanks after the commas', body, `t=${seconds}, ${right}`],
    ['over a body with other white space, as long as that body is signed', `${body}\n`, headerOf(`${body}\n`)],
  ])('is accepted %s', async (_, sent, header) => {
    const { receiving } = await receive(sent, header);
    expect(await receiving()).toEqual({
      received: true,
      outcome: 'order_not_found',
      warning: 'no order 0190a5c8-0000-7000-8000-000000000001 in this store',
    });
  });

  const reserialised = JSON.stringify(JSON.parse(body), null, 2);
  it.each<[string, string, string | undefined]>([
    ['missing', body, undefined],
    ['empty', body, ''],
    ['not a header of that form', body, 'hello'],
    ['of another secret', body, headerOf(body, { secret: 'whsec_other' })],
    ['of the secret without its whsec_', body, headerOf(body, { secret: webhookSecret.replace('whsec_', '') })],
    ['all wrong', body, `t=${seconds},${wrong},${wrong}`],
    ['v0 alone', body, headerOf(body, { scheme: 'v0' })],
    ['without a timestamp', body, right],
    ['with a timestamp that is not a number', body, `t=now,${right}`],
    ['with an empty v1', body, `t=${seconds},v1=`],
    ['with a v1 cut short', body, `t=${seconds},${right.slice(0, -1)}`],
    ['with a v1 that is not hex', body, `t=${seconds},v1=${'z'.repeat(64)}`],
    ['with another timestamp put in', body, headerOf(body).replace(`t=${seconds}`, `t=${seconds + 1}`)],
    ['301 s old', body, headerOf(body, { timestamp: seconds - 301 })],
    ['301 s ahead', body, headerOf(body, { timestamp: seconds + 301 })],
    ['a day old', body, headerOf(body, { timestamp: seconds - 86_400 })],
    ['over the same JSON printed otherwise', reserialised, headerOf(body)],
    ['over a body of which one byte was changed', body.replace('1000', '1001'), headerOf(body)],
    ['over a body that lost its last byte', body.slice(0, -1), headerOf(body)],
    ['over nothing', '', headerOf(body)],
  ])('is refused when it is %s', async (_, sent, header) => {
    const { receiving } = await receive(sent, header);
    await expectDenied(commerce(), receiving, { kind: 'validation', message: /signature/ });
  });

  it('counts the 300 s from the whole second, also when our clock is in the middle of one', async () => {
    const late = fakeClock(noon + 999);
    const { shop } = await receive(body, undefined);
    const engine = { ...commerce().engine, clock: late };
    const at = (timestamp: number) =>
      receiveNotification(engine, 'stripe', withHeader(body, headerOf(body, { timestamp })), {
        storeId: shop.store.id,
      });
    await expect(at(seconds - 301)).rejects.toMatchObject({ kind: 'validation' });
    expect(await at(seconds - 300)).toMatchObject({ received: true });
  });

  it.each([
    ['nothing', ''],
    ['half an object', '{"id":"evt_1"'],
    ['words', 'hello'],
    ['a trailing comma', '{"id":"evt_1","type":"x",}'],
  ])('is right but the body is not JSON: %s', async (_, sent) => {
    const { receiving } = await receive(sent, headerOf(sent));
    await expectDenied(commerce(), receiving, invalid('body'));
  });

  it.each(['null', '[]', '"evt_1"', '7', '{}', '{"id":"evt_1"}', '{"type":"charge.succeeded"}', '{"id":7,"type":"x"}'])(
    'is right but the body is not an event: %s',
    async (sent) => {
      const { receiving } = await receive(sent, headerOf(sent));
      await expectDenied(commerce(), receiving, { kind: 'validation', fields: ['body'], message: /Stripe event/ });
    },
  );

  it.each([
    '{"id":"evt_1","type":"customer.created"}',
    '{"id":"evt_2","type":"payment_intent.succeeded","data":null}',
    '{"id":"evt_3","type":"constructor","data":{"object":{"kind":"succeeded"}}}',
    '{"id":"evt_4","type":"__proto__","data":{"object":{}}}',
  ])('lets an event through of which nothing can be read: %s', async (sent) => {
    const { receiving, shop } = await receive(sent, headerOf(sent));
    expect(await receiving()).toMatchObject({ received: true });
    const rows = await shop.engine.storage.db
      .selectFrom('payment_notifications')
      .select(['payload', 'order_id'])
      .where('store_id', '=', shop.store.id)
      .execute();
    expect(rows).toEqual([{ payload: sent, order_id: null }]);
  });

  it('is required: a store without a secret refuses everything', async () => {
    const shop = await newShop(commerce());
    await expectDenied(
      commerce(),
      () => receiveNotification(commerce().engine, 'stripe', signed(body, clock.now(), ''), { storeId: shop.store.id }),
      { kind: 'validation', message: /not configured/ },
    );
  });

  it("does not open one store with another store's secret", async () => {
    const [ours, theirs] = [await newShop(commerce()), await newShop(commerce())];
    await configureStripe(ours, 'whsec_ours');
    await configureStripe(theirs, 'whsec_theirs');
    const to = (secret: string) =>
      receiveNotification(commerce().engine, 'stripe', signed(body, clock.now(), secret), { storeId: ours.store.id });
    await expectDenied(commerce(), () => to('whsec_theirs'), { kind: 'validation' });
    expect(await to('whsec_ours')).toMatchObject({ received: true });
  });

  it('is checked with the new secret as soon as it is set', async () => {
    const shop = await newShop(commerce());
    await configureStripe(shop, 'whsec_before');
    await configureStripe(shop, 'whsec_after');
    const to = (secret: string) =>
      receiveNotification(commerce().engine, 'stripe', signed(body, clock.now(), secret), { storeId: shop.store.id });
    await expectDenied(commerce(), () => to('whsec_before'), { kind: 'validation' });
    expect(await to('whsec_after')).toMatchObject({ received: true });
  });

  it('is refused for unknown providers and unknown stores', async () => {
    const to = (provider: string, storeId?: string) => () =>
      receiveNotification(
        commerce().engine,
        provider,
        signed(body, clock.now()),
        storeId === undefined ? {} : { storeId },
      );
    await expectDenied(commerce(), to('strip'), { kind: 'notFound' });
    await expectDenied(commerce(), to('constructor'), { kind: 'notFound' });
    await expectDenied(commerce(), to('stripe', '0190a5c8-0000-7000-8000-00000000dead'), { kind: 'notFound' });
    await expectDenied(commerce(), to('stripe', 'nonsense'), { kind: 'notFound' });
  });

  it.each([
    ['missing', {}],
    ['null', { webhookSecret: null }],
    ['empty', { webhookSecret: '' }],
    ['pasted with a blank', { webhookSecret: 'whsec_abc ' }],
    ['pasted with a line end', { webhookSecret: 'whsec_abc\n' }],
    ['not a text', { webhookSecret: 7 }],
  ])('cannot be configured with a secret that is %s, and the secret is not repeated', async (_, settings) => {
    const shop = await newShop(commerce());
    const before = await snapshot(commerce());
    const error = await configureProvider(shop, 'stripe', settings as never).catch((error: unknown) => error);
    expect(error).toMatchObject({ kind: 'validation', details: [{ field: 'webhookSecret' }] });
    expect((error as Error).message).not.toContain('whsec_abc');
    expect(await snapshot(commerce())).toEqual(before);
  });
});
