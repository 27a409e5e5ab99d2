import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  askPendingRefunds,
  type Checkout,
  CommerceError,
  type Context,
  configureProvider,
  createApiKey,
  createCheckout,
  getOrder,
  listPayments,
  listRefunds,
  type ProviderName,
  providerNames,
  refundOrder,
  returnFromProvider,
  updateSettings,
} from '@commerce/core';
import { type RunningStub, signStripe, startProviderStub } from '@commerce/core/testing';
import { minute, shopUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expectPrinted } from '@commerce/test-support/suites/fault-page';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';

// Every step of a refund fails in every possible way, with one refund per cell of the table. Afterwards time passes until it is decided, and
// the provider's books must agree with the shop's: no money is given back twice, and none is forgotten.

/** The timeout for a provider in this test, in milliseconds; the default is 10 s. */
const patience = 2500;
vi.mock('../packages/core/src/network/outbound.ts', async (original) => {
  const outbound = await original<typeof import('../packages/core/src/network/outbound.ts')>();
  type Request = Parameters<typeof outbound.callOutbound>[0];
  const callOutbound = (request: Request) =>
    outbound.callOutbound({ ...request, timeout: Math.min(request.timeout, patience) });
  return { ...outbound, callOutbound };
});

type StubFault = Parameters<RunningStub['fault']>[1];

/** Faults of a call, by whether the provider does the work. */
const before: Record<string, StubFault> = {
  '500': { status: 500 },
  '429': { status: 429 },
  'too late': { delay: patience * 1.5 },
};
const after: Record<string, StubFault> = {
  '500': { status: 500, after: true },
  'no answer': 'hang',
  reset: 'reset',
  doubled: 'twice',
};

const steps = [
  'the refund is written',
  'the refund is asked for',
  'the refund is made, its answer on the way',
  'the refund is made, its answer is recorded',
  'the refund is looked for',
  'a notification is taken in',
  'the provider decides later',
] as const;
type Step = (typeof steps)[number];

/** The operation that looks for a refund. */
const finds = { stripe: 'refunds', paypal: 'get', square: 'payment' } as const satisfies Record<ProviderName, string>;

interface Cell {
  step: Step;
  fault: string;
  provider: ProviderName;
  /** The provider's operations that fail, and how their next calls fail. */
  calls?: Record<string, StubFault[]>;
  notifications?: 'doubled' | 'in wrong order' | 'refused once' | 'lost';
  decides?: 'succeeded' | 'failed';
}

const pairs = <A, B>(as: readonly A[], bs: readonly B[]) => as.flatMap((a) => bs.map((b) => [a, b] as const));
const times = (n: number, fault: StubFault) => Array.from({ length: n }, () => fault);

/** More than all tries of two days. */
const always = 60;

/** A fault that passes until the next try, and one that lasts. No notification tells of the refund: only its answer does. */
function wrong(
  step: Step,
  provider: ProviderName,
  operation: string,
  faults: Record<string, StubFault>,
  tries: number,
): Cell[] {
  const calls = (fault: StubFault, n: number) =>
    operation === 'refund' ? { refund: times(n, fault) } : { refund: ['reset' as const], [operation]: times(n, fault) };
  return pairs(Object.entries(faults), [1, tries]).map(
    ([[fault, next], n]): Cell => ({
      ...{ step, fault, provider, notifications: 'lost', calls: calls(next, n) },
    }),
  );
}

const cells: Cell[] = [
  ...providerNames.flatMap((provider) => [
    ...wrong('the refund is asked for', provider, 'refund', before, always),
    ...wrong('the refund is made, its answer on the way', provider, 'refund', after, always),
    ...wrong('the refund is looked for', provider, finds[provider], { ...before, ...after }, 6),
  ]),
  ...pairs(providerNames, ['doubled', 'in wrong order', 'refused once', 'lost'] as const).map(
    ([provider, notifications]): Cell => ({
      ...{ step: 'a notification is taken in', fault: notifications, provider, notifications },
    }),
  ),
  ...pairs(pairs(providerNames, ['succeeded', 'failed'] as const), ['told', 'lost'] as const).map(
    ([[provider, decides], told]): Cell => ({
      ...{ step: 'the provider decides later', fault: `${decides}, ${told}`, provider, decides },
      ...(told === 'lost' ? { notifications: 'lost' } : {}),
    }),
  ),
];

