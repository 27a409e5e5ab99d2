// What a process does that keeps a database open: it delivers, cancels what has waited too long, imports, takes in notifications, and
// tidies up. Loaded when the first of that is due, since a command of the command line ends before.
export { finishRemovals } from './categories/removals.ts';
export { closeDuePages } from './checkouts/expire.ts';
export { Deliverer, deliverDue } from './deliveries/deliverer.ts';
export { forgetOldDeliveries } from './deliveries/retention.ts';
export { forgetAnswers } from './idempotency/once.ts';
export { expirePendingOrders } from './orders/expire.ts';
export { endReservations } from './orders/reservations.ts';
export { receiveNotification } from './payments/receive.ts';
export { forgetPayloadsWhenDue } from './payments/retention.ts';
export { continueImports } from './transfer/background.ts';
export { forgetReplacedSecrets } from './webhooks/sealed-secrets.ts';
