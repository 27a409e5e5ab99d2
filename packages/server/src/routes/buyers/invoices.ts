import {
  getInvoiceJson,
  invoiceHtml,
  invoicePdf,
  invoicePdfByToken,
  issueInvoice,
  listInvoicesJson,
} from '@commerce/core';
import { file, list, record } from '../answers.ts';
import { type Route, route } from '../router.ts';

const pdf = file('application/pdf');

/** It shows nothing but its own text and styles. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-modals";

/** Invoices and credit notes, which the service writes by itself. */
export const invoiceRoutes: readonly Route[] = [
  route('GET', '/invoices', 'order.read', {
    name: 'listInvoices',
    summary: 'List invoices and credit notes, newest first',
    query: 'InvoiceQuery',
    answer: list('Invoice'),
    run: listInvoicesJson,
  }),
  route('GET', '/invoices/{id}', 'order.read', {
    name: 'getInvoice',
    summary: 'Get an invoice or a credit note',
    answer: record('Invoice'),
    run: getInvoiceJson,
  }),
  route('GET', '/invoices/{id}.pdf', 'order.read', {
    name: 'getInvoicePdf',
    summary: 'Download an invoice or a credit note as PDF',
    description: 'A tagged PDF with embedded fonts, in the language of the order.',
    answer: pdf,
    run: invoicePdf,
  }),
  route('GET', '/invoices/{id}.html', 'order.read', {
    name: 'getInvoiceHtml',
    summary: 'Get an invoice or a credit note as a page that a browser shows and prints',
    answer: file('text/html; charset=utf-8', { 'Content-Security-Policy': policy }),
    run: invoiceHtml,
  }),
  route('POST', '/orders/{id}/invoice', 'order.write', {
    name: 'issueInvoice',
    summary: 'Write the invoice of an order now',
    description:
      'For a paid or a placed order without an open invoice, whatever the settings say. What was refunded before gets its credit notes.',
    errors: ['conflict'],
    answer: record('Invoice', 201),
    run: issueInvoice,
  }),
  route('GET', '/orders/by-token/invoices/{id}.pdf', 'checkout.read', {
    name: 'getInvoiceByToken',
    summary: 'Download an invoice of an order as its buyer, by the token of its link',
    description:
      'A storefront key can ask, too. A wrong, ended or replaced token and an order whose buyer was anonymised have the same response.',
    secretHeader: 'Order-Token',
    answer: pdf,
    run: invoicePdfByToken,
  }),
];
