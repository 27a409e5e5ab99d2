export {
  type BuyerAction,
  buyerActions,
  type NotificationFault,
  type RunningStub,
  type StubCall,
  type StubFault,
  type StubNotification,
  type StubOptions,
  startProviderStub,
} from '@commerce/simulator';
export { type FakeClock, fakeClock } from './clock.ts';
export { openTestCommerce, type TestCommerce, type TestCommerceOptions } from './open.ts';
export { configureSimulation, type SimulationInput, simulateNotification } from './simulate.ts';
export { type SimulatedEvent, type Simulation, simulatedEvents } from './simulated.ts';
export { type StripeSample, signStripe, stripePaymentSucceeded } from './stripe.ts';
