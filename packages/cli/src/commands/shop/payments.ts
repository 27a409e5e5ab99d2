import {
  applyPayment,
  CommerceError,
  type Context,
  dismissPayment,
  getNotification,
  getPayment,
  listNotifications,
  listPayments,
  matchedValues,
  type Payment,
  type PaymentNotification,
  paymentSources,
  paymentStates,
  recordPayment,
  replayNotification,
} from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { forField } from '../../input/flags.ts';
import { type Examples, newCommand, parseText, storeOption } from '../../input/options.ts';
import { pairs, print } from '../../output/print.ts';
import { resolveId } from '../../resolve.ts';
import { listCommand } from '../../resource/lists.ts';
import type { Options } from '../../resource/resource.ts';
import { simulateCommand } from '../simulate.ts';
import { checkCommand, configureCommand, connectCommand, disconnectCommand } from './configure.ts';

const orderOption = () => new Option('--order <order>', 'the order: its id or number').makeOptionMandatory();

export function paymentsCommand(): Command {
  return new Command('payments')
    .description('set up payment providers, list payments, and assign unmatched payments to orders')
    .addCommand(connectCommand())
    .addCommand(configureCommand())
    .addCommand(checkCommand())
    .addCommand(disconnectCommand())
    .addCommand(simulateCommand())
    .addCommand(paymentsListCommand())
    .addCommand(
      newCommand('show', 'show a payment, or a notification with the body received', [
        'payments show 0193d3ef-c080',
        'payments show 0193d3ef-c080-7057-a93a-4fc162809ebd --json',
      ])
        .argument('<payment>', 'the id of the payment or the notification')
        .addOption(storeOption())
        .action((text: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const id = await resolveId(shop, 'payment', text);
            const payment = await orUndefined(getPayment(shop, id));
            if (payment) return print(options, { item: payment }, () => describePayment(payment));
            const notification = await getNotification(shop, await resolveId(shop, 'notification', text));
            print(options, { item: notification }, () => `${describe(notification)}\n\n${notification.payload}`);
          }),
        ),
    )
    .addCommand(
      paymentCommand('apply', 'pay an order that is pending, expired or shipped unpaid with an unmatched payment', [
        'payments apply 0193d3ef-c080 --order ORD-1001',
        'payments apply 0193d3ef-c080 --order ORD-1001 --json',
      ])
        .addOption(forField('orderId', orderOption()))
        .action((text: string, options: Options & { order: string }) =>
          withPayment(options, text, async (shop, id) =>
            applyPayment(shop, id, { orderId: await resolveId(shop, 'order', options.order) }),
          ),
        ),
    )
    .addCommand(
      paymentCommand('dismiss', 'remove an unmatched payment from the list of payments that need attention', [
        'payments dismiss 0193d3ef-c080',
        'payments dismiss 0193d3ef-c080 --reason "Sent back by bank transfer"',
      ])
        .option('--reason <text>', 'for the audit log')
        .action((text: string, options: Options & { reason?: string }) =>
          withPayment(options, text, (shop, id) =>
            dismissPayment(shop, id, options.reason ? { reason: options.reason } : {}),
          ),
        ),
    )
    .addCommand(
      paymentCommand('refund', 'give back money that paid no order, at the provider that took it', [
        'payments refund 0193d3ef-c080 --reason "Paid twice"',
        'payments refund 0193d3ef-c080 --amount 5.00 --json',
      ])
        .option(
          '--amount <decimal>',
          'the amount, such as 12.50; by default all that is left of the payment',
          parseText,
        )
        .option('--refund-id <uuid>', 'an id of your own: the same id again makes no second refund', parseText)
        .option('--reason <text>', 'kept with the refund and in the audit log')
        .action((text: string, options: PaymentRefundOptions) =>
          withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const { amount, refundId, reason } = options;
            const { describeRefund, refundPayment } = await import('../../orders/refund.ts');
            const input = { ...(amount && { amount }), ...(refundId && { refundId }), ...(reason && { reason }) };
            const item = await refundPayment(shop, await resolveId(shop, 'payment', text), input);
            print(options, { item }, () => describeRefund(item));
          }),
        ),
    )
    .addCommand(
      newCommand('record', 'record a payment received without a provider, and pay a pending order with it', [
        'payments record --order ORD-1001 --method transfer --amount 32.00 --reference "statement 117"',
        'payments record --order ORD-1001 --method cash --amount 32.00 --paid-at 2026-11-20T12:00:00Z',
      ])
        .addOption(storeOption())
        .addOption(orderOption())
        .requiredOption('--method <word>', 'the method, such as transfer, cash or invoice')
        .requiredOption('--amount <decimal>', 'the order total, such as 12.50')
        .option('--reference <text>', 'a reference, such as the number of a bank statement', parseText)
        .option('--paid-at <time>', 'time of the payment, such as 2026-11-20T12:00:00Z; now by default', parseText)
        .action((options: RecordOptions) => {
          const { order, method, amount, reference, paidAt } = options;
          const input = { method, amount, ...(reference && { reference }), ...(paidAt && { paidAt }) };
          return withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const item = await recordPayment(shop, await resolveId(shop, 'order', order), input);
            print(options, { item }, () => describePayment(item));
          });
        }),
    )
    .addCommand(inboxCommand())
    .addCommand(
      newCommand('replay', 'retry a notification that was not applied', [
        'payments replay 0193d3ef-c080-7057-a93a-4fc162809ebd',
        'payments replay 0193d3ef-c080-7057-a93a-4fc162809ebd --json',
      ])
        .argument('<notification>', 'its id, as `payments inbox` shows it')
        .addOption(storeOption())
        .action((id: string, options: Options) =>
          withCommerce(options, async (commerce) => {
            const shop = await storeContext(commerce, options.store);
            const notification = await replayNotification(shop, await resolveId(shop, 'notification', id));
            print(options, { item: notification }, () => describe(notification));
          }),
        ),
    );
}

