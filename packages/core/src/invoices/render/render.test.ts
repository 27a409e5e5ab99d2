import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readPdf } from '@commerce/test-support/harness/pdf-text';
import { describe, expect, it } from 'vitest';
import type { Invoice, InvoiceLine } from '../fields.ts';
import { invoiceWordingFor } from '../words.ts';
import { checkFont, inBuiltIn, isBuiltIn, readFonts } from './fonts.ts';
import { printInvoiceHtml } from './html.ts';
import { pageOf } from './page.ts';
import { printInvoicePdf } from './pdf.ts';

const line = (changes: Partial<InvoiceLine> = {}): InvoiceLine => ({
  ...{ itemId: 'x', title: 'Blue mug', variant: null, sku: 'MUG', quantity: 2, netUnitPrice: '10.5042' },
  options: {},
  ...{ taxRate: '0.19', discount: '0.00', total: '25.00' },
  ...changes,
});
const tax = (rate: string, base: string, amount: string) => ({
  ...{ country: 'DE', region: null, name: 'VAT', rate, base, amount },
});
const address = {
  ...{ firstName: 'Ada', lastName: 'Lovelace', address1: 'Am Markt 1', address2: null, city: 'Berlin' },
  ...{ region: null, postalCode: '10115', country: 'DE', company: null, phone: null },
};

const invoice = (changes: Partial<Invoice> = {}): Invoice => ({
  ...{ id: 'a', storeId: 's', kind: 'invoice', number: 'INV-2026-0001', cause: 'order', orderId: 'o' },
  ...{ orderNumber: 'ORD-1001', refersTo: null, refundId: null, reason: null, date: '2026-11-20' },
  ...{ supplyDate: '2026-11-21', locale: 'en', currency: 'EUR', decimals: 2 },
  seller: {
    ...{ name: 'Tea & Co Ltd', address: '12 St James Square\nLondon', email: 'hello@shop.test', phone: null },
    ...{ vatId: 'DE123456788', taxNumber: '12/345/67890', registration: null },
  },
  buyer: { name: 'Ada Lovelace', email: 'ada@shop.test', vatId: 'ATU12345675', address },
  lines: [
    line(),
    line({ title: 'A book', sku: null, quantity: 1, netUnitPrice: '10.0000', taxRate: '0.07', total: '10.70' }),
    line({
      title: 'Stamp',
      sku: null,
      quantity: 1,
      netUnitPrice: '1.0000',
      taxRate: '0',
      total: '0.50',
      discount: '0.50',
    }),
  ],
  ...{ taxIncluded: true, subtotal: '36.20', discount: '3.00', discountCode: 'SAVE', shipping: '4.99' },
  shippingMethod: 'Standard',
  taxes: [tax('0.19', '23.04', '4.38'), tax('0.07', '9.30', '0.65'), tax('0', '0.82', '0.00')],
  ...{ tax: '5.03', untaxed: '0.00', total: '38.19', exemption: null, notes: ['Thank you.'] },
  createdAt: '2026-11-20T12:00:00.000Z',
  ...changes,
});

async function pdf(changes: Partial<Invoice> = {}) {
  const one = invoice(changes);
  const bytes = await printInvoicePdf(pageOf(one), await readFonts(undefined), Date.parse(one.createdAt));
  return { bytes, ...readPdf(bytes) };
}

