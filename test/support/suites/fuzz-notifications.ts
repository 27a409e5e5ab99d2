import fc from 'fast-check';
import { mutated, mutation, printJson } from '../fixtures/hostile.ts';
import { capture } from '../fixtures/paypal.ts';
import { squarePayment } from '../fixtures/square.ts';
import { payment } from '../fixtures/stripe.ts';

/** Placeholder in notifications for the id of an order. */
export const orderInNotification = '01999999-9999-7999-8999-999999999999';

export const providers = ['stripe', 'square', 'paypal'] as const;
export type FuzzedProvider = (typeof providers)[number];

/** Events of a payment over 10.00 of that order, in each provider's format. */
export function eventsOf(provider: FuzzedProvider, orderId: string | null, n: number): object[] {
  if (provider === 'stripe') {
    const paid = payment(orderId, 1000, 'eur', `pi_of_the_fuzz_${n}`);
    return [
      ...[paid.intentSucceeded(), paid.chargeSucceeded(), paid.sessionCompleted(), paid.intentProcessing()],
      ...[paid.intentFailed(), paid.intentCanceled(), paid.chargeFailed(), paid.chargeUpdated()],
    ];
  }
  if (provider === 'square') {
    const tapped = squarePayment(orderId, 1000, 'EUR', `square-of-the-fuzz-${n}`);
    const refund = tapped.refund(500, `square-refund-of-the-fuzz-${n}`);
    return [
      tapped.completed(),
      tapped.created(),
      tapped.canceled(),
      tapped.failed(),
      refund.created(),
      refund.updated(),
    ];
  }
  const caught = capture(orderId, '10.00', 'EUR', `CAPTURE${n}`);
  return [caught.completed(), caught.pending(), caught.declined(), caught.reversed(), caught.refunded('5.00')];
}

/** The event with a new id. */
export function numbered(event: object, n: number): object {
  return { ...event, ...('event_id' in event ? { event_id: `e${n}` } : { id: `evt_${n}` }) };
}

/** Events of one payment of each provider, most of them mutated. */
export const wildNotifications: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...providers.flatMap((provider) => eventsOf(provider, orderInNotification, 0))),
    fc.nat(1e6),
    fc.oneof(fc.constant([]), fc.array(mutation, { minLength: 1, maxLength: 3, size: 'max' })),
  )
  .map(([event, n, all]) => printJson(all.reduce<unknown>(mutated, numbered(event, n))));
