import type { ExportedResource, ImportedResource } from '@commerce/core';
import type { Command } from 'commander';
import type { Filters } from './resource/filters.ts';

/** A top-level command. Its module is loaded when it is called. */
export interface Group {
  name: string;
  description: string;
  /** @param whole makes the program with every command loaded */
  load(whole: () => Promise<Command>): Promise<Command>;
}

export const groups: readonly Group[] = [
  {
    name: 'serve',
    description: 'start the service; the first start creates a store',
    load: async () => (await import('./commands/serve.ts')).serveCommand(),
  },
  {
    name: 'dashboard',
    description: 'print a link that signs in to the dashboard',
    load: async () => (await import('./commands/dashboard.ts')).dashboardCommand(),
  },
  {
    name: 'open',
    description: 'open the dashboard in the browser on this machine, signed in',
    load: async () => (await import('./commands/dashboard.ts')).openCommand(),
  },
  {
    name: 'init',
    description: 'create a database with a first store and an API key with full access',
    load: async () => (await import('./commands/init.ts')).initCommand(),
  },
  {
    name: 'demo',
    description: 'fill a store with a sample catalogue, customers and a month of orders',
    load: async () => (await import('./commands/demo.ts')).demoCommand(),
  },
  {
    name: 'products',
    description: 'list, show, create, change, delete, import and export products',
    load: async () => {
      const { productsCommand, productFilters } = await import('./commands/shop/products.ts');
      return withTransfer(productsCommand(), 'products', productFilters);
    },
  },
  {
    name: 'categories',
    description: 'list, show, create, change and delete categories',
    load: async () => withTransfer((await import('./commands/shop/categories.ts')).categoriesCommand(), 'categories'),
  },
  {
    name: 'media',
    description: 'upload, list and delete images, and manage their files',
    load: async () => (await import('./commands/shop/media.ts')).mediaCommand(),
  },
  {
    name: 'pages',
    description: 'list, show, create, change and delete pages',
    load: async () => withTransfer((await import('./commands/shop/pages.ts')).pagesCommand(), 'pages'),
  },
  {
    name: 'customers',
    description: 'list, show, create, change, delete and anonymise customers',
    load: async () => {
      const { customersCommand, customerFilters } = await import('./commands/shop/customers.ts');
      return withTransfer(customersCommand(), 'customers', customerFilters);
    },
  },
  {
    name: 'orders',
    description: 'create and show orders, and change their status',
    load: async () => {
      const { ordersCommand, orderExportFilters } = await import('./commands/shop/orders.ts');
      return withExport(ordersCommand(), 'orders', orderExportFilters);
    },
  },
  {
    name: 'checkouts',
    description: 'show what a cart costs',
    load: async () => (await import('./commands/shop/checkouts.ts')).checkoutsCommand(),
  },
  {
    name: 'desk',
    description: 'show the work that waits: orders to send, money to refund, payments to look at',
    load: async () => (await import('./commands/shop/desk.ts')).deskCommand(),
  },
  {
    name: 'statistics',
    description: 'show sales by time, by product and by country',
    load: async () => (await import('./commands/shop/statistics.ts')).statisticsCommand(),
  },
  {
    name: 'payments',
    description: 'set up payment providers, list payments, and assign unmatched payments to orders',
    load: async () => (await import('./commands/shop/payments.ts')).paymentsCommand(),
  },
  {
    name: 'mail',
    description: 'set up the sending of mail, test it, and list, show and resend mails',
    load: async () => (await import('./commands/shop/mail.ts')).mailCommand(),
  },
  {
    name: 'invoices',
    description: 'list, show, issue and export invoices and credit notes',
    load: async () => (await import('./commands/shop/invoices.ts')).invoicesCommand(),
  },
  {
    name: 'withdrawals',
    description: 'list, show, match and close withdrawals from contracts',
    load: async () => (await import('./commands/shop/withdrawals.ts')).withdrawalsCommand(),
  },
  {
    name: 'discounts',
    description: 'list, show, create, change and delete discount codes',
    load: async () => (await import('./commands/shop/discounts.ts')).discountsCommand(),
  },
  {
    name: 'imports',
    description: 'list and stop imports',
    load: async () => (await import('./commands/shop/imports.ts')).importsCommand(),
  },
  {
    name: 'settings',
    description: 'show and change store settings: tax, shipping, return pages, seller',
    load: async () => (await import('./commands/shop/settings.ts')).settingsCommand(),
  },
  {
    name: 'shop',
    description: 'show what pages of the shop must know before they sell',
    load: async () => (await import('./commands/shop/shop.ts')).shopCommand(),
  },
  {
    name: 'feeds',
    description: 'check and write product feeds for search engines and marketplaces, and show their addresses',
    load: async () => (await import('./commands/feeds/feeds.ts')).feedsCommand(),
  },
  {
    name: 'ucp',
    description: 'print what shopping agents need to find a store',
    load: async () => (await import('./commands/feeds/ucp.ts')).ucpCommand(),
  },
  {
    name: 'webhooks',
    description: 'manage subscriptions to events, and their deliveries',
    load: async () => (await import('./commands/webhooks.ts')).webhooksCommand(),
  },
  {
    name: 'stores',
    description: 'create, show and change stores',
    load: async () => (await import('./commands/stores.ts')).storesCommand(),
  },
  {
    name: 'keys',
    description: 'create, list and revoke API keys',
    load: async () => (await import('./commands/keys.ts')).keysCommand(),
  },
  {
    name: 'mcp',
    description: 'answer an assistant over standard input and output (Model Context Protocol)',
    load: async () => (await import('./commands/assistants/mcp.ts')).mcpCommand(),
  },
  {
    name: 'users',
    description: 'invite, list, change and remove the people who sign in to the dashboard',
    load: async () => (await import('./commands/users.ts')).usersCommand(),
  },
  {
    name: 'secrets',
    description: 'encrypt the secrets of payment providers, webhooks and mail servers in the database',
    load: async () => (await import('./commands/secrets.ts')).secretsCommand(),
  },
  {
    name: 'migrate',
    description: 'apply pending migrations to the database',
    load: async () => (await import('./commands/migrate.ts')).migrateCommand(),
  },
  {
    name: 'backup',
    description: 'back up all stores to one file while the service runs',
    load: async () => (await import('./commands/backup.ts')).backupCommand(),
  },
  {
    name: 'restore',
    description: 'restore the stores of a backup into the database',
    load: async () => (await import('./commands/restore.ts')).restoreCommand(),
  },
  {
    name: 'copy',
    description: 'copy all stores into another database',
    load: async () => (await import('./commands/copy.ts')).copyCommand(),
  },
  {
    name: 'doctor',
    description: 'check the database for hidden problems',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  },
  {
    name: 'openapi',
    description: 'print the OpenAPI document of the HTTP API',
    load: async () => (await import('./commands/openapi.ts')).openapiCommand(),
  },
  {
    name: 'completion',
    description: 'print a shell completion script',
    load: async (whole) => (await import('./commands/completion.ts')).completionCommand(whole),
  },
];

async function withExport(group: Command, resource: ExportedResource, filters?: Filters): Promise<Command> {
  return (await import('./commands/shop/export.ts')).addExport(group, resource, filters);
}

async function withTransfer(group: Command, resource: ImportedResource, filters?: Filters): Promise<Command> {
  return withExport((await import('./commands/shop/import.ts')).addImport(group, resource), resource, filters);
}
