import {
  type Context,
  getWithdrawal,
  listWithdrawals,
  updateWithdrawal,
  type Withdrawal,
  type WithdrawalChanges,
} from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { newCommand, parseText, storeOption } from '../../input/options.ts';
import { print } from '../../output/print.ts';
import { resolveId } from '../../resolve.ts';
import { describeFields, type Options, type Resource, resourceCommand } from '../../resource/resource.ts';

const names = 'its id, or the beginning of it';

const withdrawals: Resource<Withdrawal> = {
  kind: 'withdrawal',
  noun: 'withdrawal',
  names,
  listing: {
    item: 'Withdrawal',
    filters: {
      status: { flags: '--status <status>', description: 'only withdrawals with this status' },
      orderId: {
        flags: '--order <order>',
        description: 'only those of this order: its number or id',
        kind: 'order',
      },
    },
    columns: {
      status: (withdrawal) => withdrawal.status,
      order: (withdrawal) => withdrawal.orderNumber,
      name: (withdrawal) => withdrawal.name,
      received: (withdrawal) => withdrawal.receivedAt,
      due: (withdrawal) => withdrawal.dueAt,
      id: (withdrawal) => withdrawal.id,
    },
    read: listWithdrawals,
  },
  title: (withdrawal) => `of ${withdrawal.orderNumber}`,
  show: getWithdrawal,
  texts: { list: 'list the withdrawals of a store, newest first' },
  examples: {
    list: ['withdrawals list --status matched', 'withdrawals list --order ORD-1001 --json'],
    show: ['withdrawals show 0193d3fa-bbd8', 'withdrawals show 0193d3fa-bbd8 --json'],
  },
};

interface NoteOptions extends Options {
  note?: string;
}

/** Withdrawals from contracts: buyers send them, so they are only listed, matched and closed here. */
export function withdrawalsCommand(): Command {
  const match = newCommand('match', 'say which order a withdrawal is about', [
    'withdrawals match 0193d3fa-bbd8 ORD-1001',
    'withdrawals match 0193d3fa-bbd8 ORD-1001 --note "The number had a digit too many."',
  ])
    .argument('<withdrawal>', names)
    .argument('<order>', 'its number or id')
    .addOption(storeOption())
    .option('--note <text>', "the shop's own note", parseText)
    .action((text: string, order: string, options: NoteOptions) =>
      change(options, text, async (shop) => ({ orderId: await resolveId(shop, 'order', order) })),
    );
  const close = newCommand('close', 'close a withdrawal that the shop is done with', [
    'withdrawals close 0193d3fa-bbd8',
    'withdrawals close 0193d3fa-bbd8 --note "Refunded, the parcel is back."',
  ])
    .argument('<withdrawal>', names)
    .addOption(storeOption())
    .option('--note <text>', "the shop's own note", parseText)
    .action((text: string, options: NoteOptions) => change(options, text, async () => ({ status: 'closed' })));
  return resourceCommand('withdrawals', 'list, show, match and close withdrawals from contracts', withdrawals)
    .addCommand(match)
    .addCommand(close);
}

function change(
  options: NoteOptions,
  text: string,
  changes: (shop: Context) => Promise<WithdrawalChanges>,
): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const shop = await storeContext(commerce, options.store);
    const id = await resolveId(shop, 'withdrawal', text);
    const note = options.note === undefined ? {} : { merchantNote: options.note };
    const item = await updateWithdrawal(shop, id, { ...(await changes(shop)), ...note });
    print(options, { item }, () => describeFields(item));
  });
}
