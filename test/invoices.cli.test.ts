import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPdf } from '@commerce/test-support/harness/pdf-text';
import { commerce, commerceJson, words } from '@commerce/test-support/harness/processes';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'commerce-invoices-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

forOneStorage('invoices at the command line', 'sqlite', (database) => {
  const db = ['--db', database.address];
  beforeAll(async () => {
    await commerceJson(['init', '--name', 'Tea', '--currency', 'EUR', ...db]);
    const file = join(folder, 'settings.json');
    const seller = { name: 'Tea & Co', address: 'Teichweg 1', email: 'a@tea.example' };
    writeFileSync(file, JSON.stringify({ seller, invoices: { enabled: true } }));
    await commerceJson(['settings', 'update', '--file', file, ...db]);
    await commerceJson([...words('stores update Tea --manual-payments yes'), ...db]);
    await commerceJson([...words('products create --title Mug --slug mug --price 12.50 --status published'), ...db]);
    for (const number of [1001, 1002]) {
      await commerceJson([...words('orders create --items mug:2 --customer ada@shop.test'), ...db]);
      await commerceJson([...words(`payments record --order ORD-${number} --method cash --amount 25.00`), ...db]);
    }
    await commerceJson([...words('orders refund ORD-1001 --amount 1.00'), ...db]);
  });

  it('are listed, shown by number, and issued once', async () => {
    const { items, total } = await commerceJson(['invoices', 'list', '--kind', 'invoice', ...db]);
    expect([items.map(({ number }: { number: string }) => number.slice(-4)), total]).toEqual([['0002', '0001'], 2]);
    const { number } = items[1];
    expect(await commerceJson(['invoices', 'show', number, ...db])).toEqual({ item: items[1] });
    const shown = await commerce(['invoices', 'list', '--order', 'ORD-1001', ...db]);
    expect(shown.stdout).toMatch(/CN-\d{4}-0001.*credit_note.*1\.00 EUR[\s\S]*INV-\d{4}-0001/);
    expect(await commerce(['invoices', 'issue', 'ORD-1001', ...db])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`it has the invoice ${number}`),
    });
    await commerceJson([...words('orders create --items mug:1'), ...db]);
    expect((await commerce(['invoices', 'issue', 'ORD-1003', ...db])).stderr).toContain('neither paid nor placed');
  });

  it('are exported as PDF files in a ZIP, and as CSV', async () => {
    const zip = join(folder, 'all.zip');
    expect((await commerce(['invoices', 'export', zip, ...db])).stdout).toBe(`3 invoices in ${zip}\n`);
    const files = unzipSync(new Uint8Array(readFileSync(zip)));
    expect(Object.keys(files).map((name) => name.replace(/-\d{4}-/, '-'))).toEqual([
      ...['INV-0001.pdf', 'INV-0002.pdf', 'CN-0001.pdf'],
    ]);
    for (const bytes of Object.values(files)) expect(readPdf(bytes).pages[0]).toContain('Tea & Co');
    const csv = join(folder, 'all.csv');
    expect(await commerceJson(['invoices', 'export', csv, ...db])).toEqual({ file: csv, rows: 3 });
    const lines = readFileSync(csv, 'utf8').split('\r\n');
    expect(lines[0]).toMatch(/^number,kind,date,supplyDate,orderNumber,refersTo,/);
    expect(lines).toHaveLength(5);
    expect(lines[3]).toMatch(/^CN-\d{4}-0001,credit_note,.*,ORD-1001,INV-\d{4}-0001,.*,EUR,1\.00,.*,1\.00,0\.00$/);
    const none = await commerce(['invoices', 'export', csv, '--from', '2001-01-01', '--to', '2002-01-01', ...db]);
    expect(none.stdout).toBe(`0 invoices in ${csv}\n`);
    for (const wrong of [['all.txt'], [zip, '--from', 'x'], [zip, '--invoice-font', join(folder, 'none.ttf')]]) {
      expect([1, 2]).toContain((await commerce(['invoices', 'export', ...wrong, ...db])).code);
    }
    expect(readdirSync(folder).sort()).toEqual(['all.csv', 'all.zip', 'settings.json']);
  });
});
