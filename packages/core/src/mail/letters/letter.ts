import type { MailKind } from '../../engine/mail-kinds.ts';

/** A mail as it is written out. */
export interface Letter {
  /** One line. */
  subject: string;
  text: string;
  html: string;
}

/** An address, in lines as its country writes them. */
export type AddressLines = readonly string[];

/** What a buyer chose for a line, such as an engraving. */
export interface LetterOption {
  name: string;
  text: string;
}

/** One line of goods. Amounts are decimal strings in the order's currency. */
export interface LetterItem {
  title: string;
  /** The shop's name of the variant. */
  variant: string | null;
  options: readonly LetterOption[];
  sku: string | null;
  quantity: number;
  unitPrice: string;
  /** Unit price × quantity − discount of the line. */
  total: string;
  /** Why the buyer cannot withdraw from it; null if the buyer can. */
  withdrawalExempt: string | null;
}

export interface LetterOrder {
  /** `ORD-1001`. */
  number: string;
  /** ISO 8601. */
  placedAt: string | null;
  items: readonly LetterItem[];
  subtotal: string;
  discount: string;
  discountCode: string | null;
  shipping: string;
  shippingMethod: string | null;
  tax: string;
  /** Whether prices contain the tax. */
  taxIncluded: boolean;
  /** A fraction: "0.19" is 19 %. Of several rates their mean. */
  taxRate: string;
  /** The tax of each rate above 0. */
  taxes: readonly { rate: string; amount: string }[];
  total: string;
  refundedAmount: string;
  /** ISO 4217. */
  currency: string;
  /** Decimals of the currency; those of Intl can differ. */
  decimals: number;
  shippingAddress: AddressLines | null;
  billingAddress: AddressLines | null;
  /** The name of the way to pay; null if it is not known. */
  paymentMethod: string | null;
  /** What the buyer has to do to pay, in the shop's words. */
  instructions: string | null;
  /** Whether it is paid. */
  isPaid: boolean;
  customerNote: string | null;
  /** Message of the buyer to the person who gets the gift. */
  giftNote: string | null;
}

/** What one parcel of an order has. */
export interface LetterParcel {
  carrier: string | null;
  number: string | null;
  url: string | null;
  items: readonly { title: string; variant: string | null; options: readonly LetterOption[]; quantity: number }[];
  /** True if nothing is left to ship after it. */
  isLast: boolean;
}

export interface LetterWithdrawal {
  name: string;
  email: string;
  /** As the buyer wrote it. */
  orderNumber: string;
  /** The goods that the buyer named. */
  items: readonly { title: string; quantity: number }[];
  /** True if the buyer named no goods, in no place. */
  isWhole: boolean;
  /** The buyer's words; null also while no order matches. */
  note: string | null;
  /** ISO 8601, to the second. */
  receivedAt: string;
  /** ISO 8601: the day until which the shop has to give the money back. */
  dueAt: string;
}

/** Who sells, as buyers may see it. */
export interface LetterSeller {
  name: string;
  /** Postal address in lines. */
  address: string;
  email: string;
  phone: string | null;
  vatId: string | null;
  registration: string | null;
}

/** All facts of a letter. Texts come from buyers and imports, so they are hostile. */
export interface LetterData {
  kind: MailKind;
  /** Language of the letter, a tag of BCP 47 such as `de-AT`. Its wording exists in `languages`, else English is used. */
  locale: string;
  /** IANA zone in which times are written. */
  timeZone: string;
  shop: {
    name: string;
    seller: LetterSeller | null;
    /** The shop's closing lines, plain text. */
    footer: string | null;
    /** Absolute https address of the logo. */
    logoUrl: string | null;
  };
  buyer: { name: string | null; email: string | null };
  order: LetterOrder | null;
  parcel: LetterParcel | null;
  /** Amount of this refund; a decimal string. */
  refund: { amount: string } | null;
  withdrawal: LetterWithdrawal | null;
  /** Products that are low in stock. */
  products: readonly { title: string; sku: string | null; stock: number }[];
  links: {
    /** The buyer's page of the order; null if the shop has none. */
    order: string | null;
    /** Where the buyer can withdraw; null if the shop has no page for it. */
    withdraw: string | null;
    /** The place in the dashboard, for the owner. */
    dashboard: string | null;
  };
  /** Names of the texts that are attached, such as the terms; empty for none. */
  attached: readonly ('terms' | 'withdrawal')[];
}
