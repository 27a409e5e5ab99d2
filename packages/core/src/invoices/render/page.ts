import { formatMoney, minorOf } from '../../kernel/money.ts';
import { lineOf, linesOf } from '../../mail/letters/clean.ts';
import { type Format, formatOf } from '../../mail/letters/format.ts';
import type { Words } from '../../mail/letters/words/words.ts';
import { addressLines } from '../../orders/address-lines.ts';
import type { Invoice, InvoiceLine } from '../fields.ts';
import { type InvoiceWords, invoiceWordingFor } from '../words.ts';

/** A line of the table. */
export interface PageRow {
  title: string;
  /** Lines below the title: variant, SKU, discount. */
  details: string[];
  quantity: string;
  netUnitPrice: string;
  taxRate: string;
  amount: string;
}

/** What an invoice says, in the order in which it says it. All texts are written out; the PDF and the page for browsers print the same. */
export interface InvoicePage {
  /** ISO 639 or BCP 47. */
  language: string;
  direction: 'ltr' | 'rtl';
  colon: string;
  /** The title of the file. */
  title: string;
  heading: string;
  seller: { name: string; lines: string[] };
  buyer: { label: string; lines: string[] };
  facts: { label: string; value: string }[];
  intro: string[];
  table: {
    heads: [item: string, quantity: string, netUnitPrice: string, taxRate: string, amount: string];
    rows: PageRow[];
  };
  sums: { label: string; value: string; isTotal: boolean }[];
  taxes: {
    heads: [string, string, string, string];
    rows: [rate: string, net: string, tax: string, gross: string][];
  } | null;
  notes: string[];
  /** How a page says its number. */
  pageOf(number: number, of: number): string;
}

const maxLine = 500;
const maxText = 2000;
const maxOption = 600;

interface Sources {
  invoice: Invoice;
  words: Words;
  own: InvoiceWords;
  format: Format;
}

/** Writes an invoice out in its language. */
export function pageOf(invoice: Invoice): InvoicePage {
  const { language, locale, words, own } = invoiceWordingFor(invoice.locale);
  const format = formatOf(locale, { timeZone: 'UTC', order: invoice });
  const sources: Sources = { invoice, words, own, format };
  const heading = invoice.kind === 'invoice' ? own.invoice : own.creditNote;
  return {
    language,
    direction: words.direction,
    colon: words.colon,
    title: line(`${heading} ${invoice.number}`),
    heading,
    seller: sellerOf(sources),
    buyer: { label: own.billTo, lines: buyerLines(sources, locale) },
    facts: factsOf(sources),
    intro: introOf(sources),
    table: {
      heads: [
        own.item,
        words.goods.quantity,
        own.netUnitPrice,
        own.taxRate,
        invoice.taxIncluded ? own.amountWithTax : own.amountWithoutTax,
      ],
      rows: invoice.lines.map((one) => rowOf(sources, one, locale)),
    },
    sums: sumsOf(sources),
    taxes: taxesOf(sources),
    notes: invoice.notes.map((note) => linesOf(note, maxText)),
    pageOf: (number, of) => own.page(format.count(number), format.count(of)),
  };
}

function line(text: string): string {
  return lineOf(text, maxLine);
}

function sellerOf({ invoice: { seller }, words, own }: Sources): InvoicePage['seller'] {
  const labelled = (label: string, value: string | null) => (value ? [`${label}${words.colon} ${line(value)}`] : []);
  return {
    name: line(seller.name ?? ''),
    lines: [
      ...linesOf(seller.address ?? '', maxText).split('\n'),
      ...(seller.email ? [line(seller.email)] : []),
      ...(seller.phone ? [line(seller.phone)] : []),
      ...labelled(words.labels.vatId, seller.vatId),
      ...labelled(own.taxNumber, seller.taxNumber),
      ...(seller.registration ? [line(seller.registration)] : []),
    ].filter((text) => text !== ''),
  };
}

function buyerLines({ invoice: { buyer }, words }: Sources, locale: string): string[] {
  const address = buyer.address ? addressLines(buyer.address, locale, null).map(line) : [];
  const name = buyer.name === null ? null : line(buyer.name);
  return [
    ...(name !== null && !address.includes(name) ? [name] : []),
    ...address,
    ...(buyer.email === null ? [] : [line(buyer.email)]),
    ...(buyer.vatId === null ? [] : [`${words.labels.vatId}${words.colon} ${line(buyer.vatId)}`]),
  ];
}

/** The day of a date, which has no zone. */
function dayOf({ format }: Sources, date: string): string {
  return format.day(`${date}T00:00:00Z`);
}

