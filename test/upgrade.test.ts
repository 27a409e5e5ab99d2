import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningStub, startProviderStub } from '@commerce/core/testing';
import { buildOfNext, nextName } from '@commerce/test-support/harness/next-version';
import { bin, type RunningServer, run, startServer } from '@commerce/test-support/harness/processes';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { Traffic } from '@commerce/test-support/harness/traffic';
import { until } from '@commerce/test-support/harness/until';
import { fetch } from 'undici';
import { describe, expect, it } from 'vitest';

const flags = ['--orders-api', '--allow-insecure-webhooks'];

describe('an upgrade of two servers that share a PostgreSQL, with traffic on', () => {
  it.each(['adding', 'rewriting'] as const)(
    'loses and breaks nothing, to a version whose migration is %s',
    { timeout: 300_000 },
    async (kind) => {
      const subscriber = await startSubscriber();
      const stripe = await startProviderStub({ ticks: false });
      const parties = { old: bin, next: await buildOfNext(kind), isBreaking: kind === 'rewriting', subscriber, stripe };
      try {
        await withDatabase('postgres', ({ address }) => upgradeDatabase(address, parties));
      } finally {
        await Promise.all([subscriber.close(), stripe.close()]);
      }
    },
  );
});

interface Parties {
  /** Programs. */
  old: string;
  next: string;
  /** Whether servers of the old version could not continue with the migrated database. */
  isBreaking: boolean;
  subscriber: Awaited<ReturnType<typeof startSubscriber>>;
  stripe: RunningStub;
}

async function upgradeDatabase(address: string, { old, next, isBreaking, subscriber, stripe }: Parties): Promise<void> {
  const runOf = (program: string, ...args: string[]) => run(process.execPath, [program, ...args, '--db', address]);
  const jsonOf = async (program: string, ...args: string[]) => {
    const { code, stdout, stderr } = await runOf(program, ...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const { store, apiKey } = await jsonOf(old, 'init', '--name', 'Shop', '--currency', 'EUR');
  const account = stripe.account('stripe', (sent) => traffic.notify(sent));
  const { webhookSecret = '' } = account;
  const traffic = new Traffic({ storeId: store.id, key: apiKey.key, webhookSecret }, stripe);
  const options = Object.entries(account).flatMap(([name, value]) => [
    `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    value,
  ]);
  await jsonOf(old, 'payments', 'configure', '--provider', 'stripe', ...options);
  await jsonOf(old, 'settings', 'update', '--return-urls', 'https://shop.example');

  const { pending } = (await jsonOf(next, 'migrate', 'status')) as { pending: string[] };
  expect(pending).toEqual([nextName]);

  const running: RunningServer[] = [];
  const start = async (program: string, ...more: string[]) => {
    const server = await startServer(address, [...flags, ...more], false, program);
    running.push(server);
    traffic.urls.push(server.url);
    return server;
  };
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
    // Reports the error if the test ends before it waits for them.
    clients.catch(() => {});
    const progress = async (what: string) => {
      const done = () => [traffic.products.length, traffic.prices.size, traffic.sold.length, traffic.checkedOut.length];
      const before = done();
      await until(what, () => done().every((count, i) => count > (before[i] ?? 0) + 5), 30_000);
    };
    await progress('the old ones serve');

    if (isBreaking) {
      const refused = await runOf(next, 'migrate');
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(
        /^error: servers of an older version use the database .* could not continue after/,
      );
      expect(refused.stderr).toContain(nextName);
      await expect(startServer(address, [], false, next)).rejects.toThrow(
        /^serve ended with 1: .*servers of an older version/,
      );
      await progress('the old ones serve on');
      await stop(one);
      await stop(two);
    }
    expect((await jsonOf(next, 'migrate')).applied).toEqual(pending);
    for (const args of [['serve', '--port', '0'], ['migrate'], ['products', 'list']]) {
      const refused = await runOf(old, ...args);
      expect([args[0], refused.code]).toEqual([args[0], 1]);
      expect(refused.stderr).toContain('was changed by a newer version of Commerce');
    }
    if (!isBreaking) await progress('the old ones serve what the new one has migrated');
    await start(next);
    await progress('one of the new ones serves');
    if (!isBreaking) await stop(one);
    await start(next, '--workers', '2');
    if (!isBreaking) await stop(two);
    await progress('the new ones serve');
    traffic.stop();
    await clients;

    expect(traffic.faults).toEqual([]);
    const told = new Set<string>();
    let read = 0;
    const missing = () => {
      // Each is read once, because this process also receives them.
      for (const { body } of subscriber.received.slice(read)) {
        told.add((JSON.parse(String(body)) as { data: { id: string } }).data.id);
        read++;
      }
      return [...traffic.products, ...traffic.paid].filter((id) => !told.has(id));
    };
    // While more arrive, a slow machine has not lost any.
    for (let before = -1; missing().length > 0 && before !== read; ) {
      before = read;
      await sleep(20_000);
    }
    expect(missing()).toEqual([]);
    const paid = traffic.paid.length;
    const client = { headers: { authorization: `Bearer ${apiKey.key}` } };
    const get = async (path: string) =>
      (await (await fetch(`${traffic.urls[0]}/stores/${store.id}${path}`, client)).json()) as {
        total: number;
        items: { stock: number }[];
        item: { price: string };
      };
    expect((await get('/orders?status=paid')).total).toBe(paid);
    expect((await get('/orders')).total).toBe(paid);
    expect((await get('/products')).total).toBe(traffic.products.length + 1);
    for (const [id, price] of traffic.prices) expect((await get(`/products/${id}`)).item.price).toBe(price);
    const mugs = await get('/products?search=Mug');
    expect(mugs.items.map(({ stock }) => stock)).toEqual([100_000 - paid]);
  } finally {
    traffic.stop();
    for (const server of running) await server.stop();
  }
  const { findings } = JSON.parse((await runOf(next, 'doctor', '--json')).stdout) as { findings: { status: string }[] };
  expect(findings.length).toBeGreaterThan(5);
  expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
}
