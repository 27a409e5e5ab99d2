import { type Context, getOrder, listOrders, type Order, orderLines, orderSorts } from '@commerce/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { forField } from '../../input/flags.ts';
import { type Item, parseItems } from '../../input/items.ts';
import { type Examples, newCommand, parseText, storeOption } from '../../input/options.ts';
import type { RestockLine } from '../../orders/changes.ts';
import { print } from '../../output/print.ts';
import { resolveId } from '../../resolve.ts';
import { type Filters, metadataFilter, tagFilter } from '../../resource/filters.ts';
import { type Options, type Resource, resourceCommand } from '../../resource/resource.ts';
import { UsageError } from '../../usage-error.ts';

/** Needed to change orders, and so for every command on payments; a list does not need it. */
const changes = () => import('../../orders/changes.ts');
const refunds = () => import('../../orders/refund.ts');

const names = 'its number or id';

const orders: Resource<Order> = {
  kind: 'order',
  noun: 'order',
  names,
  listing: {
    item: 'Order',
    filters: {
      status: { flags: '--status <status>', description: 'only orders with this status' },
      paymentStatus: { flags: '--payment-status <status>', description: 'only orders with this payment status' },
      customerId: {
        flags: '--customer <customer>',
        description: 'only orders of this customer: an id or e-mail',
        kind: 'customer',
      },
      orderNumber: { flags: '--number <ORD-n>', description: 'only the order with this number' },
      search: {
        flags: '--search <text>',
        description:
          'only orders with this text in the number, e-mail, a name, company or postal code, the tracking number, or a title or SKU; one or two characters match the beginning',
      },
      ...tagFilter,
      ...metadataFilter,
      toShip: { flags: '--to-ship', description: 'only orders with pieces left to ship' },
      unpaidOffline: {
        flags: '--unpaid-offline',
        description: 'only unpaid orders to pay without a provider, shipped or not',
      },
      toRefund: { flags: '--to-refund', description: 'only cancelled orders with money to give back' },
      from: {
        flags: '--from <date or time>',
        description: "only orders created from this time on; dates are in the store's time zone",
      },
      to: { flags: '--to <date or time>', description: 'only orders created before' },
      until: { flags: '--until <date or time>', description: 'only orders created up to the end of this day or time' },
      sort: { flags: '--order <order>', description: `order of the list: ${orderSorts.join(', ')}` },
    },
    rareFilters: ['--until', '--to-refund', '--unpaid-offline', '--payment-status', '--metadata'],
    columns: {
      number: (order) => order.orderNumber,
      status: (order) => order.status,
      payment: (order) => order.paymentStatus,
      total: (order) => `${order.total} ${order.currency}`,
      'ship to': (order) =>
        order.shippingAddress && [order.shippingAddress.city, order.shippingAddress.country].filter(Boolean).join(', '),
      items: (order) => order.items.reduce((sum, item) => sum + item.quantity, 0),
      created: (order) => order.createdAt,
      id: (order) => order.id,
    },
    read: (shop, query) => {
      const { orderNumber } = query;
      return listOrders(
        shop,
        typeof orderNumber === 'string' ? { ...query, orderNumber: orderNumber.toUpperCase() } : query,
      );
    },
  },
  title: (order) => order.orderNumber,
  show: getOrder,
  describe: describeOrder,
  create: { schema: 'OrderInput', run: async (shop, input) => (await changes()).createOrder(shop, input) },
  update: { schema: 'OrderChanges', run: async (shop, id, input) => (await changes()).updateOrder(shop, id, input) },
  references: { customerId: 'customer' },
  groups: {
    'Further fields': [
      '--id',
      '--customer-id',
      '--tax-rate',
      '--shipping-method-id',
      '--reserve-minutes',
      '--discount',
      '--billing-address',
      '--customer-note',
    ],
  },
  forms: {
    items: {
      argument: '<product:n>',
      description: 'items by SKU, slug or id with quantity, such as MUG:2,CUP:1; a file can give more details',
      parse: (value) => parseItems(value).map(({ sku, quantity }) => ({ product: sku, quantity })),
    },
    customer: {
      argument: '<e-mail>',
      description: 'the buyer; created as a customer if the e-mail is new',
      parse: (email) => ({ email }),
    },
  },
  texts: {
    list: 'list the orders of a store, newest first',
    show: 'show an order with its items, address, notes, customer, payments and refunds',
    create: 'create a pending order with catalogue prices, to be confirmed by a payment; drafts can be ordered, too',
    update: 'change the merchant note of an order, or its status',
  },
  examples: {
    list: [
      'orders list --status paid --from 2026-11-01',
      'orders list --customer ada@shop.test --sort -total',
      'orders list --search lovelace --payment-status succeeded',
    ],
    show: ['orders show ORD-1001', 'orders show ORD-1001 --json'],
    create: [
      'orders create --items MUG:2,CUP:1 --customer ada@shop.test --shipping 5.00',
      'orders create --file order.json',
    ],
    update: ['orders update ORD-1001 --merchant-note "Gift wrap"', 'orders update ORD-1001 --clear merchantNote'],
  },
};

