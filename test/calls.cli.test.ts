import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { initStore, notificationUrl } from '@commerce/test-support/fixtures/payments-cli';
import { commerce, commerceJson, words } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

// Wrong calls of every command, in one shop.

const folder = mkdtempSync(join(tmpdir(), 'commerce-calls-cli-'));
const file = join(folder, 'shop.db');
const hook = 'https://hook.example/';
const unknown = '0190a5c8-0000-7000-8000-00000000dead';
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  await initStore(file);
  const product = words('products create --slug mug --title Mug --sku MUG --price 12.50 --stock 3');
  for (const args of [
    words('payments configure --provider stripe --webhook-secret w'),
    product,
    words('pages create --title Imprint --slug imprint'),
    words(`webhooks create --url ${hook} --events order.paid`),
  ]) {
    await commerceJson([...args, '--db', file]);
  }
});

type Call = [line: string | string[], message: RegExp];

const setUp = 'payments configure --provider';
const simulate = 'payments simulate --provider stripe';

/** Calls of what no program has, or of what breaks a rule of a field; they end with 2. */
const wrong: Call[] = [
  ['frobnicate', /unknown command 'frobnicate'/],
  ['prodcts list', /unknown command 'prodcts' \(Did you mean products\?\)/],
  ['products lst', /unknown command 'lst' \(Did you mean list\?\)/],
  ['products list --serach a', /unknown option '--serach' \(Did you mean --search\?\)/],
  ['orders cancel', /missing required argument 'order'/],
  [`orders cancel ${unknown} ${unknown}`, /too many arguments/],
  [`orders refund ${unknown}`, /--amount, --lines or --shipping is required/],
  ['keys create --name x', /--scopes or --preset is required/],
  ['products list --db mysql://u:hunter2@h/x', /--db: mysql:\/\/ is not supported/],
  ['products list --db file:shop.db', /--db: file: is not .*a SQLite file path/],
  // Values, by their options.
  ['orders list --status payed', /^error: --status: must be one of pending, paid/],
  ['orders list --filter status=payed', /^error: --filter status: must be one of/],
  ['products list --filter colour=blue', /--filter: unknown filter "colour"; use one of status/],
  ['products list --columns slug,colour', /--columns: unknown column "colour"/],
  ['products list --sort colour', /--sort: unknown column "colour"/],
  ['products list --csv --jsonl', /cannot be used with/],
  ['customers list --limit ten', /'ten' is invalid.*whole number/],
  ['customers list --limit 201', /--limit: must be a whole number from 1 to 200/],
  ['statistics sales --time-zone Mars/Base', /must be the name of a time zone/],
  ['customers list --offset -1', /invalid.*whole number|argument missing/],
  ['products create --title x', /^error: --slug: is required; --price: is required\n/],
  ['products update MUG', /no field is given/],
  ['products update MUG --price 1,50', /^error: --price: must be .*"1,50"/],
  ['products update MUG --stock many', /'--stock <number>' argument 'many' is invalid/],
  ['products update MUG --clear price', /'price' is invalid.*sku/],
  ['products update MUG --sku CUP --clear sku', /^error: --clear sku: --sku sets a value for it\n/],
  ['products update MUG --attributes blue', /name=value/],
  ['products stock MUG --adjust 0', /^error: --adjust: must not be 0, not 0\n/],
  ['products delete MUG', /cannot be undone; confirm with --yes/],
  [
    words('customers create --email bob@shop.test --addresses [{"city":"x"}]'),
    /^error: --addresses 0\.address1: is required; --addresses 0\.postalCode: is required/,
  ],
  [
    'orders create --items MUG:1 --shipping 1.00 --shipping-method-id post',
    /^error: --shipping-method-id: must not be given together with shipping, not "post"\n/,
  ],
  // How a service is run.
  ['serve --port http', /'http' is invalid.*0 to 65535/],
  ['serve --expire-pending 48', /'48' is invalid.*30m, 48h or 7d/],
  ['serve --expire-pending 0h', /'0h' is invalid/],
  ['serve --expire-pending 90s', /'90s' is invalid/],
  ['serve --expire-pending=-1h', /'-1h' is invalid/],
  ['init --name x', /'--currency <code>' not specified/],
  ['stores update Shop', /no change is given/],
  ['stores update Shop --strict-category-depth perhaps', /'perhaps' is invalid.*yes/],
  ['stores update Shop --currency USD', /unknown option '--currency'/],
  [['stores', 'update', 'Shop', '--name', ' '], /--name: must not be blank/],
  ['stores update Shop --plan gold', /'gold' is invalid.*free, pro, enterprise/],
  ['stores update Shop --rate 1.5', /'1.5' is invalid.*whole number/],
  ['stores update Shop --burst 5', /--burst requires --rate/],
  ['stores update Shop --plan pro --rate 5', /--rate: must be left out: the plan "pro"/],
  // Subscriptions.
  ['webhooks replay x', /required option '--since <time>'/],
  ['webhooks replay x --since yesterday', /'yesterday' is invalid.*2h/],
  ['webhooks deliveries x --status lost', /'lost' is invalid/],
  [`webhooks deliveries ${hook} --event product.bought`, /--event: must be one of product\.created/],
  ['webhooks create --url http://example.com/ --events order.*', /--url: must be an https address/],
  ['webhooks create --url https://127.0.0.1/ --events order.*', /--url: must be on the public internet/],
  ['webhooks create --url https://a.example/ --events order.paid,order.sent', /--events: .*"order.sent"/],
  ['webhooks listen --answer 99', /'99' is invalid/],
  // Payment providers.
  ['payments configure --webhook-secret s', /'--provider <name>' not specified/],
  [`${setUp} cash`, /'cash' is invalid.*stripe, paypal, square/],
  [`${setUp} stripe`, /stripe requires --webhook-secret/],
  [`${setUp} paypal --client-secret s --webhook-id w`, /paypal requires --client-id/],
  [`${setUp} paypal --client-id c --webhook-id w`, /paypal requires --client-secret/],
  [`${setUp} paypal --client-id c --client-secret s`, /paypal requires --webhook-id/],
  [`${setUp} square --notification-url ${notificationUrl}`, /square requires --signature-key/],
  [`${setUp} square --signature-key k`, /square requires --notification-url/],
  [`${setUp} stripe --webhook-secret s --client-id c`, /--client-id is not an option of stripe/],
  [`${setUp} stripe --webhook-secret s --location-id L`, /--location-id is not an option of stripe/],
  [`${setUp} square --webhook-secret s`, /--webhook-secret is not an option of square/],
  [
    `${setUp} paypal --client-id c --client-secret s --webhook-id w --signature-key k`,
    /--signature-key is not an option of paypal/,
  ],
  [`${setUp} stripe --webhook-secret whsec_1 --secret-key sk_live_…`, /--secret-key: must be the secret itself/],
  [`${setUp} stripe --webhook-secret s --keep-previous 1d`, /'1d' is invalid.*whole number of hours/],
  [[...words(`${setUp} stripe --webhook-secret`), 'hunter2 '], /--webhook-secret: must be the secret without spaces/],
  [`${setUp} square --signature-key k --notification-url shop`, /--notification-url: must be the address/],
  [
    `${setUp} square --signature-key k --notification-url ${notificationUrl} --api-base http://example.com`,
    /--api-base: must be an https:\/\/ origin/,
  ],
  ['payments replay', /missing required argument 'notification'/],
  [simulate, /--order or --items is required/],
  [`${simulate} --order ${unknown} --items MUG:1`, /cannot be used with/],
  [`${simulate} --items MUG`, /'MUG' is invalid.*SKU:number/],
  [`${simulate} --items MUG:0`, /invalid/],
  [`${simulate} --order ${unknown} --event paid`, /'paid' is invalid.*succeeded, failed, refunded/],
  [`${simulate} --order x`, /--order: must be the id of an order/],
  [`${simulate} --items NONE:1`, /no product with the SKU "NONE"/],
  [`${simulate} --items MUG:1 --event refunded`, /cannot be refunded or disputed before they are paid/],
  [`payments simulate --provider square --order ${unknown}`, /square is not configured/],
];

