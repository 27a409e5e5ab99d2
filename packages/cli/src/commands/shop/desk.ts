import { type Desk, getDesk } from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { pairs, print } from '../../output/print.ts';
import type { Options } from '../../resource/resource.ts';

export function deskCommand(): Command {
  return newCommand('desk', 'show the work that waits: orders to send, money to refund, payments to look at', [
    'desk',
    'desk --json',
  ])
    .addOption(storeOption())
    .action((options: Options) =>
      withCommerce(options, async (commerce) => {
        const item = await getDesk(await storeContext(commerce, options.store));
        print(options, { item }, () => pairs(labelled(item)));
      }),
    );
}

const labels = {
  toSend: 'to send',
  toRefund: 'to refund',
  unpaidOffline: 'unpaid without a provider',
  unmatchedPayments: 'unmatched payments',
  openDisputes: 'open disputes',
  nextDisputeDueAt: 'next dispute due',
  failedPayments: 'failed payments',
  failedDeliveries: 'failed deliveries',
  lowStock: 'low stock',
  openWithdrawals: 'open withdrawals',
  nextWithdrawalDueAt: 'next withdrawal due',
  failedMails: 'mails not sent',
  mailMissing: 'mail not set up',
  newestOrderAt: 'newest order',
} as const satisfies Record<keyof Desk, string>;

function labelled(desk: Desk): Record<string, string | number | null> {
  const shown = (value: Desk[keyof Desk]) => (typeof value === 'boolean' ? (value ? 'yes' : 'no') : value);
  return Object.fromEntries(Object.entries(labels).map(([name, label]) => [label, shown(desk[name as keyof Desk])]));
}
