import { ApiError } from '../../api/errors.ts';
import type { Schemas } from '../../api/types.ts';
import { decimalsOf, fromMinorUnits, minorUnits } from '../../kit/money.ts';
import { t } from '../../words/words.ts';
import { type Pair, pairsRefusal, textsOf } from '../labels/pairs.ts';
import { type Method, type Offer, offersOf } from '../settings/shipping/prices.ts';

const words = t.newOrder;

/** A line of a new order. Its quantity and price are as typed. */
export interface Line {
  productId: string;
  title: string;
  sku: string | null;
  mediaId: string | null;
  /** The price of the catalogue. */
  listPrice: string;
  price: string;
  quantity: string;
  /** What the buyer chose, by name, such as an engraving. */
  options: Pair[];
  /** Grams of a piece that have to be shipped. */
  weight: number;
}

export const addressNames = [
  'firstName',
  'lastName',
  'company',
  'address1',
  'address2',
  'postalCode',
  'city',
  'region',
  'country',
  'phone',
] as const satisfies readonly (keyof Schemas['AddressSnapshot'])[];

export type Exemption = NonNullable<Schemas['Order']['taxExempt']>['reason'];

export type Place = 'shippingAddress' | 'billingAddress';
type AddressKey = `${Place}.${(typeof addressNames)[number]}`;

/** The fields of the form, under the names that refusals of the interface have. */
export type NewOrderValues = Record<AddressKey, string> & {
  items: Line[];
  'customer.email': string;
  'customer.name': string;
  'customer.phone': string;
  'customer.vatId': string;
  /** Empty if it is taxed as usual. */
  'taxExempt.reason': Exemption | '';
  'taxExempt.note': string;
  billsElsewhere: boolean;
  shippingMethodId: string;
  provider: string;
  discount: string;
  discountCode: string;
  customerNote: string;
  giftNote: string;
};

const blankAddress = (place: Place) => Object.fromEntries(addressNames.map((name) => [`${place}.${name}`, '']));

export const blank = {
  items: [],
  'customer.email': '',
  'customer.name': '',
  'customer.phone': '',
  'customer.vatId': '',
  'taxExempt.reason': '',
  'taxExempt.note': '',
  ...blankAddress('shippingAddress'),
  billsElsewhere: false,
  ...blankAddress('billingAddress'),
  shippingMethodId: '',
  provider: '',
  discount: '',
  discountCode: '',
  customerNote: '',
  giftNote: '',
} as unknown as NewOrderValues;

/** The line of a product that was just chosen. */
export function lineOf(product: Schemas['Product']): Line {
  const { id, title, sku, primaryMediaId, price, weight, requiresShipping } = product;
  return {
    ...{ productId: id, title, sku, mediaId: primaryMediaId, listPrice: price, price, quantity: '1', options: [] },
    weight: requiresShipping ? (weight ?? 0) : 0,
  };
}

/** Whole pieces; undefined for any other text. */
export function piecesOf({ quantity }: Line): number | undefined {
  const text = quantity.trim();
  return /^[1-9]\d{0,6}$/.test(text) ? Number(text) : undefined;
}

const isAmount = (text: string) => /^\d+(?:\.\d+)?$/.test(text);

/** The sum of the lines, as far as they are complete. */
export function subtotalOf(items: readonly Line[], currency: string): string {
  const decimals = decimalsOf(currency);
  const units = items.map((line) =>
    isAmount(line.price) ? minorUnits(line.price, decimals) * BigInt(piecesOf(line) ?? 0) : 0n,
  );
  return fromMinorUnits(
    units.reduce((sum, one) => sum + one, 0n),
    decimals,
  );
}

/** Whether a line is sold at another price than that of the catalogue. */
export function isRepriced({ price, listPrice }: Line, currency: string): boolean {
  const decimals = decimalsOf(currency);
  return isAmount(price) && minorUnits(price, decimals) !== minorUnits(listPrice, decimals);
}

/** Refuses fields before anything is sent. */
function refuse(reasons: [field: string, said: string][]): void {
  const [first] = reasons;
  if (!first) return;
  const details = reasons.map(([field, said]) => ({ field, reason: said, said }));
  throw new ApiError({ status: 400, code: 'VALIDATION_ERROR', message: first[1], details });
}

function checkLines(items: readonly Line[]): void {
  refuse([
    ...(items.length === 0 ? [['items', words.noItems] as [string, string]] : []),
    ...items.flatMap((line, i): [string, string][] =>
      piecesOf(line) === undefined ? [[`items.${i}.quantity`, t.kit.wholeNumber]] : [],
    ),
    ...items.flatMap(({ options }, i): [string, string][] => {
      const said = pairsRefusal(options, words.options.twice, (name) =>
        name === '' ? words.options.noName : undefined,
      );
      return said === undefined ? [] : [[`items.${i}.options`, said]];
    }),
  ]);
}

