import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  adjustStock,
  type Checkout,
  CommerceError,
  type CreatedCheckout,
  closeDuePages,
  configureProvider,
  createApiKey,
  createCheckout,
  endReservations,
  getCheckout,
  listPayments,
  type ProviderName,
  returnFromProvider,
  updateSettings,
} from '@commerce/core';
import { type RunningStub, signStripe, startProviderStub } from '@commerce/core/testing';
import { endTimesOf, minute, shopUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { inParallel, type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { expectSettled, expectSound } from '@commerce/test-support/suites/checkout-books';
import { expectPrinted } from '@commerce/test-support/suites/fault-page';
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';

// Every step of a sale fails in every possible way, with one sale per cell of the table. Afterwards time passes until nothing is open, and
// the provider's books must agree with the shop's.

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
  'order and reservation are written',
  'the page is asked for',
  'the page is made, its answer on the way',
  'the page is made, its address is recorded',
  'the buyer pays',
  'the buyer comes back',
  'the money is to be captured',
  'the money is captured, its answer on the way',
  'a notification is checked with the provider',
  'a notification is taken in',
  'the page is to be closed, nobody has paid',
  'the page is closed, its answer on the way',
  'the page is to be closed, the money was not told of',
] as const;
type Step = (typeof steps)[number];

interface Cell {
  step: Step;
  fault: string;
  provider: ProviderName;
  /** True if the next attempt fails too. */
  isLasting?: boolean;
  /** The provider's operation that fails, and how its next calls fail. */
  calls?: { operation: string; faults: StubFault[] };
  buyer?: 'is declined first' | 'pays twice' | 'never comes back' | 'comes back ten times' | 'stays away';
  notifications?: 'doubled' | 'in wrong order' | 'refused once' | 'after the end' | 'after the end, sold meanwhile';
}

const providers = ['stripe', 'paypal', 'square'] as const;
const pairs = <A, B>(as: readonly A[], bs: readonly B[]) => as.flatMap((a) => bs.map((b) => [a, b] as const));

/** A call that fails only at the first attempt, and a call that fails at each attempt. */
function wrong(
  step: Step,
  provider: ProviderName,
  operation: string,
  faults: Record<string, StubFault>,
  more: Partial<Cell> = {},
): Cell[] {
  // A notification is verified three times.
  const all = operation === 'verify' ? 3 : 2;
  return pairs(Object.entries(faults), [1, all]).map(([[fault, next], tries]) => ({
    ...{ step, fault, provider, isLasting: tries > 1 },
    calls: { operation: `${provider}.${operation}`, faults: Array.from({ length: tries }, () => next) },
    ...more,
  }));
}

const cells: Cell[] = [
  ...providers.flatMap((provider) => [
    ...wrong('the page is asked for', provider, 'create', before),
    ...wrong('the page is made, its answer on the way', provider, 'create', after),
  ]),
  ...pairs(providers, ['is declined first', 'pays twice'] as const).map(
    ([provider, buyer]): Cell => ({ step: 'the buyer pays', fault: buyer, provider, buyer }),
  ),
  ...(['never comes back', 'comes back ten times'] as const).map(
    (buyer): Cell => ({ step: 'the buyer comes back', fault: buyer, provider: 'paypal', buyer }),
  ),
  ...wrong('the money is to be captured', 'paypal', 'capture', before),
  ...wrong('the money is captured, its answer on the way', 'paypal', 'capture', after),
  ...wrong('a notification is checked with the provider', 'paypal', 'verify', { ...before, ...after }),
  ...pairs(providers, [
    'doubled',
    'in wrong order',
    'refused once',
    'after the end',
    'after the end, sold meanwhile',
  ] as const).map(
    ([provider, notifications]): Cell => ({
      step: 'a notification is taken in',
      fault: notifications,
      provider,
      notifications,
      // A wallet's money is taken when the buyer comes back, with or without the notification.
      ...(provider === 'paypal' && notifications !== 'in wrong order' ? { buyer: 'never comes back' } : {}),
    }),
  ),
  ...(
    [
      ['stripe', 'expire'],
      ['square', 'delete'],
    ] as const
  ).flatMap(([provider, operation]) => [
    ...wrong('the page is to be closed, nobody has paid', provider, operation, before, { buyer: 'stays away' }),
    ...wrong('the page is closed, its answer on the way', provider, operation, after, { buyer: 'stays away' }),
    ...wrong('the page is to be closed, the money was not told of', provider, operation, before, {
      notifications: 'after the end',
    }),
  ]),
];

/** The result of every sale. */
const results: (Pick<Cell, 'step' | 'fault' | 'provider'> & { became: string })[] = [];

/** Pieces for one and a half buyers, so that two buyers cannot both be served. */
const stock = 3;

forEachStorage('each step of a sale may fail', (database, dialect) => {
  const selling = useSelling(database);
  const { clock, commerce, openShop, receiver, pageOf } = selling;
  // PostgreSQL runs a sample: the faults are the same, and other tests cover how both engines handle them.
  const played = dialect === 'sqlite' ? cells : cells.filter((_, i) => i % 6 === 0);

  /** Plays one sale. Yields when time passes, for all sales together, and at the end returns the result. */
  async function* sale(cell: Cell): AsyncGenerator<undefined, string> {
    const { provider, calls, buyer, notifications } = cell;
    const stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
    try {
      const told: { body: string; headers: Record<string, string> }[] = [];
      const { shop, product, input, accounts } = await openShop([provider], {
        ...{ stock, at: stub },
        receive: () => async (sent) => {
          told.push(sent);
          return 200;
        },
      });
      const sold = { shop, product, provider, stub };
      if (calls) stub.fault(calls.operation, ...calls.faults);
      /** Sends notifications that the shop has not accepted yet; Stripe signs each attempt again. */
      const deliver = async (only: 'now' | 'all' = 'now') => {
        await stub.settled();
        if (notifications?.startsWith('after the end') && only === 'now') return;
        const receive = receiver(shop, provider);
        const { webhookSecret = '' } = accounts[provider] ?? {};
        const sent = told.splice(0);
        if (notifications === 'in wrong order') sent.reverse();
        for (const one of sent) {
          if (notifications === 'refused once' && !refused.has(one)) {
            refused.add(one);
            told.push(one);
            continue;
          }
          const signed = signStripe(one.body, webhookSecret, clock.now());
          const fresh = provider === 'stripe' ? { ...one, headers: { ...signed.headers } as typeof one.headers } : one;
          const status = await receive(fresh);
          if (notifications === 'doubled') expect(await receive(fresh)).toBe(status);
          if (status !== 200) told.push(one);
        }
      };
      const refused = new Set<object>();
      const heard: string[] = [];
      const buy = async (email: string): Promise<CreatedCheckout | undefined> => {
        try {
          return await createCheckout(shop, input({ customer: { email } }));
        } catch (error) {
          if (!(error instanceof CommerceError)) throw error;
          heard.push(error.kind);
          return undefined;
        }
      };
      const comeBack = async (checkoutId: string, page: string) => {
        if (provider !== 'paypal') return;
        const ids = { storeId: shop.store.id, checkoutId, page };
        const times = buyer === 'comes back ten times' ? 10 : 1;
        await Promise.all(Array.from({ length: times }, () => returnFromProvider(shop.engine, ids)));
      };
      const pay = async (checkoutId: string) => {
        const page = await pageOf(shop, checkoutId);
        if (buyer === 'is declined first') {
          await stub.act(provider, page, 'decline');
          await comeBack(checkoutId, page);
          await deliver();
        }
        await stub.act(provider, page, 'pay');
        if (buyer === 'pays twice') await stub.act(provider, page, 'pay');
        if (buyer !== 'never comes back') await comeBack(checkoutId, page);
        await deliver();
      };

      // A client tries again after an error.
      const checkout = (await buy('ada@shop.test')) ?? (await buy('ada@shop.test'));
      if (!checkout) throw new Error(`no page at the second try: ${heard}`);
      if (buyer !== 'stays away') await pay(checkout.id);
      if (calls?.operation.match(/create|capture|verify/)) {
        await until('the provider is done', () => {
          const under = stub.calls.filter(({ operation, status }) => operation === calls.operation && status === null);
          return under.length <= calls.faults.filter((fault) => typeof fault === 'string').length;
        });
      }
      await deliver();
      await expectSound(sold);
      yield;

      // A minute later, the provider repeats the notifications that were not accepted.
      await deliver();
      await expectSound(sold);
      yield;

      // The page has ended, and two minutes later the reservation.
      await stub.tick();
      await deliver();
      await expectSound(sold);
      yield;
      // Buyers pay wherever it is still possible, also on pages whose address the shop gave to no client.
      for (const { page, payment } of stub.books(provider)) {
        if (payment === null) await stub.act(provider, page, 'pay');
      }
      await deliver();
      await expectSound(sold);
      yield;

      // An hour later, nothing waits for late money.
      if (notifications === 'after the end, sold meanwhile') {
        const rival = await buy('rival@shop.test');
        if (!rival) throw new Error('the stock is not given back');
        const page = await pageOf(shop, rival.id);
        await stub.act(provider, page, 'pay');
        await comeBack(rival.id, page);
      }
      await deliver('all');
      await expectSound(sold);
      yield;
      await deliver('all');
      await expectSettled(sold);
      const { status } = await getCheckout(shop, checkout.id);
      const waits = (await listPayments(shop, { unmatched: true })).total;
      const tried = heard.length > 0 ? `${heard.join(', ')}, then ` : '';
      return `${tried}${status}${waits > 0 ? `, ${waits} waiting` : ''}`;
    } finally {
      await stub.close();
    }
  }

  /** Closes expired pages and ends expired reservations, as every delivering process does. */
  async function upkeep() {
    for (let rounds = 0; rounds < 5 && (await closeDuePages(commerce().engine)) > 0; rounds++);
    await endReservations(commerce().engine);
  }

  it('and no money is without its order, no order without its money, no piece sold twice, nothing held after its time', {
    timeout: 120_000,
  }, async () => {
    const sales = played.map((cell) => ({ cell, play: sale(cell), became: undefined as string | undefined }));
    const names = ({ step, fault, provider }: Cell) => `${step}: ${fault}, ${provider}`;
    for (const minutes of [1, 28, 3, 60, 60, 0]) {
      // In small groups: a stand-in that has to wait for a hundred others would be late without a fault.
      await inParallel(sales, 20, async (one) => {
        try {
          const { done, value } = await one.play.next();
          if (done) one.became = value;
        } catch (error) {
          throw new Error(names(one.cell), { cause: error });
        }
      });
      clock.advance(minutes * minute);
      await upkeep();
    }
    for (const { cell, became } of sales) {
      if (dialect === 'sqlite') results.push({ ...cell, became: became ?? '' });
      else expect(results).toContainEqual({ ...cell, became });
    }
  });

  it('which a shop that is never told of its money does not hold, nor one that loses a piece', async () => {
    const stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
    try {
      const deaf = { at: stub, receive: () => async () => 200 };
      const { shop, product, input } = await openShop(['stripe'], deaf);
      const sold = { shop, product, provider: 'stripe', stub } as const;
      await expectSound(sold);
      await adjustStock(shop, product.id, { adjustment: -1 });
      await expect(expectSound(sold)).rejects.toThrow('expected 9 to be 10');
      await adjustStock(shop, product.id, { adjustment: 1 });
      const { id } = await createCheckout(shop, input());
      await expect(expectSettled(sold)).rejects.toThrow('to deeply equal []');
      await stub.act('stripe', await pageOf(shop, id), 'pay');
      clock.advance(120 * minute);
      await upkeep();
      clock.advance(120 * minute);
      await upkeep();
      await expect(expectSettled(sold)).rejects.toThrow('to deeply equal');
    } finally {
      await stub.close();
    }
  });
});

/** Sales during which the only process is killed. With `isLocked`, it is killed while it waits for the database. */
interface Killed {
  step: Step;
  provider: ProviderName;
  isLocked?: boolean;
  /** In this process, calls of the operation never end. */
  stuck?: { operation: string; fault: StubFault };
}

/** The provider does its work only after the process has died. */
const belated = { delay: 5000 };
const killed: Killed[] = [
  ...providers.flatMap((provider): Killed[] => [
    { step: 'order and reservation are written', provider, isLocked: true },
    { step: 'the page is asked for', provider, stuck: { operation: 'create', fault: belated } },
    { step: 'the page is made, its answer on the way', provider, stuck: { operation: 'create', fault: 'hang' } },
    {
      ...{ step: 'the page is made, its address is recorded', provider, isLocked: true },
      stuck: { operation: 'create', fault: { delay: 2000 } },
    },
    { step: 'the buyer pays', provider },
    { step: 'a notification is taken in', provider, isLocked: true },
  ]),
  { step: 'the buyer comes back', provider: 'paypal', isLocked: true },
  {
    step: 'the money is to be captured',
    provider: 'paypal',
    stuck: { operation: 'capture', fault: belated },
  },
  {
    step: 'the money is captured, its answer on the way',
    provider: 'paypal',
    stuck: { operation: 'capture', fault: 'hang' },
  },
  {
    step: 'a notification is checked with the provider',
    provider: 'paypal',
    stuck: { operation: 'verify', fault: 'hang' },
  },
  {
    step: 'the page is closed, its answer on the way',
    provider: 'stripe',
    stuck: { operation: 'expire', fault: 'hang' },
  },
  {
    step: 'the page is closed, its answer on the way',
    provider: 'square',
    stuck: { operation: 'delete', fault: 'hang' },
  },
];

forEachStorage('a process that is killed at each step of a sale', (database, dialect) => {
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

  /** Plays one sale, and yields at the moments that all sales share. */
  async function* sale(cell: Killed, server: () => RunningServer): AsyncGenerator<undefined, string> {
    const { step, provider, isLocked, stuck } = cell;
    const stub = await startProviderStub({
      retryDelays: [300, 500, 1000, 1000, 2000, 2000, 4000, ...Array(9).fill(8000)],
      ticks: false,
    });
    try {
      const shop = await newShop(commerce());
      await updateSettings(shop, { returnUrls: [shopUrl] });
      const post = async (path: string, init: RequestInit) => {
        const signal = AbortSignal.timeout(20_000);
        return fetch(server().url + path, { ...init, signal, redirect: 'manual' }).catch(() => undefined);
      };
      const account = stub.account(provider, async ({ body, headers }) => {
        const path = `/api/webhooks/${provider}/${shop.store.id}`;
        return (await post(path, { method: 'POST', body, headers }))?.status ?? 500;
      });
      await configureProvider(shop, provider, account);
      const product = await newProduct(shop, { price: '12.50', trackStock: true, stock });
      const { key } = await createApiKey(shop, { name: 'page', scopes: ['checkout.read', 'checkout.write'] });
      // A page repeats an unanswered request with the same key, as the example shop does.
      const attempt = randomUUID();
      const buy = async (): Promise<Checkout | undefined> => {
        const answer = await post(`/stores/${shop.store.id}/checkouts`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${key}`,
            'content-type': 'application/json',
            'idempotency-key': attempt,
          },
          body: JSON.stringify({
            items: [{ productId: product.id, quantity: 2 }],
            customer: { email: 'ada@shop.test' },
            ...{ successUrl: `${shopUrl}/thanks`, cancelUrl: `${shopUrl}/cart` },
          }),
        });
        return answer?.status === 201 ? ((await answer.json()) as { item: Checkout }).item : undefined;
      };
      const pay = async ({ url }: Checkout) => {
        const page = decodeURIComponent(String(url).split('/').at(-1) ?? '');
        const { location } = await stub.act(provider, page, 'pay');
        return new URL(location ?? shopUrl);
      };
      const comeBack = ({ pathname, search }: URL) => post(pathname + search, {});
      const isAsked = (operation: string) =>
        until(`${operation} is called`, () => stub.calls.some((call) => call.operation === operation), 30_000);

      const opens = step.startsWith('the page is made') || step.startsWith('the page is asked');
      const isNew = opens || step === 'order and reservation are written';
      let checkout = isNew ? undefined : await buy();
      if (!isNew && !checkout) throw new Error('no page');
      const closes = step.startsWith('the page is closed');
      if (stuck) stub.fault(`${provider}.${stuck.operation}`, ...[1, 2, 3].map(() => stuck.fault));
      /** The step in which the process is killed. */
      const begun: Promise<unknown>[] = [];
      if (checkout && closes) await endTimesOf(shop);
      if (checkout && stuck?.operation === 'verify') begun.push(pay(checkout));
      if (checkout && stuck?.operation === 'capture') {
        stub.faultNotifications('lost');
        begun.push(pay(checkout).then(comeBack));
      }
      if (stuck && !opens) await isAsked(`${provider}.${stuck.operation}`);
      yield;

      if (opens) {
        begun.push(buy());
        await isAsked(`${provider}.create`);
      }
      yield;

      if (isLocked && !opens) {
        if (!checkout) begun.push(buy());
        else if (step === 'a notification is taken in') begun.push(pay(checkout));
        else {
          stub.faultNotifications('lost');
          begun.push(pay(checkout).then(comeBack));
        }
      }
      if (isLocked && opens)
        await until('the provider has answered', () =>
          stub.calls.some((call) => call.status === 200 || call.status === 201),
        );
      yield;

      // No process is running.
      if (step === 'the buyer pays' && checkout) begun.push(pay(checkout));
      yield;

      // Another process runs now, without faults. Clients without an answer try again.
      if (stuck) stub.fault(`${provider}.${stuck.operation}`);
      if (isNew) {
        checkout = await buy();
        if (!checkout) throw new Error('no page at the second try');
      }
      if (!checkout) throw new Error('no page');
      const { id } = checkout;
      if (isNew) {
        const address = await pay(checkout);
        if (provider === 'paypal') await comeBack(address);
      } else if (step === 'the buyer comes back') {
        const page = stub.books(provider)[0]?.page;
        await post(`/checkout/return/${id}?store=${shop.store.id}&token=${page}`, {});
      }
      await Promise.all(begun);
      const status = async () => (await getCheckout(shop, id)).status;
      if (!closes) await until('it is paid', async () => (await status()) === 'paid', 90_000);
      await stub.settled();
      await endTimesOf(shop);
      const { db } = shop.engine.storage;
      const open = db.selectFrom('checkouts').select('id').where('store_id', '=', shop.store.id);
      const held = db.selectFrom('reservations').select('order_id').where('store_id', '=', shop.store.id);
      const left = async () =>
        (await open.where('state', 'in', ['opening', 'open']).execute()).length + (await held.execute()).length;
      await until('nothing is open or held', async () => (await left()) === 0, 30_000);
      await stub.settled();
      await expectSettled({ shop, product, provider, stub });
      return status();
    } finally {
      await stub.close();
    }
  }

  it('leaves each with its money, its order and its stock as they have to be', { timeout: 240_000 }, async () => {
    let server = await startServer(database.address);
    try {
      const sales = killed.map((cell) => ({ cell, play: sale(cell, () => server), became: '' }));
      const goOn = () =>
        Promise.all(
          sales.map(async (one) => {
            try {
              const { done, value } = await one.play.next();
              if (done) one.became = value;
            } catch (error) {
              throw new Error(`${one.cell.step}, ${one.cell.provider}`, { cause: error });
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
      await goOn();
      server = await startServer(database.address);
      await goOn();
      for (const { cell, became } of sales) {
        const result = { step: cell.step, provider: cell.provider, fault: 'kill -9', became };
        if (dialect === 'sqlite') results.push(result);
        else expect(results).toContainEqual(result);
      }
    } finally {
      await server.stop();
    }
  });
});

describe('the table of steps and faults', () => {
  it('is printed in the documentation (FAULT_TABLE=write prints it anew)', async () => {
    await expectPrinted('sales', page());
  });
});

/** A readable table of the result of each sale. */
function page(): string {
  const calls = ['429', '500', 'too late', 'no answer', 'reset', 'doubled', 'kill -9'];
  const names = { stripe: 'Stripe', paypal: 'PayPal', square: 'Square' };
  const line = (fields: readonly string[]) => `| ${fields.join(' | ')} |`;
  const table = (head: readonly string[], rows: readonly string[][]) =>
    [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
  const became = (step: Step, fault: string, provider: ProviderName) => {
    const found = results.filter((one) => one.step === step && one.fault === fault && one.provider === provider);
    return [...new Set(found.map((one) => one.became))].join(' / ');
  };
  const faulty = pairs(steps, providers).flatMap(([step, provider]) => {
    const row = calls.map((fault) => became(step, fault, provider));
    return row.some((text) => text !== '') ? [[step, names[provider], ...row.map((text) => text || '–')]] : [];
  });
  const told = results.filter(({ fault }) => !calls.includes(fault));
  const others = [...new Set(told.map(({ step, fault }) => JSON.stringify([step, fault])))].map((text) => {
    const [step, fault] = JSON.parse(text) as [Step, string];
    return [step, fault, ...providers.map((provider) => became(step, fault, provider) || '–')];
  });
  return `${intro}
## Calls that fail, and processes that are killed

${table(['step', 'provider', ...calls], faulty)}

## Buyers and notifications

${table(['step', 'what happens', ...providers.map((provider) => names[provider])], others)}
`;
}

const intro = `# What becomes of a sale when something fails

Every step of a sale goes wrong here in every way that it can. A test plays each cell against stand-ins of the providers, on SQLite and (a
sample) on PostgreSQL, lets time pass until nothing is open any more, and prints this page. In every cell the payments of the shop are those in
the provider's books, no piece was sold or promised twice, and no reservation was left after its time. \`test/checkouts.faults.test.ts\` says how.

A cell states what became of the checkout: \`paid\`; \`expired\` where nobody paid in time. \`unavailable, then …\` stands for a buyer who
was told 503 and tried again. With two results, the first is that of a fault which passes until the next try, the second that of one which lasts
through all tries. Somebody also pays each page whose address the shop gave to nobody: \`1 waiting\` is such money, for which there was no stock
left; it is listed among the unmatched payments.

- \`429\`, \`500\`: the answer, before the provider has done the work or (where it is on the way) after it.
- \`too late\`: the provider does the work after nobody waits for it any more. \`no answer\`: it has done the work and says nothing.
- \`reset\`: the connection breaks after the work. \`doubled\`: the answer comes twice.
- \`kill -9\`: the only process ends in the middle of the step; another one starts afterwards.
`;
