import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { bin, commerceJson, type RunningServer, root, startServer } from '@commerce/test-support/harness/processes';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { afterEach, beforeAll, expect, it } from 'vitest';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** `commerce webhooks listen`, as a developer runs it together with the server. */
async function listen(...flags: string[]) {
  const child: ChildProcess = spawn(process.execPath, [bin, 'webhooks', 'listen', '--port', '0', ...flags], {
    cwd: root,
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
  });
  await until('it listens', () => output.includes('\n'));
  const url = /http:\/\/[\d.]+:\d+\//.exec(output)?.[0] ?? '';
  return {
    url,
    lines: () => output.trimEnd().split('\n').slice(1),
    async stop() {
      child.kill('SIGINT');
      const [code] = (await once(child, 'exit')) as [number | null];
      return code;
    },
  };
}

it.each([
  ['as text', ['--body']],
  ['as JSON', ['--json']],
])('listen prints nothing that controls the terminal, whoever sends it, %s', async (_, flags) => {
  const receiver = await listen(...flags);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
  const controls = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
  const evil = 'A\u001b[31m\u0007\u009b2J\rB';
  for (const body of [JSON.stringify({ id: evil, type: evil, data: { [evil]: evil } }), evil]) {
    const before = receiver.lines().length;
    await (await fetch(receiver.url, { method: 'POST', body })).text();
    await until('it is printed', () => receiver.lines().length > before);
    expect(receiver.lines().join('\n')).not.toMatch(controls);
  }
  expect(await receiver.stop()).toBe(0);
});

forOneStorage('commerce webhooks', 'postgres', (database) => {
  const db = ['--db', database.address];
  const webhooks = (...args: string[]) => commerceJson(['webhooks', ...args, ...db]);
  let shop: { storeId: string; key: string };
  let server: RunningServer | undefined;
  beforeAll(async () => {
    shop = await initShop(database.address);
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it('shows a developer what a subscriber gets, and sends again what it missed', async () => {
    const receiver = await listen('--secret', secret);
    const refusing = await listen('--secret', 'not the one of the subscription', '--answer', '500', '--json');
    server = await startServer(database.address, ['--allow-insecure-webhooks']);
    const create = ['--events', 'product.*', '--secret', secret, '--allow-insecure-webhooks'];
    const { item: hook } = await webhooks('create', '--url', receiver.url, ...create);
    const { item: other } = await webhooks('create', '--url', refusing.url, ...create);
    expect(hook).toMatchObject({ url: receiver.url, secret, isActive: true });
    expect((await webhooks('list')).items).toEqual([other, hook]);

    const request = client(server.url, shop);
    await request('POST', '/products', { title: 'Mug', slug: 'mug', price: '5' });
    await until('it arrives', () => receiver.lines().length === 1 && refusing.lines().length === 1);
    expect(receiver.lines()[0]).toMatch(/^\S+Z {2}verified {2}product\.created {2}[0-9a-f-]{36}$/);
    const refused = JSON.parse(refusing.lines()[0] ?? '');
    expect(refused).toMatchObject({ verified: false, problem: expect.stringMatching(/does not match/) });
    expect(JSON.parse(refused.body)).toMatchObject({ type: 'product.created', data: { slug: 'mug' } });

    const succeeded = async () => (await webhooks('deliveries', hook.id, '--status', 'succeeded')).items;
    await until('it is noted', async () => (await succeeded()).length === 1);
    const [delivery] = await succeeded();
    const waiting = (await webhooks('deliveries', other.id, '--event', 'product.created')).items;
    // A slow machine can already have made a second attempt.
    expect(waiting).toMatchObject([{ status: 'pending' }]);
    expect(waiting[0].attempts[0]).toMatchObject({ responseCode: 500, error: 'answered 500' });

    // The server sends deliveries that the command line has queued: it looks for them every second.
    expect((await webhooks('redeliver', hook.id, delivery.id)).item).toMatchObject({ eventId: delivery.eventId });
    await until('it comes again', () => receiver.lines().length === 2);
    expect((await webhooks('test', hook.id)).item).toMatchObject({ event: 'webhook.test' });
    await until('the test comes', () => receiver.lines().some((line) => line.includes('webhook.test')));
    expect(await webhooks('replay', hook.id, '--since', '1h')).toEqual({ item: { queued: 0 } });
    expect(await webhooks('replay', hook.id, '--since', '1h', '--all')).toEqual({ item: { queued: 1 } });
    await until('it is replayed', () => receiver.lines().length === 4);
    const { item: rotated } = await webhooks('rotate-secret', hook.id);
    expect(rotated.secret).not.toBe(secret);
    // The old secret also signs for a day.
    await webhooks('test', hook.id);
    await until('it is signed with both', () => receiver.lines().length === 5);
    expect(receiver.lines().every((line) => line.includes('  verified  '))).toBe(true);
    expect([await receiver.stop(), await refusing.stop()]).toEqual([0, 0]);
  });
});
