/** Texts for a number, by the rules of plurals of the language. `#` is the number. */
export interface Counted {
  one: string;
  few?: string;
  many?: string;
  other: string;
}

/** What all letters say in one language. Dates and amounts come as the language writes them; null where one is not known. */
export interface Words {
  direction: 'ltr' | 'rtl';
  /** What follows a label, without the blank after it. */
  colon: string;
  greeting(name: string | null): string;
  ownerGreeting: string;
  regards: string;
  /** Where to write with questions. */
  questions(email: string): string;
  goods: {
    item: string;
    quantity: string;
    amount: string;
    each(price: string): string;
    sku(sku: string): string;
    /** The buyer cannot withdraw from it. */
    exempt(reason: string): string;
    /** Lines of an order that are not shown. */
    more: Counted;
    /** A withdrawal that names no goods. */
    all: string;
  };
  totals: {
    subtotal: string;
    discount(code: string | null): string;
    shipping(method: string | null): string;
    /** Tax that is added to the prices. */
    tax(rate: string | null): string;
    /** Tax that the total contains. */
    taxIncluded(rate: string | null): string;
    total: string;
    refunded: string;
  };
  labels: {
    order: string;
    shippingAddress: string;
    billingAddress: string;
    paymentMethod: string;
    payment: string;
    paid: string;
    notPaid: string;
    orderNumber: string;
    amountDue: string;
    reference: string;
    carrier: string;
    trackingNumber: string;
    buyer: string;
    name: string;
    email: string;
    phone: string;
    vatId: string;
    goods: string;
    /** The buyer's words on an order, to the buyer and to the owner. */
    ownNote: string;
    buyersNote: string;
    giftNote: string;
    receivedAt: string;
    refund: string;
    product: string;
    stock: string;
  };
  buttons: { order: string; track: string; withdraw: string; dashboard: string };
  withdraw: {
    heading: string;
    text: string;
    /** Some of the goods are exempt. */
    partly: string;
  };
  attached: { terms: string; withdrawal: string; both: string };
  confirmed: {
    subject(number: string, shop: string): string;
    heading: string;
    intro(number: string, day: string | null): string;
    paid: string;
    howToPay: string;
  };
  waiting: {
    subject(number: string): string;
    heading: string;
    intro(number: string, day: string | null): string;
    ask(total: string): string;
    after: string;
  };
  shipped: {
    subject(number: string): string;
    heading: string;
    intro(number: string): string;
    goods: string;
    /** Goods of the order are still to come. */
    rest: string;
  };
  delivered: { subject(number: string): string; heading: string; intro(number: string): string; after: string };
  refunded: {
    subject(number: string): string;
    heading: string;
    intro(number: string, amount: string): string;
    how: string;
  };
  cancelled: {
    subject(number: string): string;
    heading: string;
    intro(number: string, day: string | null): string;
    /** The order was paid. */
    moneyBack(amount: string): string;
    nothingDue: string;
  };
  withdrawalReceived: {
    subject(number: string): string;
    heading: string;
    intro: string;
    /** It confirms the receipt, and is no answer. */
    receiptOnly: string;
  };
  newOrder: { subject(number: string, total: string): string; heading: string; intro(number: string): string };
  lowStock: { subject: Counted; heading: string; intro: Counted };
  ownerWithdrawal: {
    subject(number: string): string;
    heading: string;
    intro: string;
    due(day: string): string;
    /** The statement names no order of the shop. */
    unmatched: string;
    /** What the buyer was told already. */
    acknowledged: string;
  };
}