function addressOf(values: NewOrderValues, place: Place) {
  const address = Object.fromEntries(addressNames.map((name) => [name, values[`${place}.${name}`].trim() || null]));
  return Object.values(address).some((value) => value !== null) ? address : null;
}

/** What an order and a checkout have in common. */
function shared(values: NewOrderValues) {
  const shippingAddress = addressOf(values, 'shippingAddress');
  return {
    shippingAddress,
    billingAddress: values.billsElsewhere ? addressOf(values, 'billingAddress') : shippingAddress,
    ...exemptionOf(values),
    ...(values.shippingMethodId ? { shippingMethodId: values.shippingMethodId } : {}),
    discountCode: values.discountCode.trim() || null,
    customerNote: values.customerNote.trim() || null,
    giftNote: values.giftNote.trim() || null,
  };
}

/** The options of a line, if there are any. */
function optionsOf({ options }: Line): { options?: Record<string, string> } {
  const texts = textsOf(options);
  return Object.keys(texts).length > 0 ? { options: texts } : {};
}

function exemptionOf(values: NewOrderValues): Pick<Schemas['OrderInput'], 'taxExempt'> {
  const reason = values['taxExempt.reason'];
  return reason === '' ? {} : { taxExempt: { reason, note: values['taxExempt.note'].trim() || null } };
}

const contactOf = (values: NewOrderValues) => ({
  email: values['customer.email'].trim(),
  name: values['customer.name'].trim() || null,
  phone: values['customer.phone'].trim() || null,
  ...(values['customer.vatId'].trim() ? { vatId: values['customer.vatId'].trim() } : {}),
});

/**
 * The body of a pending order. A lower price becomes the discount of its line.
 * @throws ApiError for values that no order can have
 */
export function orderBody(values: NewOrderValues, currency: string): Schemas['OrderInput'] {
  const decimals = decimalsOf(currency);
  checkLines(values.items);
  const off = (line: Line) => minorUnits(line.listPrice, decimals) - minorUnits(line.price || line.listPrice, decimals);
  refuse([
    ...values.items.flatMap((line, i): [string, string][] =>
      off(line) < 0n ? [[`items.${i}.price`, words.tooDear]] : [],
    ),
    ...(values.discountCode.trim() !== '' && values.discount.trim() === ''
      ? [['discount', words.discountMissing] as [string, string]]
      : []),
  ]);
  const { email, ...person } = contactOf(values);
  return {
    ...shared(values),
    ...(email === '' && !person.vatId ? {} : { customer: { email, ...person } }),
    items: values.items.map((line) => {
      const quantity = piecesOf(line) ?? 0;
      const discount = off(line) * BigInt(quantity);
      return {
        productId: line.productId,
        quantity,
        ...optionsOf(line),
        ...(discount > 0n ? { lineDiscount: fromMinorUnits(discount, decimals) } : {}),
      };
    }),
    ...(values.discount.trim() === '' ? {} : { discount: values.discount.trim() }),
  };
}

/**
 * The body of a checkout, which is sold as the shop's own pages would.
 * @param origin the website that the buyer returns to
 * @throws ApiError for values that no checkout can have
 */
export function checkoutBody(values: NewOrderValues, currency: string, origin: string): Schemas['CheckoutInput'] {
  checkLines(values.items);
  refuse([
    ...values.items.flatMap((line, i): [string, string][] =>
      isRepriced(line, currency) ? [[`items.${i}.price`, words.listPriceOnly(line.listPrice)]] : [],
    ),
    ...(values.discount.trim() === '' ? [] : [['discount', words.codeOnly] as [string, string]]),
  ]);
  return {
    ...shared(values),
    customer: contactOf(values),
    items: values.items.map((line) => ({
      productId: line.productId,
      quantity: piecesOf(line) ?? 0,
      ...optionsOf(line),
    })),
    ...(values.provider ? { provider: values.provider as Schemas['Payment']['provider'] & 'stripe' } : {}),
    successUrl: `${origin}/`,
    cancelUrl: `${origin}/`,
  };
}

/** The methods that serve the order as far as it is filled in, with their prices. */
export function methodsFor(values: NewOrderValues, methods: readonly Method[], currency: string): Offer[] {
  const { items } = values;
  const basket = {
    country: values['shippingAddress.country'] || undefined,
    postalCode: values['shippingAddress.postalCode'],
    subtotal: subtotalOf(items, currency),
    weight: items.reduce((sum, line) => sum + line.weight * (piecesOf(line) ?? 0), 0),
  };
  return offersOf(methods, basket, decimalsOf(currency));
}
