import type { Schemas } from '../../api/types.ts';
import { t } from '../../words/words.ts';
import { percentOf } from '../settings/form/rate.ts';

const { columns, csv } = t.invoices;

/** Rows of a file for the accountant, with a heading: a row for each tax of a document, and one for what is not taxed. */
export function invoiceRows(invoices: readonly Schemas['Invoice'][]): string[][] {
  const rows = [
    [
      ...[
        columns.number,
        columns.kind,
        columns.date,
        columns.order,
        csv.refersTo,
        columns.buyer,
        csv.country,
        csv.vatId,
      ],
      ...[csv.currency, columns.total, csv.taxCountry, csv.taxName, csv.rate, csv.base, csv.tax],
    ],
  ];
  for (const { number, kind, date, orderNumber, refersTo, buyer, currency, total, taxes, untaxed } of invoices) {
    const own = [
      ...[number, t.invoices.kinds[kind], date, orderNumber, refersTo?.number ?? '', buyer.name ?? buyer.email ?? ''],
      ...[buyer.address?.country ?? '', buyer.vatId ?? '', currency, total],
    ];
    for (const { country, name, rate, base, amount } of taxes) {
      rows.push([...own, country ?? '', name ?? '', percentOf(rate), base, amount]);
    }
    if (/[1-9]/.test(untaxed)) rows.push([...own, '', '', '', untaxed, '']);
  }
  return rows;
}
