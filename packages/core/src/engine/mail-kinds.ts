interface KindFacts {
  /** Who receives it: the buyer, or the owner of the shop. */
  to: 'buyer' | 'owner';
  /** Whether it is sent unless the settings say otherwise. */
  isUsual: boolean;
}

/** Every mail that a shop sends, in the order of an order's life. None advertises. */
export const mailKindFacts = {
  'order.confirmed': { to: 'buyer', isUsual: true },
  'order.payment_waiting': { to: 'buyer', isUsual: true },
  'order.shipped': { to: 'buyer', isUsual: true },
  'order.delivered': { to: 'buyer', isUsual: false },
  'order.refunded': { to: 'buyer', isUsual: true },
  'order.cancelled': { to: 'buyer', isUsual: true },
  'withdrawal.received': { to: 'buyer', isUsual: true },
  'owner.new_order': { to: 'owner', isUsual: true },
  'owner.low_stock': { to: 'owner', isUsual: true },
  'owner.withdrawal': { to: 'owner', isUsual: true },
} as const satisfies Record<string, KindFacts>;

export type MailKind = keyof typeof mailKindFacts;

export const mailKinds = Object.keys(mailKindFacts) as [MailKind, ...MailKind[]];
