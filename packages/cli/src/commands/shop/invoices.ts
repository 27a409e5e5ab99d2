import { getInvoice, type Invoice, issueInvoice, listInvoices } from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { invoiceFontOption, newCommand, parseText, storeOption } from '../../input/options.ts';
import { print } from '../../output/print.ts';
import { resolveId } from '../../resolve.ts';
import { describeFields, type Options, type Resource, resourceCommand } from '../../resource/resource.ts';
import type { InvoiceExportOptions } from '../../transfer/invoices.ts';

const invoices: Resource<Invoice> = {
  kind: 'invoice',
  noun: 'invoice',
  names: 'its number or id, or the beginning of the id',
  listing: {
    item: 'Invoice',
    filters: {
      orderId: {
        flags: '--order <order>',
        description: 'only those of this order: its number or id',
        kind: 'order',
      },
      kind: { flags: '--kind <kind>', description: 'only invoices, or only credit notes' },
      number: { flags: '--number <number>', description: 'only the one with this number' },
      from: { flags: '--from <date or time>', description: 'only those issued then or later' },
      to: { flags: '--to <date or time>', description: 'only those issued before then' },
    },
    columns: {
      number: (invoice) => invoice.number,
      kind: (invoice) => invoice.kind,
      date: (invoice) => invoice.date,
      order: (invoice) => invoice.orderNumber,
      buyer: (invoice) => invoice.buyer.name,
      total: (invoice) => `${invoice.total} ${invoice.currency}`,
      id: (invoice) => invoice.id,
    },
    read: listInvoices,
  },
  title: (invoice) => invoice.number,
  show: getInvoice,
  texts: { list: 'list the invoices and credit notes of a store, newest first' },
  examples: {
    list: ['invoices list --order ORD-1001', 'invoices list --kind credit_note --from 2026-10-01 --to 2027-01-01'],
    show: ['invoices show INV-2026-0001', 'invoices show INV-2026-0001 --json'],
  },
};

/** Invoices and credit notes: the service writes them, so they are only listed, issued early and exported here. */
export function invoicesCommand(): Command {
  const issue = newCommand('issue', 'write the invoice of a paid or placed order now', [
    'invoices issue ORD-1001',
    'invoices issue ORD-1001 --json',
  ])
    .argument('<order>', 'its number or id')
    .addOption(storeOption())
    .action((order: string, options: Options) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const item = await issueInvoice(shop, await resolveId(shop, 'order', order));
        print(options, { item }, () => describeFields(item));
      }),
    );
  const all = newCommand('export', 'write invoices and credit notes to a file: PDF files in a ZIP, or a CSV', [
    'invoices export 2026-q4.zip --from 2026-10-01 --to 2027-01-01',
    'invoices export 2026-q4.csv --from 2026-10-01 --to 2027-01-01',
  ])
    .argument('<file>', 'the file, which ends in .zip or .csv')
    .addOption(storeOption())
    .option('--from <date or time>', 'only those issued then or later', parseText)
    .option('--to <date or time>', 'only those issued before then', parseText)
    .addOption(invoiceFontOption())
    .option('--quiet', 'do not show progress')
    .action(async (file: string, options: InvoiceExportOptions) => {
      const { exportInvoices } = await import('../../transfer/invoices.ts');
      await exportInvoices(file, options);
    });
  return resourceCommand('invoices', 'list, show, issue and export invoices and credit notes', invoices)
    .addCommand(issue)
    .addCommand(all);
}