function factsOf(sources: Sources): InvoicePage['facts'] {
  const { invoice, words, own } = sources;
  return [
    { label: own.number, value: line(invoice.number) },
    { label: own.date, value: dayOf(sources, invoice.date) },
    ...(invoice.kind === 'invoice' ? [{ label: own.supplyDate, value: dayOf(sources, invoice.supplyDate) }] : []),
    { label: words.labels.orderNumber, value: line(invoice.orderNumber) },
  ];
}

function introOf(sources: Sources): string[] {
  const { invoice, own, words } = sources;
  const { refersTo, kind, cause, reason } = invoice;
  const says = kind === 'credit_note' ? own.refersToInvoice : own.refersToCreditNote;
  return [
    ...(refersTo ? [says(line(refersTo.number), dayOf(sources, refersTo.date))] : []),
    ...(cause === 'cancellation' ? [own.cancelled] : []),
    ...(reason ? [`${own.reason}${words.colon} ${line(reason)}`] : []),
  ];
}

function rowOf({ invoice, words, own, format }: Sources, one: InvoiceLine, locale: string): PageRow {
  const isReduced = minorOf(one.discount) > 0n;
  return {
    title: line(one.title),
    details: [
      ...(one.variant ? [line(one.variant)] : []),
      ...Object.entries(one.options).map(([name, text]) => lineOf(`${name}${words.colon} ${text}`, maxOption)),
      ...(one.sku ? [words.goods.sku(line(one.sku))] : []),
      ...(isReduced ? [own.lineDiscount(format.amount(one.discount))] : []),
    ],
    quantity: format.count(one.quantity),
    netUnitPrice: one.netUnitPrice === null ? '' : exactPrice(locale, invoice, one.netUnitPrice),
    taxRate: one.taxRate === null ? '' : format.percent(one.taxRate),
    amount: format.amount(one.total),
  };
}

/** A price with up to four decimals. */
function exactPrice(locale: string, { currency, decimals }: Invoice, price: string): string {
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: Math.max(4, decimals) };
  return new Intl.NumberFormat(locale, { style: 'currency', currency, ...digits }).format(
    price as Intl.StringNumericLiteral,
  );
}

function sumsOf(sources: Sources): InvoicePage['sums'] {
  const { invoice, words, own, format } = sources;
  const { subtotal, discount, shipping, taxIncluded, taxes, total, kind } = invoice;
  const sum = (label: string, value: string) => ({ label, value, isTotal: false });
  const isZero = (amount: string) => minorOf(amount) === 0n;
  return [
    sum(words.totals.subtotal, format.amount(subtotal)),
    ...(isZero(discount)
      ? []
      : [sum(line(words.totals.discount(invoice.discountCode)), format.amount(`-${discount}`))]),
    ...(isZero(shipping) && invoice.shippingMethod === null
      ? []
      : [sum(line(words.totals.shipping(invoice.shippingMethod)), format.amount(shipping))]),
    ...(taxIncluded ? [] : taxes.map((tax) => sum(taxName(sources, tax), format.amount(tax.amount)))),
    { label: kind === 'invoice' ? words.totals.total : own.credited, value: format.amount(total), isTotal: true },
  ];
}

/** "VAT 19 % (DE)". */
function taxName({ own, format }: Sources, { name, rate, country, region }: Invoice['taxes'][number]): string {
  const place = country === null ? '' : ` (${region === null ? country : `${country}-${region}`})`;
  return line(`${name ?? own.tax} ${format.percent(rate)}${place}`);
}

function taxesOf(sources: Sources): InvoicePage['taxes'] {
  const { invoice, own, format } = sources;
  const { taxes, untaxed, decimals } = invoice;
  const rows = taxes.map((tax): [string, string, string, string] => {
    const gross = formatMoney(minorOf(tax.base) + minorOf(tax.amount), decimals);
    return [taxName(sources, tax), format.amount(tax.base), format.amount(tax.amount), format.amount(gross)];
  });
  if (minorOf(untaxed) > 0n) rows.push([own.untaxed, format.amount(untaxed), '–', format.amount(untaxed)]);
  return rows.length === 0 ? null : { heads: [own.taxRate, own.net, own.tax, own.gross], rows };
}

const emptyRow = { title: '', quantity: '', netUnitPrice: '', taxRate: '', amount: '' };

/** The row as one or several that fit: what a buyer wrote into a line can be longer than a page. */
export function partsOf(row: PageRow, fits: (part: PageRow) => boolean): [PageRow, ...PageRow[]] {
  if (fits(row)) return [row];
  let last: PageRow = { ...row, details: [] };
  const parts: [PageRow, ...PageRow[]] = [last];
  for (const detail of row.details) {
    if (!fits({ ...last, details: [...last.details, detail] })) {
      last = { ...emptyRow, details: [] };
      parts.push(last);
    }
    last.details.push(detail);
  }
  return parts;
}