interface PaymentRefundOptions extends Options {
  amount?: string;
  refundId?: string;
  reason?: string;
}

interface RecordOptions extends Options {
  order: string;
  method: string;
  amount: string;
  reference?: string;
  paidAt?: string;
}

function paymentsListCommand(): Command {
  return listCommand<Payment>(
    'list payments, newest first',
    ['payments list --unmatched', 'payments list --disputed', 'payments list --order ORD-1001 --json'],
    {
      item: 'Payment',
      filters: {
        unmatched: {
          flags: '--unmatched',
          description: 'only unmatched payments that need attention',
        },
        disputed: { flags: '--disputed', description: 'only payments with an open dispute' },
        matched: { flags: '--matched <what>', description: 'only payments matched this way', choices: matchedValues },
        status: {
          flags: '--status <status>',
          description: 'only payments with this status at the provider',
          choices: paymentStates,
        },
        provider: {
          flags: '--provider <name>',
          description: 'only payments of this provider',
          choices: paymentSources,
        },
        orderId: { flags: '--order <order>', description: 'only payments of this order', kind: 'order' },
      },
      columns: {
        id: (one) => one.id,
        created: (one) => one.createdAt,
        provider: (one) => one.provider,
        'provider id': (one) => one.providerPaymentId,
        status: (one) => one.status,
        amount: (one) => (one.amount === null ? null : `${one.amount} ${one.currency}`),
        matched: (one) => one.matched,
        order: (one) => one.orderId,
      },
      read: listPayments,
    },
  );
}

function inboxCommand(): Command {
  return listCommand<PaymentNotification>(
    'list the received notifications, newest first',
    ['payments inbox --unmatched', 'payments inbox --limit 200 --json'],
    {
      filters: { unmatched: { flags: '--unmatched', description: 'only notifications that were not applied' } },
      columns: {
        id: (one) => one.id,
        received: (one) => one.receivedAt,
        provider: (one) => one.provider,
        event: (one) => one.eventType,
        outcome: (one) => one.outcome,
        payment: (one) => one.paymentId,
        order: (one) => one.orderId,
      },
      read: listNotifications,
    },
    { name: 'inbox' },
  );
}

/** A command on one payment. */
function paymentCommand(name: string, description: string, calls: Examples): Command {
  return newCommand(name, description, calls)
    .argument('<payment>', 'its id, as `payments list` shows it')
    .addOption(storeOption());
}

function withPayment(
  options: Options,
  text: string,
  work: (shop: Context, id: string) => Promise<Payment>,
): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const shop = await storeContext(commerce, options.store);
    const payment = await work(shop, await resolveId(shop, 'payment', text));
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
    ...disputesOf(payment),
    matched: payment.matched,
    'for order': payment.orderId,
    method: payment.method,
    reference: payment.reference,
    paid: payment.paidAt,
    dismissed: payment.dismissedAt,
    created: payment.createdAt,
  });
}

/** The disputes, each under its own name. */
function disputesOf({ disputes, currency }: Payment): Record<string, string> {
  return Object.fromEntries(
    disputes.map(({ id, amount, reason, status, dueAt }) => {
      const facts = [`${amount} ${currency}`, status, reason, dueAt && `answer until ${dueAt}`];
      return [`dispute ${id}`, facts.filter(Boolean).join('  ')];
    }),
  );
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