/** What became of every refund. */
const results: (Pick<Cell, 'step' | 'fault' | 'provider'> & { became: string })[] = [];

/** Expects that the shop's books show the money that the provider has given back for an order, and that nothing is left open. */
async function expectBooks(shop: Context, orderId: string, stub: RunningStub, provider: ProviderName): Promise<void> {
  const given = stub.refunds(provider).filter(({ status }) => status === 'succeeded');
  expect(given.length).toBeLessThanOrEqual(1);
  const sum = given.reduce((all, { amount }) => all + amount, 0n);
  const order = await getOrder(shop, orderId);
  expect(order.refundedAmount.replace('.', '').replace(/^0+(?=\d)/, '')).toBe(String(sum));
  const [payment] = (await listPayments(shop, { orderId, limit: 1 })).items;
  expect(payment?.refundedAmount).toBe(order.refundedAmount);
  const records = (await listRefunds(shop, orderId)).items;
  const shown = records.map(({ providerRefundId, status }) => `${providerRefundId} ${status}`);
  expect(shown).toEqual(given.map(({ refund }) => `${refund} succeeded`));
}

forEachStorage('each step of a refund may fail', (database, dialect) => {
  const { clock, commerce, openShop, receiver, pageOf } = useSelling(database);
  // PostgreSQL runs a sample: the faults are the same, and other tests cover how both engines handle them.
  const played = dialect === 'sqlite' ? cells : cells.filter((_, i) => i % 5 === 0);

  /** Plays one refund. Yields when time passes, for all refunds together, and at the end returns what became of it. */
  async function* refunded(cell: Cell): AsyncGenerator<undefined, string> {
    const { provider, calls = {}, notifications, decides } = cell;
    const stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
    try {
      const told: { body: string; headers: Record<string, string> }[] = [];
      let isSold = false;
      const { shop, input, accounts } = await openShop([provider], {
        at: stub,
        receive: (of, name) => async (sent) => {
          if (!isSold) return receiver(of, name)(sent);
          if (notifications !== 'lost') told.push(sent);
          return 200;
        },
      });
      const checkout = await createCheckout(shop, input());
      const page = await pageOf(shop, checkout.id);
      await stub.act(provider, page, 'pay');
      if (provider === 'paypal') {
        await returnFromProvider(shop.engine, { storeId: shop.store.id, checkoutId: checkout.id, page });
      }
      await stub.settled();
      expect(await getOrder(shop, checkout.orderId)).toMatchObject({ status: 'paid', total: '25.00' });
      isSold = true;

      const refused = new Set<object>();
      const deliver = async () => {
        await stub.settled();
        const sent = told.splice(0);
        if (notifications === 'in wrong order') sent.reverse();
        for (const one of sent) {
          if (notifications === 'refused once' && !refused.has(one)) {
            refused.add(one);
            told.push(one);
            continue;
          }
          const signed = signStripe(one.body, accounts[provider]?.webhookSecret ?? '', clock.now());
          const fresh = provider === 'stripe' ? { ...one, headers: { ...signed.headers } as typeof one.headers } : one;
          for (let n = notifications === 'doubled' ? 2 : 1; n > 0; n--) {
            expect(await receiver(shop, provider)(fresh)).toBe(200);
          }
        }
      };
      for (const [operation, faults] of Object.entries(calls)) stub.fault(`${provider}.${operation}`, ...faults);
      if (decides) stub.planRefunds(provider, 'pending');
      const refundId = randomUUID();
      const ask = () => refundOrder(shop, checkout.orderId, { amount: '5.00', execute: true, refundId });
      const { status } = await ask();
      // A client that did not wait for the answer sends the same again, at once and later.
      expect((await ask()).refundId).toBe(refundId);
      await deliver();
      yield;

      expect((await ask()).refundId).toBe(refundId);
      if (decides) {
        await stub.decideRefund(provider, stub.refunds(provider)[0]?.refund ?? '', decides);
        if (notifications === 'lost') told.length = 0;
      }
      for (let n = 0; n < rounds.length - 1; n++) {
        await deliver();
        yield;
      }
      await deliver();
      await expectBooks(shop, checkout.orderId, stub, provider);
      const now = await ask();
      expect(now.status).not.toBe('pending');
      // What failed is free again.
      const left = now.status === 'failed' ? '25.00' : '20.00';
      for (const operation of Object.keys(calls)) stub.fault(`${provider}.${operation}`);
      await refundOrder(shop, checkout.orderId, { amount: left, execute: true });
      await expect(refundOrder(shop, checkout.orderId, { amount: '0.01', execute: true })).rejects.toThrow(
        CommerceError,
      );
      return status === now.status ? status : `${status}, then ${now.status}`;
    } finally {
      await stub.close();
    }
  }

  /** Minutes after which all refunds are looked at again: two days. */
  const rounds = [2, 10, 60, 360, 480, 720, 720, 720];

  it('and no money is given back twice, and none is forgotten', { timeout: 180_000 }, async () => {
    const all = played.map((cell) => ({ cell, play: refunded(cell), became: undefined as string | undefined }));
    for (const minutes of [...rounds, 0]) {
      await inParallel(all, 20, async (one) => {
        try {
          const { done, value } = await one.play.next();
          if (done) one.became = value;
        } catch (error) {
          const { step, fault, provider } = one.cell;
          throw new Error(`${step}: ${fault}, ${provider}`, { cause: error });
        }
      });
      clock.advance(minutes * minute);
      await askPendingRefunds(commerce().engine);
    }
    for (const { cell, became } of all) {
      const { step, fault, provider } = cell;
      const result = { step, fault, provider, became: became ?? '' };
      if (dialect === 'sqlite') results.push(result);
      else expect(results).toContainEqual(result);
    }
  });

  it('which a shop does not hold that forgets a refund, nor one that tries again under another key', async () => {
    const stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
    try {
      let isDeaf = false;
      const { shop, input } = await openShop(['stripe'], {
        at: stub,
        receive: (of, name) => async (sent) => (isDeaf ? 200 : receiver(of, name)(sent)),
      });
      const { id, orderId } = await createCheckout(shop, input());
      await stub.act('stripe', await pageOf(shop, id), 'pay');
      await stub.settled();
      isDeaf = true;
      stub.fault('stripe.refund', 'reset');
      await refundOrder(shop, orderId, { amount: '5.00', execute: true });
      await stub.settled();
      await expect(expectBooks(shop, orderId, stub, 'stripe')).rejects.toThrow("expected '0' to be '500'");
      clock.advance(2 * minute);
      await askPendingRefunds(commerce().engine);
      await expectBooks(shop, orderId, stub, 'stripe');
      await refundOrder(shop, orderId, { amount: '5.00', execute: true });
      await expect(expectBooks(shop, orderId, stub, 'stripe')).rejects.toThrow(
        'expected 2 to be less than or equal to 1',
      );
    } finally {
      await stub.close();
    }
  });
});

