import type { Context } from '../../engine/context.ts';
import { invoicesOfOrder } from '../../invoices/invoices.ts';
import { type InvoiceFile, pdfOf } from '../../invoices/print.ts';
import { notFound } from '../../kernel/errors.ts';
import { reading } from '../../storage/run.ts';
import { orderIdOfToken, readOrderOfBuyer } from '../orders/by-token.ts';

/**
 * An invoice or a credit note of the order that the token of a link opens, as a PDF file.
 * @param token is a secret: it belongs in no path, no log and no message
 * @throws CommerceError `notFound`, the same for a wrong, ended or replaced token, an order whose buyer was anonymised, and an invoice of
 * another order
 */
export async function invoicePdfByToken(ctx: Context, id: string, token: string | undefined): Promise<InvoiceFile> {
  const orderId = await orderIdOfToken(ctx, token ?? '');
  const documents = await reading(ctx.engine.storage, async (db) => {
    await readOrderOfBuyer(db, ctx.store.id, orderId);
    return invoicesOfOrder(db, ctx.store.id, orderId);
  });
  const invoice = documents.find((one) => one.id === id);
  if (!invoice) throw notFound('invoice', id);
  return pdfOf(ctx, invoice);
}
