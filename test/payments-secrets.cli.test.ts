import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initStore, notificationUrl, settings } from '@commerce/test-support/fixtures/payments-cli';
import { sendStripe } from '@commerce/test-support/fixtures/served-shop';
import { payment } from '@commerce/test-support/fixtures/stripe';
import { commerce, startServer } from '@commerce/test-support/harness/processes';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-payments-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `shop-${++files}.db`);

describe('the secrets of providers at the command line', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('may come from the environment, which no list of processes shows', async () => {
    const file = newFile();
    await initStore(file);
    const configure = (provider: string, env: Record<string, string>, ...flags: string[]) =>
      commerce(['payments', 'configure', '--provider', provider, ...flags, '--db', file], '', env);
    const ran = await Promise.all([
      configure('stripe', { COMMERCE_STRIPE_WEBHOOK_SECRET: 'whsec_env' }),
      configure('paypal', { COMMERCE_PAYPAL_CLIENT_ID: 'id', COMMERCE_PAYPAL_CLIENT_SECRET: 's' }, '--webhook-id', 'W'),
      configure('square', { COMMERCE_SQUARE_SIGNATURE_KEY: 'k' }, '--notification-url', notificationUrl),
      // A variable of another provider is not an error in the environment.
      configure(
        'square',
        { COMMERCE_SQUARE_SIGNATURE_KEY: 'k', COMMERCE_STRIPE_WEBHOOK_SECRET: 'w' },
        '--notification-url',
        notificationUrl,
      ),
    ]);
    for (const { code, stderr } of ran) expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each([
    [['payments', 'configure', '--provider', 'stripe'], 'COMMERCE_STRIPE_WEBHOOK_SECRET'],
    [['webhooks', 'create', '--url', 'https://example.com/', '--events', 'order.paid'], 'COMMERCE_SUBSCRIBER_SECRET'],
    [['webhooks', 'listen', '--port', '0'], 'COMMERCE_SUBSCRIBER_SECRET'],
  ])('%s refuses the variable that stood for two secrets, and takes %s', async (args, variable) => {
    const file = newFile();
    await initStore(file);
    const db = args[1] === 'listen' ? [] : ['--db', file];
    const refused = await commerce([...args, ...db], '', { COMMERCE_WEBHOOK_SECRET: 'whsec_of_something' });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toMatch(
      /^error: COMMERCE_WEBHOOK_SECRET is no longer supported, because .* two different secrets/,
    );
    expect(refused.stderr).toMatch(new RegExp(`this command reads ${variable}$`, 'm'));
    expect(refused.stderr).not.toContain('whsec_of_something');
    // A command that continued to run would have to be stopped.
    if (args[1] === 'listen') return;
    const both = { COMMERCE_WEBHOOK_SECRET: 'old', [variable]: 'whsec_new_and_long_enough' };
    expect(await commerce([...args, ...db], '', both)).toMatchObject({ code: 0, stderr: '' });
  });

  it.each(['whsec_…', 'whsec_...', '<secret>', 'whsec_', 'whsec_xxxxxxxxxxxxxxxx', '****************'])(
    'are refused where %s stands for them in a manual',
    async (placeholder) => {
      const file = newFile();
      await initStore(file);
      const stripe = ['payments', 'configure', '--provider', 'stripe', '--webhook-secret', placeholder];
      const hook = ['webhooks', 'create', '--url', 'https://example.com/', '--events', 'order.paid'];
      for (const args of [
        stripe,
        [
          ...hook,
          '--secret',
          placeholder.replace(/_$/, '_x').padEnd(16, placeholder.at(-1) === '_' ? 'x' : placeholder.at(-1)),
        ],
      ]) {
        const { code, stderr } = await commerce([...args, '--db', file]);
        expect([args[0], code]).toEqual([args[0], 2]);
        expect(stderr).toMatch(
          /^error: --(webhook-)?secret: must be the secret itself, not a placeholder from a manual\n/,
        );
      }
    },
  );

  it('are not in the files of the database with COMMERCE_SECRET_KEY, and work with the same key alone', async () => {
    const file = newFile();
    await initStore(file);
    const secretKey = 'the key of this test, long enough';
    const env = { COMMERCE_SECRET_KEY: secretKey };
    const configure = (provider: string, ...flags: string[]) =>
      commerce(['payments', 'configure', '--provider', provider, ...flags, '--db', file], '', env);
    for (const [provider, flags] of Object.entries(settings('https://example.com', 'https://example.com'))) {
      expect((await configure(provider, ...flags)).code).toBe(0);
    }
    await configure('stripe', '--webhook-secret', 'whsec_second_word', '--keep-previous', '1');
    const bytes = readdirSync(folder)
      .filter((name) => join(folder, name).startsWith(file))
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
    expect(bytes).toContain('sealed:1:');
    expect(bytes).not.toMatch(/_word|the key of this test/);

    const event = payment(null, 1).sessionCompleted({ mode: 'setup' });
    vi.stubEnv('COMMERCE_SECRET_KEY', secretKey);
    const server = await startServer(file);
    try {
      for (const secret of ['whsec_word', 'whsec_second_word']) {
        expect(await sendStripe(server.url, { ...event, id: secret }, { secret })).toMatchObject({ status: 200 });
      }
    } finally {
      await server.stop();
    }
    vi.stubEnv('COMMERCE_SECRET_KEY', undefined);
    await expect(startServer(file)).rejects.toThrow(
      /none of the \d+ secrets .*no secret key is set.*set COMMERCE_SECRET_KEY to the key/,
    );
    const simulated = ['payments', 'simulate', '--provider', 'stripe', '--items', 'X:1', '--db', file];
    expect(await commerce(simulated, '', { COMMERCE_SECRET_KEY: 'another key, long enough' })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^error: the secrets in the database were encrypted with another secret key.*COMMERCE_SECRET_KEY.*\n$/,
      ),
    });
    expect(await commerce(simulated)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/set COMMERCE_SECRET_KEY/),
    });
  });

  it('are not protected by a key that is too short: no command runs', async () => {
    const file = newFile();
    await initStore(file);
    for (const args of [
      ['stores', 'list'],
      ['serve', '--port', '0'],
    ]) {
      const result = await commerce([...args, '--db', file], '', { COMMERCE_SECRET_KEY: 'tooshort' });
      expect(result).toMatchObject({ code: 1, stdout: '' });
      expect(result.stderr).toMatch(/^error: secretKey: must have at least 16 characters/);
      expect(result.stderr).not.toContain('tooshort');
    }
  });
});
