import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initStore, notificationUrl } from '@commerce/test-support/fixtures/payments-cli';
import { client } from '@commerce/test-support/fixtures/served-shop';
import { commerce, commerceJson, startServer } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-payments-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = () => join(folder, `shop-${++files}.db`);

describe('what is wrong with a call of commerce payments', () => {
  const file = newFile();
  beforeAll(async () => {
    await initStore(file);
    await commerceJson(['payments', 'configure', '--provider', 'stripe', '--webhook-secret', 'w', '--db', file]);
  });
  const configure = (...flags: string[]) => ['configure', '--provider', ...flags];
  const simulate = (...flags: string[]) => ['simulate', '--provider', 'stripe', ...flags];
  const order = '0190a5c8-0000-7000-8000-00000000dead';

  const wrong: [string, string[], number, RegExp][] = [
    ['no provider', ['configure', '--webhook-secret', 's'], 2, /'--provider <name>' not specified/],
    ['an unknown provider', configure('cash'), 2, /'cash' is invalid.*stripe, paypal, square/],
    ['Stripe without its secret', configure('stripe'), 2, /stripe requires --webhook-secret/],
    [
      'PayPal without its id',
      configure('paypal', '--client-secret', 's', '--webhook-id', 'w'),
      2,
      /paypal requires --client-id/,
    ],
    [
      'PayPal without its secret',
      configure('paypal', '--client-id', 'c', '--webhook-id', 'w'),
      2,
      /paypal requires --client-secret/,
    ],
    [
      'PayPal without its webhook',
      configure('paypal', '--client-id', 'c', '--client-secret', 's'),
      2,
      /paypal requires --webhook-id/,
    ],
    [
      'Square without its key',
      configure('square', '--notification-url', notificationUrl),
      2,
      /square requires --signature-key/,
    ],
    [
      'Square without its address',
      configure('square', '--signature-key', 'k'),
      2,
      /square requires --notification-url/,
    ],
    [
      'an option of PayPal for Stripe',
      configure('stripe', '--webhook-secret', 's', '--client-id', 'c'),
      2,
      /--client-id is not an option of stripe/,
    ],
    [
      'a location for Stripe',
      configure('stripe', '--webhook-secret', 's', '--location-id', 'L'),
      2,
      /--location-id is not an option of stripe/,
    ],
    [
      'what stands for a secret key in a manual',
      configure('stripe', '--webhook-secret', 'whsec_1', '--secret-key', 'sk_live_…'),
      2,
      /--secret-key: must be the secret itself/,
    ],
    [
      'an option of Stripe for Square',
      configure('square', '--webhook-secret', 's'),
      2,
      /--webhook-secret is not an option of square/,
    ],
    [
      'an option of Square for PayPal',
      configure('paypal', '--client-id', 'c', '--client-secret', 's', '--webhook-id', 'w', '--signature-key', 'k'),
      2,
      /--signature-key is not an option of paypal/,
    ],
    [
      'hours that are none',
      configure('stripe', '--webhook-secret', 's', '--keep-previous', '1d'),
      2,
      /'1d' is invalid.*whole number of hours/,
    ],
    [
      'a secret with a blank',
      configure('stripe', '--webhook-secret', 'hunter2 '),
      2,
      /--webhook-secret: must be the secret without spaces/,
    ],
    [
      'an address that is none',
      configure('square', '--signature-key', 'k', '--notification-url', 'shop'),
      2,
      /--notification-url: must be the address/,
    ],
    [
      'an interface without TLS',
      configure(
        'square',
        '--signature-key',
        'k',
        '--notification-url',
        notificationUrl,
        '--api-base',
        'http://example.com',
      ),
      2,
      /--api-base: must be an https:\/\/ origin/,
    ],
    ['a limit that is no number', ['list', '--limit', 'ten'], 2, /'ten' is invalid/],
    ['a limit that is too high', ['list', '--limit', '201'], 2, /--limit: must be/],
    ['nothing to show', ['show'], 2, /missing required argument 'payment'/],
    ['nothing to replay', ['replay'], 2, /missing required argument 'notification'/],
    ['an unknown id to replay', ['replay', order], 1, /no payment notification/],
    ['a simulation of nothing', simulate(), 2, /--order or --items is required/],
    ['a simulation of both', simulate('--order', order, '--items', 'MUG:1'), 2, /cannot be used with/],
    ['items without a number', simulate('--items', 'MUG'), 2, /'MUG' is invalid.*SKU:number/],
    ['no items', simulate('--items', 'MUG:0'), 2, /invalid/],
    [
      'an event that there is none',
      simulate('--order', order, '--event', 'paid'),
      2,
      /'paid' is invalid.*succeeded, failed, refunded/,
    ],
    ['an unknown order', simulate('--order', order), 1, /no order/],
    ['an order that is none', simulate('--order', 'x'), 2, /--order: must be the id of an order/],
    ['items of nothing', simulate('--items', 'NONE:1'), 2, /no product with the SKU "NONE"/],
    [
      'items that are refunded',
      simulate('--items', 'MUG:1', '--event', 'refunded'),
      2,
      /cannot be refunded before they are paid/,
    ],
    [
      'a provider that is not set up',
      ['simulate', '--provider', 'square', '--order', order],
      2,
      /square is not configured/,
    ],
  ];
  it.each(wrong)('%s', async (_, args, code, message) => {
    const before = readFileSync(file);
    const result = await commerce(['payments', ...args, '--db', file]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^ {4}at |hunter2/m);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('a server that is not running', async () => {
    const product = { title: 'Mug', slug: 'mug', sku: 'MUG', price: '1' };
    const other = newFile();
    const shop = await initStore(other);
    const server = await startServer(other);
    await client(server.url, shop)('POST', '/products', product);
    await server.stop();
    await commerceJson([
      'payments',
      'configure',
      '--provider',
      'stripe',
      '--webhook-secret',
      'w',
      '--make-orders',
      '--db',
      other,
    ]);
    const result = await commerce([
      'payments',
      'simulate',
      '--provider',
      'stripe',
      '--items',
      'MUG:1',
      '--url',
      server.url,
      '--db',
      other,
    ]);
    expect(result).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: no server responds at ${server.url}; is \`commerce serve\` running there?\n`,
    });
  });
});
