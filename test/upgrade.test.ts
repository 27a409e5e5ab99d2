import { setTimeout as sleep } from 'node:timers/promises';
import { migrations } from '@commerce/core';
import { signStripe, stripePaymentSucceeded } from '@commerce/core/testing';
import { commerce, commerceJson, type RunningServer, run, startServer } from '@commerce/test-support/harness/processes';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { buildOf, commitOf, previousReleases } from '../release/previous.mjs';

const releases = await Promise.all(
  (await previousReleases()).map(async (ref) => ({ ref: ref.slice(0, 12), commit: await commitOf(ref) })),
);
const webhookSecret = 'whsec_of_an_upgrade';
const flags = ['--orders-api', '--allow-insecure-webhooks'];

interface Shop {
  storeId: string;
  key: string;
}

/** Clients of several servers that go on with another one when one does not answer, and count what they have been told. */
class Traffic {
  readonly urls: string[] = [];
  readonly products: string[] = [];
  readonly paid: string[] = [];
  /** Answers that no client should get. */
  readonly faults: string[] = [];
  readonly #shop: Shop;
  #isOn = true;
  #turn = 0;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  /** Works until it is stopped; every piece of work that was begun is finished. */
  async run(): Promise<void> {
    const { item: mug } = await this.#make('/products', {
      title: 'Mug',
      slug: 'mug',
      price: '10',
      status: 'published',
      trackStock: true,
      stock: 100_000,
    });
    const lane = async (name: string, work: (id: string) => Promise<void>) => {
      for (let n = 0; this.#isOn; n++) {
        await work(`${name}-${n}`);
        await sleep(10);
      }
    };
    await Promise.all([
      ...['a', 'b'].map((name) => lane(name, (id) => this.#createProduct(id))),
      ...['c', 'd'].map((name) => lane(name, (id) => this.#sell(id, mug?.id ?? ''))),
      lane('reads', () => this.#read()),
    ]);
  }

  stop(): void {
    this.#isOn = false;
  }

  async #createProduct(id: string): Promise<void> {
    const { item } = await this.#make('/products', { title: `Cup ${id}`, slug: `cup-${id}`, price: '5' });
    this.products.push(item?.id ?? '');
  }

  async #sell(id: string, productId: string): Promise<void> {
    const order = { customer: { email: `${id}@x.example` }, items: [{ productId, quantity: 1 }] };
    const { item } = await this.#make('/orders', order);
    const event = stripePaymentSucceeded({
      orderId: item?.id ?? '',
      amount: 1000,
      paymentId: `pi_${id}`,
      eventId: `evt_${id}`,
    });
    await this.#ask(() => {
      const { body, headers } = signStripe(event, webhookSecret, Date.now());
      return [`/api/webhooks/stripe/${this.#shop.storeId}`, 'POST', headers as Record<string, string>, String(body)];
    });
    this.paid.push(item?.id ?? '');
  }

  async #read(): Promise<void> {
    for (const path of ['/products?limit=20', '/orders?limit=20', '/customers?limit=5']) await this.#get(path);
  }

  #get(path: string) {
    const { storeId, key } = this.#shop;
    return this.#ask(() => [`/stores/${storeId}${path}`, 'GET', { authorization: `Bearer ${key}` }, undefined]);
  }

  #make(path: string, body: object): Promise<{ item?: { id: string } }> {
    const { storeId, key } = this.#shop;
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `key ${JSON.stringify(body)}`.slice(0, 255),
    };
    return this.#ask(() => [`/stores/${storeId}${path}`, 'POST', headers, JSON.stringify(body)]);
  }

  /** Sends until it is answered, by one server or another. */
  async #ask(
    make: () => [path: string, method: string, headers: Record<string, string>, body: string | undefined],
  ): Promise<{ item?: { id: string } }> {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await sleep(50)) {
      const url = this.urls[this.#turn++ % this.urls.length] ?? '';
      const [path, method, headers, body] = make();
      const answer = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }).then(
        async (response) => ({ status: response.status, text: await response.text() }),
        () => undefined,
      );
      if (answer && answer.status < 300) return JSON.parse(answer.text) as { item?: { id: string } };
      // 503 says that the client should come again, and 409 that its first attempt is under way.
      if (answer && answer.status !== 503 && answer.status !== 409) {
        this.faults.push(`${method} ${path}: ${answer.status} ${answer.text}`);
      }
    }
    throw new Error('no server answered for a minute');
  }
}

describe('an upgrade of two servers that share a PostgreSQL, with traffic on', () => {
  for (const { ref, commit } of releases) {
    it.skipIf(!commit)(
      `loses and breaks nothing, from ${ref}${commit ? '' : ' (its history is not in this clone)'}`,
      { timeout: 300_000 },
      async () => {
        const old = await buildOf(commit ?? '');
        const subscriber = await startSubscriber();
        try {
          await withDatabase('postgres', ({ address }) => upgrade(address, old, subscriber));
        } finally {
          await subscriber.close();
        }
      },
    );
  }
});