/** The filters of an export, and what its rows are. */
export const orderExportFilters: Filters = {
  ...orders.listing.filters,
  lines: {
    flags: '--lines <rows>',
    description: 'with items, a CSV file has a row for each line of an order',
    choices: orderLines,
  },
};

export function ordersCommand(): Command {
  const group = resourceCommand('orders', 'create and show orders, and change their status', orders);
  const fulfil = orderCommand(
    'fulfil',
    'ship all that is left of an order, in one parcel',
    ['orders fulfil ORD-1001', 'orders fulfil ORD-1001 --carrier DHL --tracking-number 00340434161094042557'],
    async (shop, id, options: Options & TrackingOptions) =>
      (await changes()).updateOrder(shop, id, { status: 'fulfilled', ...trackingOf(options) }),
  );
  addTracking(fulfil);
  const cancel = orderCommand(
    'cancel',
    'cancel a pending, paid or refunded order; its stock is returned',
    ['orders cancel ORD-1001', 'orders cancel ORD-1001 --json'],
    async (shop, id) => (await changes()).updateOrder(shop, id, { status: 'cancelled' }),
  );
  const confirm = orderCommand(
    'confirm',
    'apply waiting payments to a pending order, for example after a restock',
    ['orders confirm ORD-1001', 'orders confirm ORD-1001 --json'],
    async (shop, id) => (await changes()).confirmFromInbox(shop, id),
  );
  for (const command of [shipCommand(), deliverCommand(), fulfil, cancel, confirm, refundCommand()]) {
    group.addCommand(command);
  }
  return group;
}

interface ShipOptions extends Options, TrackingOptions {
  items?: Item[];
  shippedAt?: string;
}

function shipCommand(): Command {
  const command = orderCommand(
    'ship',
    'record a parcel of an order: all that is left, or some items',
    [
      'orders ship ORD-1001 --carrier DHL --tracking-number 00340434161094042557',
      'orders ship ORD-1001 --items MUG:1 --shipped-at 2026-11-20T12:00:00Z',
    ],
    async (shop, id, options: ShipOptions) => {
      const { items, shippedAt } = options;
      const { shipOrder } = await changes();
      return shipOrder(shop, id, { items, ...trackingOf(options), ...(shippedAt && { shippedAt }) });
    },
  );
  return addTracking(command)
    .addOption(
      forField('lines', new Option('--items <sku:n>', 'only these items, such as MUG:2,CUP:1').argParser(parseItems)),
    )
    .option('--shipped-at <time>', 'time at which it left, such as 2026-11-20T12:00:00Z; now by default', parseText);
}

interface DeliverOptions extends Options {
  parcel?: string;
  deliveredAt?: string;
}

function deliverCommand(): Command {
  return orderCommand(
    'deliver',
    'record the delivery of all parcels of an order, or of one',
    [
      'orders deliver ORD-1001',
      'orders deliver ORD-1001 --parcel 0193d3f9-3070-7af1-9d34-e96b7c8a295b --delivered-at 2026-11-22T10:00:00Z',
    ],
    async (shop, id, { parcel, deliveredAt }: DeliverOptions) =>
      (await changes()).deliverOrder(shop, id, { ...(parcel && { parcel }), ...(deliveredAt && { deliveredAt }) }),
  )
    .option('--parcel <id>', 'the parcel; by default all that are not delivered', parseText)
    .option('--delivered-at <time>', 'time of the delivery, such as 2026-11-22T10:00:00Z; now by default', parseText);
}

