export {
  type NotificationFault,
  type RunningStub,
  type StubCall,
  type StubFault,
  type StubNotification,
  type StubOptions,
  startProviderStub,
} from '../payments/simulate/provider-stub.ts';
export { type BuyerAction, buyerActions } from '../payments/simulate/stub-part.ts';
export { type FakeClock, fakeClock } from './clock.ts';
export { type StripeSample, signStripe, stripePaymentSucceeded } from './stripe.ts';