describe('the PDF of an invoice', () => {
  it('says what the law asks for, with amounts per rate', async () => {
    const { pages } = await pdf();
    expect(pages).toHaveLength(1);
    for (const text of [
      ...['Invoice', 'INV-2026-0001', 'November 20, 2026', 'November 21, 2026', 'ORD-1001', 'Tea & Co Ltd', 'London'],
      ...['VAT ID: DE123456788', 'Tax number: 12/345/67890', 'Ada Lovelace', '10115 Berlin', 'Germany'],
      ...['VAT ID: ATU12345675', 'Blue mug', 'SKU MUG', '\u20ac10.5042', '19%', 'less a discount of \u20ac0.50'],
      ...[
        'Discount (SAVE)',
        '-\u20ac3.00',
        'Delivery (Standard)',
        '\u20ac38.19',
        'VAT 19% (DE)',
        '\u20ac23.04',
        '\u20ac4.38',
      ],
      ...['VAT 7% (DE)', '\u20ac9.30', 'VAT 0% (DE)', 'Thank you.', 'Page 1 of 1'],
    ])
      expect(pages[0]?.split('\n')).toContain(text);
  });

  it('is tagged, has its fonts in it, and is the same each time', async () => {
    const { bytes, fonts, structure, source } = await pdf();
    expect(fonts.map(({ name }) => name.slice(7)).sort()).toEqual(['NotoSans-Bold', 'NotoSans-Regular']);
    expect(fonts.every(({ isEmbedded }) => isEmbedded)).toBe(true);
    expect(structure.filter((type) => type === 'TR')).toHaveLength(4 + 4 + 4);
    for (const type of ['Document', 'H1', 'Table', 'TH', 'TD', 'P']) expect(structure).toContain(type);
    for (const fact of ['/Marked true', '/Lang (en)', '/DisplayDocTitle true']) expect(source).toContain(fact);
    expect(source).not.toMatch(/\/JavaScript|\/AcroForm|\/URI|\/Launch/);
    expect(bytes.equals((await pdf()).bytes)).toBe(true);
  });

  it('writes Polish, Greek and Cyrillic, in the language of the invoice', async () => {
    const texts = ['Filiżanka „Łąka” źdźbło', 'Ελληνικό τσάι, Ταΰγετος', 'Кружка синяя «Чай», объём'];
    const { pages } = await pdf({ locale: 'pl-PL', lines: texts.map((title) => line({ title })) });
    for (const text of ['Faktura', 'Nabywca', ...texts]) expect(pages[0]?.split('\n').join(' ')).toContain(text);
  });

  it('runs over pages, each with the heads of the table and its number', async () => {
    const lines = Array.from({ length: 60 }, (_, i) =>
      line({ title: i % 7 === 0 ? 'averylongnamewithoutanyblank'.repeat(8) : `Product ${i}`, variant: 'Large' }),
    );
    const { pages, structure } = await pdf({ lines });
    expect(pages.length).toBeGreaterThan(3);
    for (const [i, page] of pages.entries()) expect(page.split('\n')).toContain(`Page ${i + 1} of ${pages.length}`);
    expect(pages.slice(0, -1).every((page) => page.includes('Amount with tax'))).toBe(true);
    // What is repeated is no content.
    expect(structure.filter((type) => type === 'TR')).toHaveLength(61 + 4 + 4);
  });

  it('continues a line on the next page if a buyer wrote more into it than a page holds', async () => {
    const options = Object.fromEntries(
      Array.from({ length: 10 }, (_, i) => [`Option ${i}`, `${'W'.repeat(480)}end${i}`]),
    );
    const { pages, structure } = await pdf({
      lines: [line({ title: 'First' }), line({ title: 'Long', options, total: '77.00' }), line({ title: 'Last' })],
    });
    const texts = pages.map((page) => page.split('\n'));
    const pageWith = (text: string) => texts.flatMap((lines, i) => (lines.includes(text) ? [i] : []));
    expect(pageWith('\u20ac77.00')).toEqual(pageWith('Long'));
    expect(pageWith('Amount with tax')).toEqual(Array.from({ length: (pageWith('Last')[0] ?? 0) + 1 }, (_, i) => i));
    expect(pages.join('').replaceAll('\n', '')).toMatch(/end0.*end1.*end2.*end3.*end4.*end5.*end6.*end7.*end8.*end9/);
    // No page is left empty, or nearly so.
    expect(Math.min(...texts.slice(0, -1).map((lines) => lines.length))).toBeGreaterThan(12);
    expect(structure.filter((type) => type === 'TR').length).toBeGreaterThan(12);
  });

  it('of a credit note names the invoice and the reason, and of untaxed shipping says so', async () => {
    const { pages } = await pdf({
      ...{
        kind: 'credit_note',
        number: 'CN-2026-0001',
        cause: 'refund',
        reason: 'a page was missing',
        untaxed: '4.99',
      },
      refersTo: { id: 'b', number: 'INV-2026-0001', date: '2026-11-19' },
    });
    for (const text of [
      ...['Credit note', 'Credit note for invoice INV-2026-0001 of November 19, 2026.', 'Reason: a page was missing'],
      ...['Amount credited', 'not taxed'],
    ])
      expect(pages[0]?.split('\n')).toContain(text);
    const cancelled = await pdf({
      cause: 'cancellation',
      taxIncluded: false,
      currency: 'JPY',
      decimals: 0,
      locale: 'de',
    });
    expect(cancelled.pages[0]).toContain('Die Bestellung wurde storniert.');
  });

  it('takes another font for other scripts', async () => {
    expect(isBuiltIn('Ελλάδα, Łódź, Київ: 5 €')).toBe(true);
    expect(isBuiltIn('青い杯')).toBe(false);
    const fonts = await readFonts(undefined);
    const bytes = await printInvoicePdf(pageOf(invoice({ lines: [line({ title: '青い杯' })] })), fonts, 0);
    // Without one, a reader sees that something is missing.
    expect(readPdf(bytes).pages[0]?.split('\n')).toContain('???');
    expect(inBuiltIn('Mug 🎁 – 2 杯, 5 €')).toBe('Mug  – 2 ?, 5 €');
    const other = { ...fonts, other: fonts.bold };
    const third = await printInvoicePdf(pageOf(invoice({ lines: [line({ title: '青い杯' })] })), other, 0);
    expect(readPdf(third).fonts.length).toBeGreaterThanOrEqual(2);
  });

  it('refuses a path that is no font', async () => {
    await checkFont(undefined);
    await checkFont(fileURLToPath(new URL('./fonts/NotoSans-Bold.ttf', import.meta.url)));
    const other = fileURLToPath(import.meta.url);
    for (const path of [`${other}.ttf`, dirname(other), other]) {
      const error: unknown = await checkFont(path).catch((thrown) => thrown);
      expect(error).toMatchObject({ kind: 'validation', details: [{ field: 'invoiceFont' }] });
      expect(String(error)).toContain(JSON.stringify(path));
    }
  });

  it('has the heads of its table on the page of the first line', async () => {
    const first = new Set<number>();
    for (let floors = 28; floors < 44; floors++) {
      const address = Array.from({ length: floors }, (_, i) => `Floor ${i}`).join('\n');
      const { pages } = await pdf({ seller: { ...invoice().seller, address } });
      const texts = pages.map((page) => page.split('\n'));
      const page = texts.findIndex((lines) => lines.includes('Item'));
      expect([floors, texts[page]?.includes('Blue mug')]).toEqual([floors, true]);
      first.add(page);
    }
    expect([...first]).toEqual([0, 1]);
  });

  it('has no characters that reorder or hide others', async () => {
    const { pages } = await pdf({ lines: [line({ title: 'a\u202eb\u0000c\nd' })] });
    expect(pages[0]).toContain('ab c d');
  });
});

