// The operations of refunds that the package exports.
export { listRefunds } from './list.ts';
export { askPendingRefunds } from './pending.ts';
export { refundOrder } from './refund-order.ts';
export { refundPayment } from './refund-payment.ts';
