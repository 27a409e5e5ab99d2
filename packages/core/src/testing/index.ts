export { type FakeClock, fakeClock } from './clock.ts';
export { type StripeSample, signStripe, stripePaymentSucceeded } from './stripe.ts';
