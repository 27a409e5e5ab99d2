import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Context, type Customer, createCustomer, createOrder, openCommerce } from '@commerce/core';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { commerce, commerceJson } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const home = { address1: '12 Squarehouse', city: 'London', postalCode: 'SW1Y', country: 'GB' };

/** Works on the database like an application that has it open, and closes it again. */
async function inShop<T>(address: string, work: (shop: Context) => Promise<T>): Promise<T> {
  const opened = await openCommerce({ storage: openStorage(address) });
  try {
    const { id } = await opened.createStore({ name: 'Shop', currency: 'EUR' });
    return await work(await opened.store(id));
  } finally {
    await opened.close();
  }
}

forOneStorage('commerce customers', 'postgres', (database) => {
  const db = ['--db', database.address];
  let ada: Customer;
  let grace: Customer;
  let orderId: string;
  let storeId: string;

  beforeAll(async () => {
    await inShop(database.address, async (shop) => {
      storeId = shop.store.id;
      ada = await createCustomer(shop, {
        email: 'Ada@Example.org',
        name: 'Ada Lovelace',
        phone: '+44 1',
        addresses: [{ ...home, isDefault: true }],
      });
      grace = await createCustomer(shop, { email: 'grace@example.org' });
      const { id } = await newProduct(shop);
      const items = [{ productId: id, quantity: 1 }];
      const note = { customerNote: 'The bell says Lovelace', shippingAddress: { ...home, lastName: 'Lovelace' } };
      orderId = (await createOrder(shop, { items, customerId: ada.id, ...note })).id;
    });
  });

  it('lists them as the interface does, newest first, with its filters', async () => {
    const rows: [string[], Customer[], number][] = [
      [[], [grace, ada], 2],
      [['--email', 'ADA@example.org'], [ada], 1],
      [['--search', 'lovelace'], [ada], 1],
      [['--search', 'nobody'], [], 0],
      [['--limit', '1', '--offset', '1', '--store', storeId], [ada], 2],
    ];
    const answers = await Promise.all(rows.map(([flags]) => commerceJson(['customers', 'list', ...flags, ...db])));
    expect(answers).toEqual(rows.map(([, items, total]) => ({ items, total })));
    const [all, none] = await Promise.all([
      commerce(['customers', 'list', ...db]),
      commerce(['customers', 'list', '--email', 'x@example.org', ...db]),
    ]);
    expect(all.stdout.split('\n').slice(0, 3)).toEqual([
      expect.stringMatching(/^id +email +name +created$/),
      expect.stringMatching(/grace@example\.org +- +2/),
      expect.stringMatching(/Ada@Example\.org +Ada Lovelace +2/),
    ]);
    expect(none).toEqual({ code: 0, stdout: '(none)\n', stderr: '' });
  });

  it('shows one', async () => {
    expect(await commerceJson(['customers', 'show', ada.id, ...db])).toEqual({ item: ada });
    const { code, stdout } = await commerce(['customers', 'show', ada.id, ...db]);
    expect(code).toBe(0);
    for (const line of [/^email +Ada@Example\.org$/m, /^name +Ada Lovelace$/m, /^phone +\+44 1$/m, /^addresses +1$/m]) {
      expect(stdout).toMatch(line);
    }
  });

  it.each([
    ['show', 'bob@example.org'],
    ['show', '0190a5c8-0000-7000-8000-000000000000'],
    ['anonymise', 'x'],
  ])('says in one line that %s %s finds nobody', async (command, id) => {
    expect(await commerce(['customers', command, id, ...(command === 'show' ? [] : ['--yes']), ...db])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: no customer "${id}" in this store\n`,
    });
  });

  it('forgets a person on request: the orders stay, the actor is the command line, again is no error', async () => {
    const { item } = await commerceJson(['customers', 'anonymise', ada.id, '--yes', ...db]);
    expect(item).toEqual({
      ...ada,
      email: `anonymised-${ada.id}@customer.invalid`,
      name: null,
      phone: null,
      defaultAddressId: null,
      addresses: [],
      updatedAt: item.updatedAt,
    });
    expect(await commerceJson(['customers', 'anonymise', ada.id, '--yes', ...db])).toEqual({ item });
    const again = await commerce(['customers', 'anonymise', ada.id, '--yes', ...db]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toMatch(/^email +anonymised-/m);
    const { item: order } = await commerceJson(['orders', 'show', orderId, ...db]);
    expect(order).toMatchObject({ customerId: ada.id, customerNote: null });
    expect(order.shippingAddress).toMatchObject({ country: 'GB', lastName: null, city: null });
    expect((await commerceJson(['customers', 'list', '--search', 'lovelace', ...db])).total).toBe(0);
    const opened = await openCommerce({ storage: openStorage(database.address) });
    const entries = await opened.engine.storage.db
      .selectFrom('audit_logs')
      .select(['actor_type', 'resource_id'])
      .where('action', '=', 'customer.anonymised')
      .execute();
    await opened.close();
    expect(entries).toEqual([{ actor_type: 'cli', resource_id: ada.id }]);
  });
});

describe('wrong calls of commerce customers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-customers-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'shop.db');
  beforeAll(() => inShop(file, async (shop) => createCustomer(shop, { email: 'ada@example.org' })));

  const wrong: [string, string[], number, RegExp][] = [
    ['an unknown command', ['forget', 'x'], 2, /unknown command 'forget'/],
    ['no id to show', ['show'], 2, /missing required argument 'customer'/],
    ['no id to anonymise', ['anonymise'], 2, /missing required argument 'customer'/],
    ['two ids', ['anonymise', 'a', 'b'], 2, /too many arguments/],
    ['an unknown flag', ['list', '--name', 'x'], 2, /unknown option '--name'/],
    ['a limit that is no number', ['list', '--limit', 'ten'], 2, /'ten' is invalid.*whole number/],
    ['an offset below zero', ['list', '--offset', '-1'], 2, /invalid.*whole number|argument missing/],
    ['a limit that is too high', ['list', '--limit', '201'], 2, /--limit: must be a whole number from 1 to 200/],
    ['a store that does not exist', ['list', '--store', 'x'], 1, /no store "x"/],
  ];
  it.each(wrong)('%s', async (_, args, code, message) => {
    const before = readFileSync(file);
    const result = await commerce(['customers', ...args, '--db', file]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/^ {4}at /m);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('without a command shows what there is', async () => {
    const { stdout, stderr } = await commerce(['customers']);
    expect(stdout + stderr).toMatch(/list[\s\S]*show[\s\S]*anonymise/);
  });
});
