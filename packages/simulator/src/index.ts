export {
  type Disputed,
  type DisputeStep,
  disputeSteps,
  paypalDispute,
  squareDispute,
  stripeDispute,
} from './disputes.ts';
export { paypalNotification, randomToken, type Sent, squareNotification, stripeNotification } from './notifications.ts';
export {
  type NotificationFault,
  type RunningStub,
  type StubCall,
  type StubFault,
  type StubNotification,
  type StubOptions,
  startProviderStub,
} from './provider-stub.ts';
export { type BuyerAction, buyerActions, type RefundEntry, type RefundPlan } from './stub-part.ts';
