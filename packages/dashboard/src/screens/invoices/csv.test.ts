import { expect, it } from 'vitest';
import { invoiceRows } from './csv.ts';

type Invoice = Parameters<typeof invoiceRows>[0][number];

const tax = { region: null, name: 'VAT', class: 'standard' };

const invoice = {
  number: 'INV-1',
  kind: 'invoice',
  date: '2026-11-26',
  orderNumber: 'ORD-1001',
  refersTo: null,
  buyer: { name: null, email: 'ada@shop.test', vatId: null, address: { country: 'DE' } },
  currency: 'EUR',
  total: '158.00',
  taxes: [
    { ...tax, country: 'DE', rate: '0.19', base: '100.00', amount: '19.00' },
    { ...tax, country: null, name: null, rate: '0.075', base: '20.00', amount: '1.50' },
  ],
  untaxed: '17.50',
} as unknown as Invoice;

it('an invoice has a row for each rate, and one for what is not taxed', () => {
  const note = {
    ...invoice,
    number: 'CN-1',
    kind: 'credit_note',
    refersTo: { id: '', number: 'INV-1', date: '' },
    untaxed: '0.00',
  } as Invoice;
  const [heading, ...rows] = invoiceRows([invoice, { ...note, taxes: note.taxes.slice(0, 1) }]);
  expect(heading?.slice(0, 5)).toEqual(['Number', 'Kind', 'Date', 'Order', 'Refers to']);
  const who = ['ada@shop.test', 'DE', '', 'EUR', '158.00'];
  const first = ['INV-1', 'Invoice', '2026-11-26', 'ORD-1001', '', ...who];
  expect(rows).toEqual([
    [...first, 'DE', 'VAT', '19', '100.00', '19.00'],
    [...first, '', '', '7.5', '20.00', '1.50'],
    [...first, '', '', '', '17.50', ''],
    ['CN-1', 'Credit note', '2026-11-26', 'ORD-1001', 'INV-1', ...who, 'DE', 'VAT', '19', '100.00', '19.00'],
  ]);
  for (const row of rows) expect(row.length).toBe(heading?.length);
});
