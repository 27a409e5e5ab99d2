import { anonymiseCustomer, type Customer, getCustomer, listCustomers } from '@commerce/core';
import { Command } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, parseWindow, storeOption } from '../options.ts';
import { pairs, print, table } from '../print.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

interface ListOptions extends Options {
  email?: string;
  search?: string;
  limit: number;
  offset: number;
}

export function customersCommand(): Command {
  return new Command('customers')
    .description('show customers, and anonymise them on request')
    .addCommand(
      newCommand('list', 'list the customers of a store, newest first')
        .addOption(storeOption())
        .option('--email <e-mail>', 'only the one with this e-mail')
        .option('--search <text>', 'only those whose e-mail, name or phone contains this')
        .option('--limit <n>', 'number of entries, at most 200', parseWindow, 50)
        .option('--offset <n>', 'entries to skip', parseWindow, 0)
        .action((options: ListOptions) =>
          withCommerce(options, async (commerce) => {
            const { email, search, limit, offset } = options;
            const customers = await listCustomers(await storeContext(commerce, options.store), {
              email,
              search,
              limit,
              offset,
            });
            print(options, customers, () =>
              table(customers.items, {
                id: (customer) => customer.id,
                email: (customer) => customer.email,
                name: (customer) => customer.name,
                created: (customer) => customer.createdAt,
              }),
            );
          }),
        ),
    )
    .addCommand(
      newCommand('show', 'show a customer')
        .argument('<id>', 'the customer')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) =>
            printCustomer(options, await getCustomer(await storeContext(commerce, options.store), id)),
          ),
        ),
    )
    .addCommand(
      newCommand('anonymise', 'erase the personal data of a customer on request; orders stay, and it cannot be undone')
        .argument('<id>', 'the customer')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) =>
            printCustomer(options, await anonymiseCustomer(await storeContext(commerce, options.store), id)),
          ),
        ),
    );
}

function printCustomer(options: Options, customer: Customer): void {
  print(options, { item: customer }, () =>
    pairs({
      id: customer.id,
      email: customer.email,
      name: customer.name,
      phone: customer.phone,
      addresses: customer.addresses.length,
      created: customer.createdAt,
    }),
  );
}
