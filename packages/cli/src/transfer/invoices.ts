import { CommerceError, type Context, eachInvoice, type Invoice, pdfOf } from '@commerce/core';
import { Zip, ZipPassThrough } from 'fflate';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { refuseDatabase } from '../database-files.ts';
import { csvLine } from '../output/csv.ts';
import { openProgress } from '../progress.ts';
import { writeFile } from './export.ts';

/** Options of `invoices export`. */
export interface InvoiceExportOptions extends DatabaseOptions {
  json?: boolean;
  store?: string;
  from?: string;
  to?: string;
  invoiceFont?: string;
  quiet?: boolean;
}

/** Writes invoices to a file. However many there are, a few are in memory at a time. */
export async function exportInvoices(file: string, options: InvoiceExportOptions): Promise<void> {
  const ending = /\.(zip|csv)$/i.exec(file)?.[1]?.toLowerCase();
  if (!ending) throw new CommerceError('validation', `file: must end in .zip or .csv, not ${JSON.stringify(file)}`);
  refuseDatabase(file, options.db, 'the export');
  const { from, to, invoiceFont, quiet } = options;
  await withCommerce(
    options,
    async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      const progress = await openProgress({ quiet });
      let rows = 0;
      const counted = async function* () {
        for await (const invoice of eachInvoice(shop, { from, to })) {
          progress.update(++rows);
          yield invoice;
        }
      };
      await writeFile(file, ending === 'csv' ? linesOf(counted()) : zipped(filesOf(shop, counted())));
      progress.end();
      process.stdout.write(options.json ? `${JSON.stringify({ file, rows })}\n` : `${rows} invoices in ${file}\n`);
    },
    { invoiceFont },
  );
}

/** Columns of the CSV: one line for each tax of a document, and one for what is not taxed. */
const columns = [
  ...['number', 'kind', 'date', 'supplyDate', 'orderNumber', 'refersTo', 'buyerName', 'buyerCountry', 'buyerVatId'],
  ...['currency', 'total', 'taxCountry', 'taxRegion', 'taxName', 'taxRate', 'base', 'tax'],
];

async function* linesOf(invoices: AsyncIterable<Invoice>): AsyncGenerator<string> {
  yield csvLine(columns);
  for await (const invoice of invoices) {
    const { buyer, taxes, untaxed } = invoice;
    const own = [
      ...[invoice.number, invoice.kind, invoice.date, invoice.supplyDate, invoice.orderNumber],
      ...[invoice.refersTo?.number, buyer.name, buyer.address?.country, buyer.vatId, invoice.currency, invoice.total],
    ];
    for (const { country, region, name, rate, base, amount } of taxes) {
      yield csvLine([...own, country, region, name, rate, base, amount]);
    }
    if (/[1-9]/.test(untaxed)) yield csvLine([...own, null, null, null, null, untaxed, null]);
  }
}

async function* filesOf(shop: Context, invoices: AsyncIterable<Invoice>): AsyncGenerator<FileOfZip> {
  for await (const invoice of invoices) {
    const { fileName, bytes } = await pdfOf(shop, invoice);
    yield { id: invoice.id, fileName, bytes, at: invoice.createdAt };
  }
}

interface FileOfZip {
  id: string;
  fileName: string;
  bytes: Uint8Array;
  /** ISO 8601. */
  at: string;
}

/** What a ZIP without the extension ZIP64 can count: files, and bytes with some left for their list at the end. */
const mostFiles = 65_535;
const mostBytes = 2 ** 32 - 2 ** 25;

/**
 * Files in a ZIP. PDF files are compressed already.
 * @throws CommerceError `validation` if there are more than a ZIP can hold
 */
export async function* zipped(files: AsyncIterable<FileOfZip> | Iterable<FileOfZip>): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, chunk) => {
    failure ??= error;
    if (chunk) ready.push(chunk);
  });
  const names = new Set<string>();
  let written = 0;
  for await (const { id, fileName, bytes, at } of files) {
    written += bytes.length;
    if (names.size === mostFiles || written > mostBytes) {
      const why = `a ZIP holds at most ${mostFiles} invoices or 4 GB: give a shorter time with --from and --to`;
      throw new CommerceError('validation', why);
    }
    // Two numbers can differ in characters that no file name has.
    const name = names.has(fileName) ? `${id}-${fileName}` : fileName;
    names.add(name);
    const entry = new ZipPassThrough(name);
    entry.mtime = at;
    zip.add(entry);
    entry.push(bytes, true);
    if (failure) throw failure;
    const some = ready;
    ready = [];
    yield* some;
  }
  zip.end();
  if (failure) throw failure;
  yield* ready;
}
