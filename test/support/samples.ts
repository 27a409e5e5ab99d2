import { haveSamples, payment, sampleBody } from './stripe.ts';

interface StripeEvent {
  id: string;
  type: string;
  data: { object: { id: string; metadata: Record<string, string>; [field: string]: unknown } };
}

let copies = 0;

const own = {
  'payment_intent.succeeded': (orderId: string, amount: number) => payment(orderId, amount).intentSucceeded(),
  'charge.succeeded': (orderId: string, amount: number) => payment(orderId, amount).chargeSucceeded(),
  'checkout.session.completed': (orderId: string, amount: number) => payment(orderId, amount).sessionCompleted(),
};

/**
 * A Stripe event about an order: the collected sample of that name where the collection is present, our own reduced one
 * otherwise. The order's id and amount are put in, and each event gets an id of its own.
 */
export function stripeSample(name: keyof typeof own, order: { id: string; amount: number }): StripeEvent {
  const body = haveSamples ? JSON.parse(sampleBody(`${name}.json`)) : own[name](order.id, order.amount);
  const event = structuredClone(body) as StripeEvent;
  const { object } = event.data;
  event.id += `_${process.pid}_${++copies}`;
  // One payment per order, whichever of its objects tells of it.
  if (object.object === 'payment_intent') object.id = `pi_${order.id}`;
  if ('payment_intent' in object) object.payment_intent = `pi_${order.id}`;
  object.metadata = { ...object.metadata, order_id: order.id };
  object.currency = 'eur';
  for (const field of ['amount', 'amount_received', 'amount_captured', 'amount_total']) {
    if (typeof object[field] === 'number') object[field] = order.amount;
  }
  return event;
}