/** Refunds during which the only process is killed. With `isLocked`, it is killed while it waits for the database. */
interface Killed {
  step: Step;
  isLocked?: boolean;
  /** In this process, calls never end. */
  stuck?: StubFault;
}

const killed: Killed[] = [
  { step: 'the refund is written', isLocked: true },
  // The provider does its work only after the process has died.
  { step: 'the refund is asked for', stuck: { delay: 5000 } },
  { step: 'the refund is made, its answer on the way', stuck: 'hang' },
  { step: 'the refund is made, its answer is recorded', isLocked: true, stuck: { delay: 2000 } },
  { step: 'a notification is taken in', isLocked: true },
];

forEachStorage('a process that is killed at each step of a refund', (database, dialect) => {
  const commerce = useCommerce(database, { upkeep: false });

  /** Holds locks that every write of an order needs, so that a process waits in the middle of its work. */
  function whileLocked(work: () => Promise<void>): Promise<void> {
    return commerce()
      .engine.storage.db.transaction()
      .execute(async (tx) => {
        if (dialect === 'postgres') await sql`lock table orders in exclusive mode`.execute(tx);
        await work();
      });
  }

  /** Plays one refund, and yields at the moments that all refunds share. */
  async function* refunded(
    { step, isLocked, stuck }: Killed,
    provider: ProviderName,
    server: () => RunningServer,
  ): AsyncGenerator<undefined, string> {
    const stub = await startProviderStub({ retryDelays: [300, 500, 1000, 2000, 4000, 8000, 8000], ticks: false });
    try {
      const shop = await newShop(commerce());
      await updateSettings(shop, { returnUrls: [shopUrl] });
      const post = (path: string, init: RequestInit) =>
        fetch(server().url + path, { ...init, signal: AbortSignal.timeout(20_000), redirect: 'manual' }).catch(
          () => undefined,
        );
      let isDeaf = false;
      const account = stub.account(provider, async ({ body, headers }) => {
        if (isDeaf) return 200;
        return (
          (await post(`/api/webhooks/${provider}/${shop.store.id}`, { method: 'POST', body, headers }))?.status ?? 500
        );
      });
      await configureProvider(shop, provider, account as Parameters<typeof configureProvider>[2] & object);
      const product = await newProduct(shop, { price: '12.50' });
      const scopes = ['checkout.read', 'checkout.write', 'order.write', 'payment.write'] as const;
      const { key } = await createApiKey(shop, { name: 'page', scopes: [...scopes] });
      const send = async <T>(path: string, body: object): Promise<T | undefined> => {
        const headers = {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': attempt,
        };
        const answer = await post(`/stores/${shop.store.id}${path}`, {
          method: 'POST',
          headers,
          body: JSON.stringify(body),
        });
        return answer?.ok ? ((await answer.json()) as { item: T }).item : undefined;
      };
      const attempt = randomUUID();
      const checkout = await send<Checkout>('/checkouts', {
        items: [{ productId: product.id, quantity: 2 }],
        customer: { email: 'ada@shop.test' },
        ...{ successUrl: `${shopUrl}/thanks`, cancelUrl: `${shopUrl}/cart` },
      });
      if (!checkout) throw new Error('no page');
      const page = decodeURIComponent(String(checkout.url).split('/').at(-1) ?? '');
      const { location } = await stub.act(provider, page, 'pay');
      const back = new URL(location ?? shopUrl);
      if (provider === 'paypal') await post(back.pathname + back.search, {});
      const { orderId } = checkout;
      await until('it is paid', async () => (await getOrder(shop, orderId)).status === 'paid', 60_000);
      await stub.settled();
      const isTold = step === 'a notification is taken in';
      isDeaf = !isTold;
      const ask = () =>
        send<{ refundId: string; status: string }>(`/orders/${orderId}/refund`, { amount: '5.00', execute: true });
      const begun: Promise<unknown>[] = [];
      if (stuck) stub.fault(`${provider}.refund`, stuck);
      if (stuck && !isLocked) {
        begun.push(ask());
        await until(
          'it is asked for',
          () => stub.calls.some(({ operation }) => operation === `${provider}.refund`),
          30_000,
        );
      }
      yield;

      if (stuck && isLocked) {
        begun.push(ask());
        await until(
          'it is asked for',
          () => stub.calls.some(({ operation }) => operation === `${provider}.refund`),
          30_000,
        );
      }
      yield;

      if (isLocked && !stuck) begun.push(ask());
      if (stuck && isLocked) {
        await until('the provider has answered', () =>
          stub.calls.some(({ operation, status }) => operation === `${provider}.refund` && status !== null),
        );
      }
      yield;

      // Another process runs now. The client sends the same request again.
      await Promise.all(begun);
      await stub.settled();
      const now = await ask();
      if (!now) throw new Error('no answer at the second try');
      const { db } = shop.engine.storage;
      await until(
        'it is decided',
        async () => {
          // Its next time would be a minute from now.
          await db.transaction().execute((tx) =>
            tx
              .updateTable('payment_refunds')
              .set({ ask_at: Date.now() - 1 })
              .where('store_id', '=', shop.store.id)
              .where('ask_at', '>', Date.now() + 25_000)
              .execute(),
          );
          const { items } = await listRefunds(shop, orderId);
          return items.length > 0 && items.every(({ status }) => status !== 'pending');
        },
        90_000,
      );
      await stub.settled();
      await expectBooks(shop, orderId, stub, provider);
      expect(stub.refunds(provider)).toHaveLength(1);
      const again = await ask();
      expect(again?.refundId).toBe(now.refundId);
      return again?.status ?? '';
    } finally {
      await stub.close();
    }
  }

  it('leaves each with its money given back once', { timeout: 240_000 }, async () => {
    let server = await startServer(database.address);
    try {
      const all = pairs(killed, providerNames).map(([cell, provider]) => ({
        ...{ cell, provider, became: '' },
        play: refunded(cell, provider, () => server),
      }));
      const goOn = () =>
        Promise.all(
          all.map(async (one) => {
            try {
              const { done, value } = await one.play.next();
              if (done) one.became = value;
            } catch (error) {
              throw new Error(`${one.cell.step}, ${one.provider}`, { cause: error });
            }
          }),
        );
      await goOn();
      await goOn();
      await whileLocked(async () => {
        await goOn();
        await sleep(300);
        await server.kill();
      });
      server = await startServer(database.address);
      await goOn();
      for (const { cell, provider, became } of all) {
        const result = { step: cell.step, fault: 'kill -9', provider, became };
        if (dialect === 'sqlite') results.push(result);
        else expect(results).toContainEqual(result);
      }
    } finally {
      await server.stop();
    }
  });
});

