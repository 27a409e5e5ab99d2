import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrder, createWithdrawal, listStores, openCommerce } from '@commerce/core';
import { commerce, commerceJson, words } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { afterAll, beforeAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-selling-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

forOneStorage('selling at the command line', 'sqlite', (database) => {
  const db = ['--db', database.address];
  beforeAll(async () => {
    await commerceJson(['init', '--name', 'Tea', '--currency', 'EUR', ...db]);
  });

  it('sets how the store sells, by options and by a file', async () => {
    const file = join(folder, 'shipping.json');
    writeFileSync(
      file,
      JSON.stringify({ shippingMethods: [{ id: 'post', name: 'Post', price: '4.9', freeFrom: '50' }] }),
    );
    const update = words('settings update --tax-rate 0.19 --tax-included --return-urls https://tea.example');
    const { item } = await commerceJson([...update, '--file', file, ...db]);
    expect(item).toMatchObject({ taxRate: '0.19', taxIncluded: true, returnUrls: ['https://tea.example'] });
    expect(item.shippingMethods).toMatchObject([{ id: 'post', price: '4.90', freeFrom: '50.00' }]);
    expect(await commerceJson(['settings', 'show', ...db])).toEqual({ item });
    const { stdout } = await commerce(['settings', 'show', ...db]);
    expect(stdout).toMatch(/tax rate +0\.19 contained in prices/);
    expect(stdout).toMatch(/shipping post +Post, 4\.90, free from 50\.00/);
    expect(await commerce(['settings', 'update', '--tax-rate', '19', ...db])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^error: --tax-rate: must be a fraction .*"19"/),
    });
    expect(await commerce(['settings', 'update', ...db])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no field'),
    });
  });

  it('sets what pages of the shop must know, and shows it to them', async () => {
    const page = await commerceJson([
      'pages',
      'create',
      ...words('--title Terms --slug terms --status published'),
      ...db,
    ]);
    const seller = { name: 'Tea & Co', address: 'Teichweg 1\nWien', email: 'a@tea.example', taxNumber: '12/345' };
    const { item } = await commerceJson([
      ...words(
        'settings update --country at --locale de-at --min-subtotal 20 --product-url https://tea.example/{slug}',
      ),
      ...['--pages', JSON.stringify({ terms: page.item.id }), '--seller', JSON.stringify(seller), ...db],
    ]);
    expect(item).toMatchObject({
      country: 'AT',
      locale: 'de-AT',
      minSubtotal: '20.00',
      seller: { taxNumber: '12/345' },
    });
    const { stdout } = await commerce(['settings', 'show', ...db]);
    expect(stdout).toMatch(/seller +Tea & Co, Teichweg 1, Wien, a@tea\.example, 12\/345/);
    const shop = await commerceJson(['shop', ...db]);
    expect(shop.item).toMatchObject({ country: 'AT', decimals: 2, pages: { terms: 'terms' }, countries: null });
    const shown = (await commerce(['shop', ...db])).stdout;
    expect(shown).toMatch(/page terms +terms\n/);
    expect(shown).toMatch(/seller +Tea & Co, Teichweg 1, Wien, a@tea\.example\n/);
    expect(await commerceJson(['settings', 'update', '--clear', 'minSubtotal,seller', ...db])).toMatchObject({
      item: { minSubtotal: null, seller: null },
    });
  });

  it('proposes standard rates of tax, and writes them only if it is told to', async () => {
    expect((await commerce(['settings', 'taxes', ...db])).stdout).toBe('one rate: 0.19, contained in prices\n');
    const proposed = await commerce(['settings', 'taxes', '--starter', 'at', ...db]);
    expect(proposed.stdout).toMatch(/AT +standard +0\.2 /);
    expect(proposed.stdout).toMatch(/Standard rates of 20\d\d-.*Check them .*member states.*Nothing was written/s);
    expect((await commerce(['settings', 'taxes', '--starter', 'GB', ...db])).stdout).not.toContain('member states');
    expect((await commerceJson(['settings', 'show', ...db])).item.taxes).toBeNull();
    const { item } = await commerceJson(['settings', 'taxes', '--starter', 'AT', '--apply', ...db]);
    expect(item).toMatchObject({ country: 'AT', taxes: { scope: 'destination', rates: { length: 27 } } });
    expect((await commerceJson(['settings', 'taxes', ...db])).item.taxes).toEqual(item.taxes);
    const refused = await commerce(['settings', 'taxes', '--starter', 'US', ...db]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('no rates are known for "US"') });
    expect(await commerce(['settings', 'taxes', '--apply', ...db])).toMatchObject({ code: 2 });
    await commerceJson(['settings', 'update', '--clear', 'taxes', ...db]);
  });

  it('creates, lists, shows, changes and deletes discounts by their code', async () => {
    const create = words('discounts create --code WELCOME10 --type percent --value 10 --usage-limit 3');
    const { item } = await commerceJson([...create, ...db]);
    expect(item).toMatchObject({ code: 'WELCOME10', value: '10', usageLimit: 3, used: 0 });
    expect(await commerce([...create, ...db])).toMatchObject({ code: 1, stderr: expect.stringContaining('WELCOME10') });
    expect((await commerce(['discounts', 'list', ...db])).stdout).toMatch(/WELCOME10 +10 % .*0 of 3/);
    const update = ['discounts', 'update', 'welcome10', '--value', '15', '--clear', 'usageLimit'];
    expect(await commerceJson([...update, ...db])).toMatchObject({ item: { value: '15', usageLimit: null } });
    expect(await commerceJson(['discounts', 'show', 'Welcome10', ...db])).toMatchObject({ item: { id: item.id } });
    expect(await commerceJson(['discounts', 'delete', 'welcome10', '--yes', ...db])).toEqual({ deleted: item.id });
    expect(await commerceJson(['discounts', 'list', ...db])).toEqual({ items: [], total: 0 });
  });

  it('shows what a cart costs, and what is wrong with it', async () => {
    const product = words('--title Cup --slug cup --sku CUP --price 12.50 --status published');
    await commerceJson(['products', 'create', ...product, ...db]);
    const quote = ['checkouts', 'quote', '--items', 'cup:2', '--country', 'DE'];
    const { item } = await commerceJson([...quote, '--shipping-method', 'post', ...db]);
    expect(item).toMatchObject({
      lines: [{ sku: 'CUP', quantity: 2, total: '25.00' }],
      shipping: '4.90',
      tax: '4.77',
      total: '29.90',
      problems: [{ code: 'PAYMENT_METHOD_NOT_OFFERED' }],
    });
    const { stdout } = await commerce([...quote, '--discount-code', 'NONE', ...db]);
    expect(stdout).toMatch(/total +25\.00 EUR/);
    expect(stdout).toMatch(/SHIPPING_METHOD_REQUIRED +shippingMethodId: is required/);
    expect(stdout).toMatch(/DISCOUNT_UNKNOWN +discountCode: no discount "NONE"/);
    expect(await commerce(['checkouts', 'quote', '--items', 'CUP:1', '--country', 'Germany', ...db])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('country'),
    });
  });

  it('reserves stock for an order, and notes its parcel', async () => {
    const product = words('--title Mug --slug mug --sku MUG --price 0 --track-stock --stock 1');
    await commerceJson(['products', 'create', ...product, '--status', 'published', ...db]);
    const order = ['orders', 'create', '--items', 'MUG:1', '--shipping-method-id', 'post', '--reserve-minutes', '60'];
    const { item } = await commerceJson([...order, ...db]);
    expect(item).toMatchObject({ shipping: '4.90', tax: '0.78', total: '4.90', shippingMethod: { id: 'post' } });
    expect(item.reservedUntil).toMatch(/^20/);
    expect(await commerce([...order, ...db])).toMatchObject({ code: 1, stderr: expect.stringContaining('0 in stock') });
    await commerceJson(['stores', 'update', 'Tea', '--manual-payments', ...db]);
    const record = ['payments', 'record', '--order', item.orderNumber, '--method', 'transfer', '--amount', '4.90'];
    await commerceJson([...record, ...db]);
    const fulfil = ['orders', 'fulfil', item.orderNumber, '--carrier', 'DHL', '--tracking-number', '0034'];
    expect(await commerceJson([...fulfil, ...db])).toMatchObject({
      item: { status: 'fulfilled', reservedUntil: null, tracking: { carrier: 'DHL', number: '0034', url: null } },
    });
    const { stdout } = await commerce(['orders', 'show', item.orderNumber, ...db]);
    expect(stdout).toMatch(/1 × MUG +DHL 0034/);
    expect(stdout).toMatch(/shipping +4\.90 Post/);
    expect(stdout).toMatch(/tax +0\.78 \(contained\)/);
    expect(await commerce([...fulfil.slice(0, 3), '--tracking-url', 'no', ...db])).toMatchObject({
      stderr: expect.stringContaining('--tracking-url'),
    });
  });

  it('lists, shows, matches and closes withdrawals, which buyers send', async () => {
    const opened = await openCommerce({ storage: openStorage(database.address) });
    const { items } = await listStores(opened.engine);
    const shop = await opened.store(items[0]?.id ?? '');
    const { id } = await createWithdrawal(shop, { name: 'Ada', email: 'ada@shop.test', orderNumber: 'my mug' });
    const order = await createOrder(shop, { items: [{ sku: 'CUP', quantity: 1 }] });
    await opened.close();
    const beginning = id.slice(0, 18);
    expect((await commerce(['withdrawals', 'list', ...db])).stdout).toMatch(/received +my mug +Ada +20\d\d/);
    expect((await commerce(['withdrawals', 'show', beginning, ...db])).stdout).toMatch(/email +ada@shop\.test/);
    const match = ['withdrawals', 'match', beginning, order.orderNumber, '--note', 'by phone'];
    expect(await commerceJson([...match, ...db])).toMatchObject({
      item: { id, status: 'matched', orderId: order.id, merchantNote: 'by phone' },
    });
    expect(await commerce(['withdrawals', 'match', id, 'ORD-9', ...db])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no order "ORD-9"'),
    });
    expect((await commerceJson(['withdrawals', 'list', '--order', order.orderNumber, ...db])).total).toBe(1);
    expect(await commerceJson(['withdrawals', 'close', id, ...db])).toMatchObject({
      item: { status: 'closed', merchantNote: 'by phone' },
    });
    expect((await commerceJson(['withdrawals', 'list', '--status', 'matched', ...db])).total).toBe(0);
  });

  it('ends the links to orders, once that is confirmed', async () => {
    const refused = await commerce(['settings', 'rotate-order-links', ...db]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('confirm with --yes') });
    const { item } = await commerceJson(['settings', 'rotate-order-links', '--yes', ...db]);
    expect(await commerceJson(['settings', 'show', ...db])).toEqual({ item });
  });
});