function addTracking(command: Command): Command {
  return command
    .addOption(forField('tracking.carrier', trackingOption('--carrier <name>', 'the carrier of the parcel')))
    .addOption(
      forField('tracking.number', trackingOption('--tracking-number <number>', "the carrier's tracking number")),
    )
    .addOption(forField('tracking.url', trackingOption('--tracking-url <url>', 'the address of the tracking page')));
}

function trackingOption(flags: string, description: string): Option {
  return new Option(flags, description).argParser(parseText);
}

interface TrackingOptions {
  carrier?: string;
  trackingNumber?: string;
  trackingUrl?: string;
}

function trackingOf({ carrier, trackingNumber: number, trackingUrl: url }: TrackingOptions) {
  const tracking = { ...(carrier && { carrier }), ...(number && { number }), ...(url && { url }) };
  return Object.keys(tracking).length === 0 ? {} : { tracking };
}

interface RefundOptions extends Options {
  amount?: string;
  lines?: Item[];
  shipping?: boolean;
  execute?: boolean;
  refundId?: string;
  reason?: string;
  restock?: true | RestockLine[];
}

function refundCommand(): Command {
  return newCommand('refund', 'refund an order: at the provider with --execute, else record a refund made there', [
    'orders refund ORD-1001 --execute --lines MUG:1 --restock --reason "One mug was chipped"',
    'orders refund ORD-1001 --execute --amount 5.00',
    'orders refund ORD-1001 --amount 32.00 --refund-id re_3QNd2eLkdIwHu7ix',
  ])
    .argument('<order>', names)
    .addOption(storeOption())
    .option('--amount <decimal>', 'the amount, such as 12.50; by default what --lines and --shipping come to')
    .option(
      '--lines <sku:n>',
      'the pieces refunded: lines of the order by SKU or id, with quantities, separated by commas',
      parseItems,
    )
    .option('--shipping', 'refund the shipping, too')
    .option('--execute', 'ask the provider for the refund, which moves the money')
    .option(
      '--refund-id <id>',
      'the provider’s id of the refund, to avoid counting its notification again; with --execute, a UUID of your own',
      parseText,
    )
    .option('--reason <text>', 'kept with the refund and in the audit log')
    .option(
      '--restock [product:n]',
      'return products to stock: those of --lines, the whole order if the refund completes the total, or given quantities by id, slug or SKU, separated by commas',
      parseRestock,
    )
    .action((text: string, options: RefundOptions) => {
      if (options.amount === undefined && !options.lines && !options.shipping)
        throw new UsageError('--amount, --lines or --shipping is required');
      return withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const { amount, refundId, reason, execute, shipping } = options;
        const { refundOrder, resolveRestock } = await changes();
        const { describeRefund, resolveLines } = await refunds();
        const id = await resolveId(shop, 'order', text);
        const restock = await resolveRestock(shop, options.restock);
        const input = {
          ...(amount !== undefined && { amount }),
          ...(options.lines && { lines: await resolveLines(shop, id, options.lines) }),
          ...(shipping && { shipping }),
          ...(execute && { execute }),
          ...(refundId && { refundId }),
          ...(reason && { reason }),
          ...(restock && { restock }),
        };
        const refund = await refundOrder(shop, id, input);
        print(options, { item: refund }, () => describeRefund(refund));
      });
    });
}

function parseRestock(value: string): RestockLine[] {
  return value.split(',').map((entry) => {
    const [, product, quantity] = /^(.+):([1-9]\d{0,5})$/.exec(entry.trim()) ?? [];
    if (!product) throw new InvalidArgumentError('It must be a product and a number, such as MUG:2.');
    return { product, quantity: Number(quantity) };
  });
}

/** A command that changes one order and prints it. */
function orderCommand(
  name: string,
  description: string,
  calls: Examples,
  work: (shop: Context, id: string, options: Options) => Promise<Order>,
): Command {
  return newCommand(name, description, calls)
    .argument('<order>', names)
    .addOption(storeOption())
    .action((text: string, options: Options) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const item = await work(shop, await resolveId(shop, 'order', text), options);
        const described = options.json ? '' : await describeOrder(item, shop);
        print(options, { item }, () => described);
      }),
    );
}

/** An order with the details for shipping. */
async function describeOrder(order: Order, shop: Context): Promise<string> {
  const { orderSheet } = await import('../../orders/sheet.ts');
  return orderSheet(order, shop);
}