describe('the table of steps and faults of refunds', () => {
  it('is printed in the documentation (FAULT_TABLE=write prints it anew)', () => expectPrinted('refunds', page()));
});

/** A readable table of what became of each refund. */
function page(): string {
  const calls = ['429', '500', 'too late', 'no answer', 'reset', 'doubled', 'kill -9'];
  const names = { stripe: 'Stripe', paypal: 'PayPal', square: 'Square' };
  const line = (fields: readonly string[]) => `| ${fields.join(' | ')} |`;
  const table = (head: readonly string[], rows: readonly string[][]) =>
    [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
  const isCall = ({ step, fault }: Pick<Cell, 'step' | 'fault'>) =>
    calls.includes(fault) && !(step === 'a notification is taken in' && fault === 'doubled');
  const became = (step: Step, fault: string, provider: ProviderName) => {
    const found = results.filter((one) => one.step === step && one.fault === fault && one.provider === provider);
    return [...new Set(found.map((one) => one.became))].join(' / ');
  };
  const faulty = pairs(steps, providerNames).flatMap(([step, provider]) => {
    const row = calls.map((fault) => (isCall({ step, fault }) ? became(step, fault, provider) : ''));
    return row.some((text) => text !== '') ? [[step, names[provider], ...row.map((text) => text || '–')]] : [];
  });
  const others = [
    ...new Set(results.filter((one) => !isCall(one)).map(({ step, fault }) => JSON.stringify([step, fault]))),
  ].map((text) => {
    const [step, fault] = JSON.parse(text) as [Step, string];
    return [step, fault, ...providerNames.map((provider) => became(step, fault, provider) || '–')];
  });
  return `
## Refunds

Each cell asks for a refund of a paid order, sends the same request again, and lets two days pass; \`test/refunds.faults.test.ts\` plays them. In
every cell, the provider's books and the shop's show the same money, given back once or not at all, and what failed can be refunded anew. A
cell states the record: as it was answered at first, then how it was decided. With two results, the second is that of a fault that lasts
through all tries. Except for the rows about notifications and a later decision that is told, no notification of the refund arrives.

${table(['step', 'provider', ...calls], faulty)}

${table(['step', 'what happens', ...providerNames.map((provider) => names[provider])], others)}
`;
}
