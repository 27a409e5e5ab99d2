import { expect, it } from 'vitest';
import { t } from '../../words/words.ts';
import { causeOf } from './refund.ts';

it('A refund that failed says why in words for people', () => {
  const { causes } = t.refunds;
  const known: [string | null, keyof typeof causes][] = [
    ['Stripe refused the refund (400, charge_disputed): The charge was disputed.', 'disputed'],
    ['Stripe refused the refund (401, invalid_request_error): Invalid API Key provided.', 'rights'],
    ['PayPal refused the refund (422, REFUND_TIME_LIMIT_EXCEEDED): You are over the time limit.', 'tooLate'],
    ['Square refused the refund (400, REFUND_DECLINED)', 'declined'],
    ['stripe gave no answer, and does not list the refund', 'noAnswer'],
    ['expired_or_canceled_card', 'card'],
    ['Square refused the refund (400, NEW): at most 401.00 is left', 'other'],
    ['unknown', 'other'],
    ['constructor', 'other'],
    ['', 'other'],
    [null, 'other'],
  ];
  expect(known.map(([error]) => causeOf(error))).toEqual(known.map(([, cause]) => causes[cause]));
});
