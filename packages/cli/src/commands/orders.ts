import {
  type Context,
  confirmFromInbox,
  createOrder,
  getOrder,
  listOrders,
  type Order,
  type OrderInput,
  refundOrder,
  updateOrder,
} from '@commerce/core';
import { Command, InvalidArgumentError } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { readJsonFile } from '../input.ts';
import { newCommand, parseWindow, storeOption } from '../options.ts';
import { pairs, print, table } from '../print.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

interface ListOptions extends Options {
  status?: string;
  paymentStatus?: string;
  customer?: string;
  number?: string;
  limit: number;
  offset: number;
}

export function ordersCommand(): Command {
  return new Command('orders')
    .description('create and show orders, and change their status')
    .addCommand(
      newCommand('create', 'create a pending order, for a payment to confirm')
        .addOption(storeOption())
        .requiredOption('--file <order.json>', 'the order as JSON; - is standard input')
        .action(async (options: Options & { file: string }) => {
          const input = (await readJsonFile(options.file)) as OrderInput;
          return withCommerce(options, async (commerce) =>
            printOrder(options, await createOrder(await storeContext(commerce, options.store), input)),
          );
        }),
    )
    .addCommand(
      newCommand('list', 'list the orders of a store, newest first')
        .addOption(storeOption())
        .option('--status <status>', 'only those in this status')
        .option('--payment-status <status>', 'only those with this payment status')
        .option('--customer <id>', 'only those of this customer')
        .option('--number <ORD-n>', 'only the one with this number')
        .option('--limit <n>', 'number of entries, at most 200', parseWindow, 50)
        .option('--offset <n>', 'entries to skip', parseWindow, 0)
        .action(listCommand),
    )
    .addCommand(orderCommand('show', 'show an order', getOrder))
    .addCommand(
      orderCommand('fulfil', 'mark a paid order as shipped', (shop, id) =>
        updateOrder(shop, id, { status: 'fulfilled' }),
      ),
    )
    .addCommand(
      orderCommand('cancel', 'cancel a pending, paid or refunded order; the stock it took returns', (shop, id) =>
        updateOrder(shop, id, { status: 'cancelled' }),
      ),
    )
    .addCommand(
      orderCommand(
        'confirm',
        'apply the payments that wait for a pending order, such as after its products were restocked',
        confirmFromInbox,
      ),
    )
    .addCommand(
      newCommand('refund', 'record a refund made at the provider; it moves no money')
        .argument('<id>', 'the order')
        .addOption(storeOption())
        .requiredOption('--amount <decimal>', 'the amount, such as 12.50')
        .option('--refund-id <id>', 'the provider’s id of the refund, so that its notification does not count it again')
        .option('--reason <text>', 'for the audit log')
        .option(
          '--restock [productId:n]',
          'put products back into stock: all of the order, with a refund that completes the total, or the given numbers, separated by commas',
          parseRestock,
        )
        .action((id: string, options: RefundOptions) =>
          withCommerce(options, async (commerce) => {
            const { amount, refundId, reason, restock } = options;
            const input = {
              amount,
              ...(refundId && { refundId }),
              ...(reason && { reason }),
              ...(restock && { restock }),
            };
            const refund = await refundOrder(await storeContext(commerce, options.store), id, input);
            print(options, { item: refund }, () => pairs({ ...refund }));
          }),
        ),
    );
}

interface RefundOptions extends Options {
  amount: string;
  refundId?: string;
  reason?: string;
  restock?: true | { productId: string; quantity: number }[];
}

function parseRestock(value: string): { productId: string; quantity: number }[] {
  return value.split(',').map((entry) => {
    const [, productId, quantity] = /^([^:]+):([1-9]\d{0,5})$/.exec(entry.trim()) ?? [];
    if (!productId) throw new InvalidArgumentError('It must be the id of a product and a number, such as 0193…:2.');
    return { productId, quantity: Number(quantity) };
  });
}

/** A command that changes or reads one order, and shows it. */
function orderCommand(name: string, description: string, work: (shop: Context, id: string) => Promise<Order>): Command {
  return newCommand(name, description)
    .argument('<id>', 'the order')
    .addOption(storeOption())
    .action((id: string, options: Options) =>
      withCommerce(options, async (commerce) =>
        printOrder(options, await work(await storeContext(commerce, options.store), id)),
      ),
    );
}

function listCommand(options: ListOptions): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const { status, paymentStatus, customer: customerId, number: orderNumber, limit, offset } = options;
    const filters = { status, paymentStatus, customerId, orderNumber };
    const query = {
      limit,
      offset,
      ...Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)),
    };
    const orders = await listOrders(await storeContext(commerce, options.store), query);
    print(options, orders, () =>
      table(orders.items, {
        id: (order) => order.id,
        number: (order) => order.orderNumber,
        status: (order) => order.status,
        payment: (order) => order.paymentStatus,
        total: (order) => `${order.total} ${order.currency}`,
        created: (order) => order.createdAt,
      }),
    );
  });
}

function printOrder(options: Options, order: Order): void {
  print(options, { item: order }, () =>
    [
      pairs({
        id: order.id,
        number: order.orderNumber,
        status: order.status,
        payment: [order.paymentStatus, order.paymentProvider, order.paymentId].filter(Boolean).join(' '),
        customer: order.customerId,
        subtotal: order.subtotal,
        discount: order.discount,
        tax: order.tax,
        shipping: order.shipping,
        total: `${order.total} ${order.currency}`,
        created: order.createdAt,
        paid: order.paidAt,
        refunded: order.refundedAmount,
        cancelled: order.cancelReason && `${order.cancelledAt} (${order.cancelReason})`,
      }),
      table(order.items, {
        sku: (item) => item.skuSnapshot,
        title: (item) => item.titleSnapshot,
        quantity: (item) => item.quantity,
        price: (item) => item.unitPrice,
      }),
    ].join('\n\n'),
  );
}