async function upgrade(
  address: string,
  old: string,
  subscriber: Awaited<ReturnType<typeof startSubscriber>>,
): Promise<void> {
  const runOld = async (...args: string[]) => run(process.execPath, [old, ...args, '--db', address, '--json']);
  const { store, apiKey } = JSON.parse((await runOld('init', '--name', 'Shop', '--currency', 'EUR')).stdout);
  await runOld('payments', 'configure', '--provider', 'stripe', '--webhook-secret', webhookSecret);
  const { pending } = await commerceJson(['migrate', 'status', '--db', address]);
  const coming = migrations.filter(({ name }) => pending.includes(name));
  const breaking = coming.filter((one) => !one.letsOlderServersRun);

  const running: RunningServer[] = [];
  const start = async (program?: string) => {
    const server = await startServer(address, flags, false, program);
    running.push(server);
    traffic.urls.push(server.url);
    return server;
  };
  const traffic = new Traffic({ storeId: store.id, key: apiKey.key });
  const stop = async (server: RunningServer) => {
    expect(await server.stop()).toBe(0);
    traffic.urls.splice(traffic.urls.indexOf(server.url), 1);
  };
  try {
    const [one, two] = [await start(old), await start(old)];
    await fetch(`${one.url}/stores/${store.id}/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: subscriber.url, events: ['product.created', 'order.paid'] }),
    });
    const clients = traffic.run();
    // Says what went wrong where the test ends before it waits for them.
    clients.catch(() => {});
    const progress = async (what: string) => {
      const before = [traffic.products.length, traffic.paid.length] as const;
      const more = () => traffic.products.length > before[0] + 5 && traffic.paid.length > before[1] + 5;
      await until(what, more, 30_000);
    };
    await progress('the old ones serve');

    if (breaking.length > 0) {
      const refused = await commerce(['migrate', '--db', address]);
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      const names = breaking.map(({ name }) => name).join(', ');
      expect(refused.stderr).toMatch(/^error: servers of an older version use the database .* could not go on after/);
      expect(refused.stderr).toContain(names);
      await expect(startServer(address)).rejects.toThrow(/^serve ended with 1: .*servers of an older version/);
      await progress('the old ones serve on');
      await stop(one);
      await stop(two);
    }
    expect((await commerceJson(['migrate', '--db', address])).applied).toEqual(pending);
    if (pending.length > 0) {
      for (const args of [['serve', '--port', '0'], ['migrate'], ['products', 'list']]) {
        const refused = await runOld(...args);
        expect([args[0], refused.code]).toEqual([args[0], 1]);
        expect(refused.stderr).toContain('was changed by a newer version of Commerce');
      }
    }
    if (breaking.length === 0) await progress('the old ones serve what the new one has migrated');
    await start();
    await progress('one of the new ones serves');
    if (breaking.length === 0) await stop(one);
    await start();
    if (breaking.length === 0) await stop(two);
    await progress('the new ones serve');
    traffic.stop();
    await clients;

    expect(traffic.faults).toEqual([]);
    const told = new Set<string>();
    let read = 0;
    const missing = () => {
      // Each is read once: this process also receives them.
      for (const { body } of subscriber.received.slice(read)) {
        told.add((JSON.parse(String(body)) as { data: { id: string } }).data.id);
        read++;
      }
      return [...traffic.products, ...traffic.paid].filter((id) => !told.has(id));
    };
    // As long as more arrive, a slow machine has not lost any.
    for (let before = -1; missing().length > 0 && before !== read; ) {
      before = read;
      await sleep(20_000);
    }
    expect(missing()).toEqual([]);
    const client = { headers: { authorization: `Bearer ${apiKey.key}` } };
    const get = async (path: string) =>
      (await (await fetch(`${traffic.urls[0]}/stores/${store.id}${path}`, client)).json()) as {
        total: number;
        items: { stock: number }[];
      };
    expect((await get('/orders?status=paid')).total).toBe(traffic.paid.length);
    expect((await get('/orders')).total).toBe(traffic.paid.length);
    expect((await get('/products')).total).toBe(traffic.products.length + 1);
    const mugs = await get('/products?search=Mug');
    expect(mugs.items.map(({ stock }) => stock)).toEqual([100_000 - traffic.paid.length]);
  } finally {
    traffic.stop();
    for (const server of running) await server.stop();
  }
  const findings = (await commerce(['doctor', '--db', address, '--json'])).stdout;
  const problems = (JSON.parse(findings) as { findings: { status: string }[] }).findings.filter(
    ({ status }) => status === 'problem',
  );
  expect(problems).toEqual([]);
}
