import type { Context } from '../engine/context.ts';
import type { Invoice } from './fields.ts';
import { getInvoice } from './invoices.ts';
import { readFonts } from './render/fonts.ts';
import { printInvoiceHtml } from './render/html.ts';
import { pageOf } from './render/page.ts';
import { printInvoicePdf } from './render/pdf.ts';

/** A document as a file. */
export interface InvoiceFile {
  /** Such as `INV-2026-0001.pdf`: letters, digits, dots, dashes and underscores. */
  fileName: string;
  bytes: Buffer;
}

/**
 * An invoice or a credit note as a PDF file: tagged, with embedded fonts for Latin, Greek and Cyrillic. Texts in other scripts need the
 * option `invoiceFont` of `openCommerce`.
 * @throws CommerceError `notFound`
 */
export async function invoicePdf(ctx: Context, id: string): Promise<InvoiceFile> {
  return pdfOf(ctx, await getInvoice(ctx, id));
}

/** The PDF file of an invoice that was read. */
export async function pdfOf({ engine }: Pick<Context, 'engine'>, invoice: Invoice): Promise<InvoiceFile> {
  const fonts = await readFonts(engine.invoiceFont);
  const bytes = await printInvoicePdf(pageOf(invoice), fonts, Date.parse(invoice.createdAt));
  return { fileName: fileNameOf(invoice, 'pdf'), bytes };
}

/**
 * An invoice or a credit note as a page that a browser shows and prints. It has no scripts and loads nothing.
 * @throws CommerceError `notFound`
 */
export async function invoiceHtml(ctx: Context, id: string): Promise<string> {
  return printInvoiceHtml(pageOf(await getInvoice(ctx, id)));
}

/** A number as the name of a file that every system can store. */
export function fileNameOf({ number }: Pick<Invoice, 'number'>, ending: string): string {
  const name = number.replace(/[^A-Za-z0-9._-]/g, '-').replace(/^\.+/, '');
  return `${name === '' ? 'invoice' : name}.${ending}`;
}
