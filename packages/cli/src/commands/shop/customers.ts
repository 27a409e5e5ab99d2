import {
  anonymiseCustomer,
  type Customer,
  createCustomer,
  customerSorts,
  deleteCustomer,
  getCustomer,
  type Kept,
  listCustomers,
  updateCustomer,
} from '@commerce/core';
import type { Command } from 'commander';
import { addressLines } from '../../output/address.ts';
import { pairs } from '../../output/print.ts';
import { metadataFilter, tagFilter } from '../../resource/filters.ts';
import { destructiveCommand, type Resource, resourceCommand } from '../../resource/resource.ts';

const customers: Resource<Customer> = {
  kind: 'customer',
  noun: 'customer',
  names: 'the id or e-mail',
  listing: {
    item: 'Customer',
    filters: {
      email: { flags: '--email <e-mail>', description: 'only the customer with this e-mail' },
      search: { flags: '--search <text>', description: 'only customers whose e-mail, name or phone contains this' },
      ...tagFilter,
      ...metadataFilter,
      sort: { flags: '--order <order>', description: `order of the list: ${customerSorts.join(', ')}` },
    },
    columns: {
      id: (customer) => customer.id,
      email: (customer) => customer.email,
      name: (customer) => customer.name,
      orders: (customer) => customer.orderCount,
      spent: (customer) => customer.totalSpent,
      created: (customer) => customer.createdAt,
    },
    read: listCustomers,
  },
  title: (customer) => customer.email,
  show: getCustomer,
  describe,
  create: { schema: 'CustomerInput', run: createCustomer },
  update: { schema: 'CustomerChanges', run: updateCustomer },
  delete: deleteCustomer,
  texts: { list: 'list the customers of a store, newest first' },
  examples: {
    list: ['customers list --search lovelace', 'customers list --order -spent --csv'],
    show: ['customers show ada@shop.test', 'customers show ada@shop.test --json'],
    create: ['customers create --email ada@shop.test --name "Ada Lovelace"', 'customers create --file ada.json'],
    update: [
      'customers update ada@shop.test --marketing-opt-in',
      'customers update ada@shop.test --phone "+44 20 7946 0958" --clear name',
    ],
    delete: ['customers delete ada@shop.test', 'customers delete ada@shop.test --yes'],
  },
};

export const customerFilters = customers.listing.filters;

export function customersCommand(): Command {
  return resourceCommand(
    'customers',
    'list, show, create, change, delete and anonymise customers',
    customers,
  ).addCommand(
    destructiveCommand(
      'anonymise',
      'erase the personal data of a customer; orders are kept; cannot be undone',
      ['customers anonymise ada@shop.test', 'customers anonymise ada@shop.test --yes'],
      customers,
      async (shop, { id }) => {
        const { kept, ...item } = await anonymiseCustomer(shop, id);
        return { item, kept };
      },
      ({ item, kept }: { item: Customer; kept: Kept }) =>
        kept.until === null
          ? describe(item)
          : `${describe(item)}\n\n${kept.invoices} invoices and credit notes are kept until ${kept.until}, as the law asks.`,
    ),
  );
}

function describe(customer: Customer): string {
  const facts = pairs({
    id: customer.id,
    email: customer.email,
    name: customer.name,
    phone: customer.phone,
    'marketing opt in': customer.marketingOptIn ? 'yes' : 'no',
    addresses: customer.addresses.length,
    orders: customer.orderCount,
    'total spent': customer.totalSpent,
    'last order': customer.lastOrderAt,
    created: customer.createdAt,
  });
  const addresses = customer.addresses.map((address) =>
    [`${address.id}${address.isDefault ? '  (default)' : ''}`, ...addressLines(address)].join('\n'),
  );
  return [facts, ...addresses].join('\n\n');
}
