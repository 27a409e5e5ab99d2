import {
  createWithdrawal,
  getWithdrawalJson,
  listWithdrawalsJson,
  updateWithdrawal,
  type WithdrawalInput,
} from '@commerce/core';
import { item, list, record } from '../answers.ts';
import { type Route, route } from '../router.ts';

/** Withdrawal from a contract: sent by buyers, with a storefront key too, and worked on by the shop. */
export const withdrawalRoutes: readonly Route[] = [
  route('POST', '/withdrawals', 'checkout.write', {
    name: 'createWithdrawal',
    summary: 'State that a contract is withdrawn from',
    description:
      'For everything well formed the answer is the same, whether or not there is such an order, and however late it is. The order is looked for afterwards, by number and e-mail. The acknowledgement goes to the given address. With an `Order-Token`, name, e-mail and number can be left out. A storefront key can send 10 an hour from one network address (429).',
    body: 'WithdrawalInput',
    secretHeader: 'Order-Token',
    errors: ['notFound'],
    answer: record('ReceivedWithdrawal', 201),
    run: (ctx, input: WithdrawalInput, orderToken?: string) => createWithdrawal(ctx, input, { orderToken }),
  }),
  route('GET', '/withdrawals', 'withdrawal.read', {
    name: 'listWithdrawals',
    summary: 'List withdrawals, newest first',
    query: 'WithdrawalQuery',
    answer: list('Withdrawal'),
    run: listWithdrawalsJson,
  }),
  route('GET', '/withdrawals/{id}', 'withdrawal.read', {
    name: 'getWithdrawal',
    summary: 'Get a withdrawal',
    answer: item('Withdrawal'),
    run: getWithdrawalJson,
  }),
  route('PUT', '/withdrawals/{id}', 'withdrawal.write', {
    name: 'updateWithdrawal',
    summary: 'Change the status, the order or the note of the shop of a withdrawal',
    description:
      'An `orderId` makes it `matched`, and null makes it `received`, unless it is `closed`. What the buyer stated does not change.',
    body: 'WithdrawalChanges',
    errors: ['conflict'],
    answer: item('Withdrawal'),
    run: updateWithdrawal,
  }),
];