describe('the page of an invoice', () => {
  it('says the same as the PDF, escaped, and loads nothing', async () => {
    const one = invoice({
      lines: [line({ title: '<img src=x onerror=alert(1)> & "co"', options: { '<i>': '"a"' } })],
      notes: ['<b>x</b>\ny'],
    });
    const html = printInvoiceHtml(pageOf(one));
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;co&quot;');
    expect(html).toContain('&lt;i&gt;: &quot;a&quot;');
    expect(html).toContain('&lt;b&gt;x&lt;/b&gt;<br>y');
    expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
    expect(html).not.toMatch(/<(?:img|script|link|iframe)|src=(?!x)|url\(|@import/);
    for (const text of ['INV-2026-0001', 'November 20, 2026', 'VAT 19% (DE)', '€23.04', 'Ada Lovelace']) {
      expect(html).toContain(text);
    }
  });

  it('has words in all languages of the letters', () => {
    const keys = Object.keys(invoiceWordingFor('en').own).sort();
    for (const tag of ['de', 'fr', 'nl', 'es', 'it', 'pl']) {
      const { own, language } = invoiceWordingFor(tag);
      expect([language, Object.keys(own).sort()]).toEqual([tag, keys]);
      for (const reason of Object.values(own.exempt).slice(0, 3)) expect(reason).toMatch(/2006\/112\/(?:EC|EG|CE|WE)/);
    }
    expect(invoiceWordingFor('ja').own.invoice).toBe('Invoice');
  });
});
