import { ApiError, toApiError } from '../../api/errors.ts';
import { t } from '../../words/words.ts';

type Cause = keyof typeof t.refunds.causes;

/** Causes by the words of the providers: codes and statuses of refusals, and Stripe's reasons of refunds that fail later. */
const causes: Record<string, Cause> = {
  401: 'rights',
  403: 'rights',
  lost_or_stolen_card: 'card',
  expired_or_canceled_card: 'card',
  insufficient_funds: 'funds',
  balance_insufficient: 'funds',
  declined: 'declined',
  merchant_request: 'cancelled',
  charge_for_pending_refund_disputed: 'disputed',
  charge_disputed: 'disputed',
  refund_disputed_payment: 'disputed',
  charge_already_refunded: 'already',
  charge_not_refundable: 'notRefundable',
  CAPTURE_FULLY_REFUNDED: 'already',
  REFUND_AMOUNT_EXCEEDED: 'already',
  REFUND_NOT_ALLOWED: 'notRefundable',
  REFUND_TIME_LIMIT_EXCEEDED: 'tooLate',
  REFUND_FAILED_INSUFFICIENT_FUNDS: 'funds',
  REFUND_FAILED_BY_PAYMENT_SOURCE: 'declined',
  REFUND_AMOUNT_INVALID: 'already',
  REFUND_DECLINED: 'declined',
  REFUND_ALREADY_PENDING: 'underWay',
  PAYMENT_NOT_REFUNDABLE: 'notRefundable',
  PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE: 'disputed',
  INSUFFICIENT_PERMISSIONS_FOR_REFUND: 'rights',
};

/** Why a refund failed, in words for people. @param error what the interface says, with the provider's code */
export function causeOf(error: string | null): string {
  const { causes: words } = t.refunds;
  if (error?.includes('gave no answer')) return words.noAnswer;
  // The provider's own sentence, after its codes, can contain any word. A refund that fails later has a code alone.
  const [, codes = error] = /refused the refund \(([^)]*)\)/.exec(error ?? '') ?? [];
  const found = codes?.split(', ').find((code) => Object.hasOwn(causes, code));
  return words[(found && causes[found]) || 'other'];
}

/** Asks for a refund that moves money. @throws ApiError that says why the provider refused it */
export async function askForRefund<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    throw refusedByProvider(toApiError(thrown));
  }
}

function refusedByProvider(error: ApiError): ApiError {
  const refused = error.details.find(({ field }) => field === 'execute');
  if (!refused) return error;
  return new ApiError({ status: 409, code: error.code, message: t.refunds.refused(causeOf(refused.reason)) });
}
