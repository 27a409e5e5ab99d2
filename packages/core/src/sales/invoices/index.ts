// The names that the package exports.
export type {
  Invoice,
  InvoiceCause,
  InvoiceKind,
  InvoiceLine,
  InvoiceQueryInput,
  Kept,
} from '../../invoices/fields.ts';
export {
  eachInvoice,
  getInvoice,
  getInvoiceJson,
  listInvoices,
  listInvoicesJson,
} from '../../invoices/invoices.ts';
export { fileNameOf, type InvoiceFile, invoiceHtml, invoicePdf, pdfOf } from '../../invoices/print.ts';
export { forgetOldInvoices } from '../../invoices/retention.ts';
export { invoicePdfByToken } from './by-token.ts';
export { issueInvoice } from './issue.ts';
