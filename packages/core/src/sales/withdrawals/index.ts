export {
  type ReceivedWithdrawal,
  type Withdrawal,
  type WithdrawalChanges,
  type WithdrawalInput,
  type WithdrawalQueryInput,
  type WithdrawalStatus,
  withdrawalStatuses,
} from '../../withdrawals/fields.ts';
export {
  getWithdrawal,
  getWithdrawalJson,
  listWithdrawals,
  listWithdrawalsJson,
} from '../../withdrawals/withdrawals.ts';
export { createWithdrawal } from './create.ts';
export { matchWithdrawal, matchWithdrawals } from './match.ts';
export { updateWithdrawal } from './update.ts';
