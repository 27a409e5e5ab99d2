import {
  applyPayment,
  CommerceError,
  type Context,
  dismissPayment,
  getNotification,
  getPayment,
  listNotifications,
  listPayments,
  type Matched,
  matchedValues,
  type Payment,
  type PaymentNotification,
  type PaymentSource,
  type PaymentState,
  paymentSources,
  paymentStates,
  recordPayment,
  replayNotification,
} from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { newCommand, parseWindow, storeOption } from '../options.ts';
import { pairs, print, table } from '../print.ts';
import { configureCommand } from './configure.ts';
import { simulateCommand } from './simulate.ts';

type Options = DatabaseOptions & { json?: boolean; store?: string };

export function paymentsCommand(): Command {
  return new Command('payments')
    .description('set up payment providers; see payments, and assign money that found no order')
    .addCommand(configureCommand())
    .addCommand(simulateCommand())
    .addCommand(listCommand())
    .addCommand(
      newCommand('show', 'show a payment, or a notification with its body as it was received')
        .argument('<id>', 'the payment or the notification')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const payment = await orUndefined(getPayment(shop, id));
            if (payment) return print(options, { item: payment }, () => describePayment(payment));
            const notification = await getNotification(shop, id);
            print(options, { item: notification }, () => `${describe(notification)}\n\n${notification.payload}`);
          }),
        ),
    )
    .addCommand(
      paymentCommand('apply', 'pay a pending or expired order with money that has paid no other')
        .requiredOption('--order <id>', 'the order')
        .action((id: string, options: Options & { order: string }) =>
          withPayment(options, (shop) => applyPayment(shop, id, { orderId: options.order })),
        ),
    )
    .addCommand(
      paymentCommand('dismiss', 'take money that paid no order off the list of what needs attention')
        .option('--reason <text>', 'for the audit log')
        .action((id: string, options: Options & { reason?: string }) =>
          withPayment(options, (shop) => dismissPayment(shop, id, options.reason ? { reason: options.reason } : {})),
        ),
    )
    .addCommand(
      newCommand('record', 'record a payment that reached the shop in another way, and pay a pending order with it')
        .addOption(storeOption())
        .requiredOption('--order <id>', 'the order')
        .requiredOption('--method <word>', 'the method, such as transfer, cash or invoice')
        .requiredOption('--amount <decimal>', 'the total of the order, such as 12.50')
        .option('--reference <text>', 'a reference to find it by, such as the number of a bank statement')
        .option('--paid-at <time>', 'time of the payment, such as 2026-11-20T12:00:00Z; now by default')
        .action((options: RecordOptions) => {
          const { order, method, amount, reference, paidAt } = options;
          const input = { method, amount, ...(reference && { reference }), ...(paidAt && { paidAt }) };
          return withPayment(options, (shop) => recordPayment(shop, order, input));
        }),
    )
    .addCommand(
      newCommand('inbox', 'list the received notifications, newest first')
        .addOption(storeOption())
        .option('--unmatched', 'only those that were not applied')
        .option('--limit <n>', 'number of entries, at most 200', parseWindow, 50)
        .option('--offset <n>', 'entries to skip', parseWindow, 0)
        .action((options: Options & { unmatched?: boolean; limit: number; offset: number }) =>
          withCommerce(options, async (commerce) => {
            const { limit, offset, unmatched = false } = options;
            const shop = await storeContext(commerce, options.store);
            const notifications = await listNotifications(shop, { limit, offset, unmatched });
            print(options, notifications, () =>
              table(notifications.items, {
                id: (one) => one.id,
                received: (one) => one.receivedAt,
                provider: (one) => one.provider,
                event: (one) => one.eventType,
                outcome: (one) => one.outcome,
                payment: (one) => one.paymentId,
                order: (one) => one.orderId,
              }),
            );
          }),
        ),
    )
    .addCommand(
      newCommand('replay', 'apply a notification again that was not applied')
        .argument('<id>', 'the notification, as `payments inbox` shows it')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            const notification = await replayNotification(await storeContext(commerce, options.store), id);
            print(options, { item: notification }, () => describe(notification));
          }),
        ),
    );
}

interface RecordOptions extends Options {
  order: string;
  method: string;
  amount: string;
  reference?: string;
  paidAt?: string;
}

interface ListOptions extends Options {
  unmatched?: boolean;
  matched?: Matched;
  status?: PaymentState;
  provider?: PaymentSource;
  order?: string;
  limit: number;
  offset: number;
}

function listCommand(): Command {
  return newCommand('list', 'list payments, newest first')
    .addOption(storeOption())
    .option('--unmatched', 'only money that needs attention: neither paid, refunded nor dismissed')
    .addOption(new Option('--matched <what>', 'only those matched this way').choices(matchedValues))
    .addOption(new Option('--status <status>', 'only those with this status at their provider').choices(paymentStates))
    .addOption(new Option('--provider <name>', 'only those of this provider').choices(paymentSources))
    .option('--order <id>', 'only those of this order')
    .option('--limit <n>', 'number of entries, at most 200', parseWindow, 50)
    .option('--offset <n>', 'entries to skip', parseWindow, 0)
    .action((options: ListOptions) =>
      withCommerce(options, async (commerce) => {
        const { limit, offset, unmatched, matched, status, provider, order: orderId } = options;
        const filters = { unmatched, matched, status, provider, orderId };
        const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
        const payments = await listPayments(await storeContext(commerce, options.store), { limit, offset, ...given });
        print(options, payments, () =>
          table(payments.items, {
            id: (one) => one.id,
            created: (one) => one.createdAt,
            provider: (one) => one.provider,
            payment: (one) => one.providerPaymentId,
            status: (one) => one.status,
            amount: (one) => (one.amount === null ? null : `${one.amount} ${one.currency}`),
            matched: (one) => one.matched,
            order: (one) => one.orderId,
          }),
        );
      }),
    );
}

/** A command about one payment. */
function paymentCommand(name: string, description: string): Command {
  return newCommand(name, description)
    .argument('<id>', 'the payment, as `payments list` shows it')
    .addOption(storeOption());
}

function withPayment(options: Options, work: (shop: Context) => Promise<Payment>): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const payment = await work(await storeContext(commerce, options.store));
    print(options, { item: payment }, () => describePayment(payment));
  });
}

async function orUndefined<T>(wanted: Promise<T>): Promise<T | undefined> {
  try {
    return await wanted;
  } catch (error) {
    if (error instanceof CommerceError && error.kind === 'notFound') return undefined;
    throw error;
  }
}

function describePayment(payment: Payment): string {
  return pairs({
    id: payment.id,
    provider: payment.provider,
    payment: payment.providerPaymentId,
    ...payment.relatedIds,
    status: payment.status,
    amount: payment.amount === null ? null : `${payment.amount} ${payment.currency}`,
    captured: payment.capturedAmount,
    refunded: payment.refundedAmount,
    matched: payment.matched,
    'for order': payment.orderId,
    method: payment.method,
    reference: payment.reference,
    paid: payment.paidAt,
    dismissed: payment.dismissedAt,
    created: payment.createdAt,
  });
}

function describe(notification: PaymentNotification): string {
  return pairs({
    id: notification.id,
    received: notification.receivedAt,
    provider: notification.provider,
    event: `${notification.eventType} ${notification.eventId}`,
    payment: notification.paymentId,
    order: notification.orderId,
    outcome: notification.outcome,
    warning: notification.warning,
  });
}