/** Calls that name what the shop does not have, or already has; they end with 1. */
const refused: Call[] = [
  [`orders fulfil ${unknown}`, /^error: no order ".*dead" in this store\n/],
  ['orders cancel x', /^error: no order "x" in this store\n/],
  [`orders confirm ${unknown}`, /^error: no order/],
  [`orders refund ${unknown} --amount 1`, /^error: no order/],
  ['customers show bob@example.org', /^error: no customer "bob@example.org" in this store\n$/],
  ['customers anonymise x --yes', /^error: no customer "x" in this store\n$/],
  ['customers list --store x', /no store "x"/],
  [`stores update ${unknown} --name x`, /no store "0190a5c8/],
  ['webhooks test x', /no webhook "x"/],
  [`payments replay ${unknown}`, /no payment notification/],
  [`${simulate} --order ${unknown}`, /no order/],
  ['pages create --title x --slug imprint', /^error: --slug "imprint" already exists on another page\n$/],
];

describe('A wrong call', () => {
  const rows = [...wrong.map((row) => [...row, 2] as const), ...refused.map((row) => [...row, 1] as const)];
  it.each(rows)('%s', async (line, message, code) => {
    const before = readFileSync(file);
    const args = typeof line === 'string' ? words(line) : line;
    const takesNone =
      args.includes('--db') || ['frobnicate', 'prodcts'].includes(args[0] ?? '') || args[1] === 'listen';
    const result = await commerce(takesNone ? args : [...args, '--db', file]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^ {4}at |hunter2/m);
    // One clear line; after wrong usage, a second line refers to the help.
    const [, help, ...more] = result.stderr.trimEnd().split('\n');
    expect([help, ...more]).toEqual([code === 2 ? '(run --help to see the options)' : undefined]);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each<[string, string, number, object]>([
    ['of the command line', 'products lst', 2, { message: expect.stringMatching(/^unknown command/) }],
    [
      'of an option',
      'orders list --status payed',
      2,
      {
        message: expect.stringMatching(/^--status: must be one of/),
        details: [
          {
            field: 'status',
            reason: expect.any(String),
            message: expect.any(String),
            code: 'NOT_OFFERED',
            limits: { values: expect.arrayContaining(['paid']) },
          },
        ],
      },
    ],
    ['of the shop', 'products show x', 1, { code: 'NOT_FOUND', message: 'no product "x" in this store' }],
  ])('with --json, an error %s is JSON on standard error, as over HTTP', async (_, line, code, error) => {
    const result = await commerce([...words(line), '--db', file, '--json']);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(JSON.parse(result.stderr)).toEqual({ error: { code: 'VALIDATION_ERROR', ...error } });
  });

  it('of the environment names the variable', async () => {
    const result = await commerce(['serve', '--db', file], '', { COMMERCE_EXPIRE_PENDING: 'soon' });
    const stderr = expect.stringMatching(/'soon' from env 'COMMERCE_EXPIRE_PENDING' is invalid/);
    expect(result).toEqual({ code: 2, stdout: '', stderr });
  });
});
