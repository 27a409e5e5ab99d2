import type { Discount } from '../../discounts/fields.ts';
import type { ShippingMethod } from '../../engine/settings/shipping.ts';
import type { StoreContext } from '../../engine/store.ts';
import type { TaxAnswer } from '../../engine/tax-function.ts';
import type { Limits, ProblemCode, Reason } from '../../kernel/errors.ts';
import type { Minor } from '../../kernel/money.ts';
import type { AddressSnapshot } from '../../orders/fields.ts';
import type { PaymentMethod } from '../../payments/methods.ts';
import type { Product } from '../../products/fields.ts';
import type { TaxEntry } from './taxes.ts';

/** A line that was asked for, with its product. */
export interface CartLine {
  /** The field that names the product, and its value. */
  by: 'productId' | 'sku';
  value: string | undefined;
  quantity: number;
  /** Decimal string. */
  lineDiscount?: string | undefined;
  /** Null if no such product can be bought. */
  product: Product | null;
}

/** An answer of the application's tax function, and what it was asked for; null before it was asked. */
export interface AskedTaxes {
  key: string | null;
  answer: TaxAnswer;
}

/** What is to be priced: the parsed input of a quote, a checkout or an order. Amounts are decimal strings. */
export interface Cart {
  lines: readonly CartLine[];
  /** The code or name of the country to which it is shipped. */
  country: string | null;
  /** The part of that country. */
  region?: string | null | undefined;
  /** The field that has the country and the region. */
  placeAt?: 'shippingAddress.' | '' | undefined;
  /** The postal code to which it is shipped. */
  postalCode?: string | null | undefined;
  /** The country of the invoice. A way to pay serves it if there is no other, and so does a tax. */
  billingCountry?: string | null | undefined;
  billingRegion?: string | null | undefined;
  /** The whole addresses, for the application's own taxes. */
  shippingAddress?: AddressSnapshot | null | undefined;
  billingAddress?: AddressSnapshot | null | undefined;
  shippingMethodId?: string | undefined;
  /** The price of shipping, instead of a method. */
  shipping?: string | undefined;
  /** The tax rate, instead of the store's. */
  taxRate?: string | undefined;
  /** No tax falls on it, and what prices contain of it is taken off. */
  isTaxExempt?: boolean | undefined;
  /** The amount that is taken off, if `discountCode` is only a note. */
  discount?: string | undefined;
  discountCode: string | null;
}

/** The facts that follow from the store. */
export interface PricingFacts {
  store: StoreContext;
  now: number;
  /** The discount with the code of the cart, null if there is none; undefined if the code is only the caller's note. */
  discount?: Discount | null | undefined;
  /** Ships by the first method that serves the country, if the cart has neither a price nor a method. */
  defaultShipping?: boolean | undefined;
  /** The money is there already: a country or region that is no code does not refuse the order. */
  isPaid?: boolean | undefined;
  /** The taxes that the application's own function answered; undefined without one, and where it cannot be asked. */
  asked?: AskedTaxes | undefined;
  /** The rules of checkouts; undefined for orders, which trusted code makes. */
  buying?: BuyingFacts | undefined;
}

export interface BuyingFacts {
  /** The maximum pieces of one product; null for no limit. */
  maxQuantity: number | null;
  /** The ways to pay that are ready. */
  paymentMethods: readonly PaymentMethod[];
  /** The one that was asked for, and the field that did. */
  wanted: { field: 'provider' | 'paymentMethodId'; id: string } | null;
  /** The pieces that can be bought, by product that is limited. Absent if the stock is reserved after pricing, which checks it. */
  stock?: { available: ReadonlyMap<string, number>; textOf(shortage: ShortLine): string } | undefined;
}

export interface ShortLine {
  productId: string;
  quantity: number;
  available: number;
}

/** What is wrong with a cart. */
export interface Problem {
  code: ProblemCode;
  field: string;
  message: string;
  limits?: Limits | undefined;
  reason?: Reason | undefined;
}

export interface PricedLine extends CartLine {
  /** The price of a piece, and the discount of the line. */
  unitPrice: Minor;
  discount: Minor;
  /** The rate of tax, a fraction; null without a product. */
  taxRate: string | null;
  /** The price of the line less its own discount; null without a product. */
  total: Minor | null;
  problem: ProblemCode | null;
}

/** A priced cart. Amounts are minor units. Parts that have a problem count for nothing. */
export interface PricedCart {
  lines: PricedLine[];
  subtotal: Minor;
  discount: Minor;
  /** The discount that was applied; null for none, or for an amount of the caller. */
  usedDiscount: Discount | null;
  /** The methods that serve the cart, each at its price for it. */
  shippingMethods: { method: ShippingMethod; price: Minor }[];
  shippingMethod: ShippingMethod | null;
  shipping: Minor;
  /** The ways to pay that serve the cart. */
  paymentMethods: PaymentMethod[];
  /** Null if it is not chosen, or if nothing is due. */
  paymentMethod: PaymentMethod | null;
  /** The one rate; of several, their mean to four decimals. */
  taxRate: string;
  taxIncluded: boolean;
  taxes: TaxEntry[];
  tax: Minor;
  total: Minor;
  /** In the order in which a checkout refuses them. */
  problems: Problem[];
}
