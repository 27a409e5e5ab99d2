import * as z from 'zod';
import { paypalDecimals } from './money.ts';
import { randomToken } from './notifications.ts';
import { faultIn, Refused } from './stub-part.ts';

/** developer.paypal.com/api/rest/reference/currency-codes */
const currencies = new Set(
  'AUD BRL CAD CNY CZK DKK EUR HKD HUF ILS JPY MYR MXN TWD NZD NOK PHP PLN GBP SGD SEK CHF THB USD'.split(' '),
);

/** Some of the countries that require a postal code. */
const withPostalCode = new Set('AT AU BE CA CH DE DK ES FI FR GB IT JP NL NO PL PT SE US'.split(' '));

const filled = (max: number) => z.string().min(1).max(max);
export const Money = z.strictObject({
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  value: z
    .string()
    .max(32)
    .regex(/^\d+(\.\d+)?$/),
});

export type Money = z.output<typeof Money>;
const breakdown = z.strictObject({
  item_total: Money.optional(),
  tax_total: Money.optional(),
  shipping: Money.optional(),
  handling: Money.optional(),
  insurance: Money.optional(),
  shipping_discount: Money.optional(),
  discount: Money.optional(),
});

const item = z.strictObject({
  name: filled(127),
  quantity: z.string().regex(/^[1-9][0-9]{0,9}$/),
  unit_amount: Money,
  tax: Money.optional(),
  sku: filled(127).optional(),
  description: filled(2048).optional(),
  category: z.enum(['DIGITAL_GOODS', 'PHYSICAL_GOODS', 'DONATION']).optional(),
});

const shipping = z.strictObject({
  name: z.strictObject({ full_name: filled(300) }).optional(),
  address: z.strictObject({
    address_line_1: filled(300).optional(),
    address_line_2: filled(300).optional(),
    admin_area_1: filled(300).optional(),
    admin_area_2: filled(120).optional(),
    postal_code: filled(60).optional(),
    country_code: z.string().regex(/^[A-Z]{2}$/),
  }),
});

/** The order as PayPal's published specification describes it (orders v2), as far as the stub plays it. */
export const PayPalOrderBody = z.strictObject({
  intent: z.literal('CAPTURE'),
  purchase_units: z
    .array(
      z.strictObject({
        custom_id: filled(127).optional(),
        invoice_id: filled(127).optional(),
        description: filled(127).optional(),
        amount: z.strictObject({ ...Money.shape, breakdown: breakdown.optional() }),
        items: z.array(item).optional(),
        shipping: shipping.optional(),
      }),
    )
    .min(1)
    .max(1),
  payment_source: z.strictObject({
    paypal: z.strictObject({
      email_address: z.email().max(254).optional(),
      experience_context: z.strictObject({
        return_url: z.url(),
        cancel_url: z.url(),
        brand_name: filled(127).optional(),
        locale: filled(10).optional(),
        shipping_preference: z.enum(['GET_FROM_FILE', 'NO_SHIPPING', 'SET_PROVIDED_ADDRESS']).optional(),
        user_action: z.enum(['CONTINUE', 'PAY_NOW']).optional(),
        payment_method_preference: z.enum(['UNRESTRICTED', 'IMMEDIATE_PAYMENT_REQUIRED']).optional(),
      }),
    }),
  }),
});

export type OrderBody = z.output<typeof PayPalOrderBody>;
type Unit = OrderBody['purchase_units'][number];
export function issue(status: number, name: string, field: string, description: string): Refused {
  const names: Record<number, string> = {
    400: 'INVALID_REQUEST',
    404: 'RESOURCE_NOT_FOUND',
    422: 'UNPROCESSABLE_ENTITY',
  };
  return new Refused({
    status,
    body: {
      name: names[status] ?? name,
      message: 'The request was refused.',
      debug_id: randomToken().slice(0, 13).toLowerCase(),
      details: [{ ...(field ? { field } : {}), issue: name, description }],
    },
  });
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The refund of a capture (developer.paypal.com/docs/api/payments/v2/#captures_refund). */
export const RefundBody = z.strictObject({
  amount: Money.optional(),
  custom_id: z.string().min(1).max(127).optional(),
  invoice_id: z.string().min(1).max(127).optional(),
  note_to_payer: z.string().min(1).max(255).optional(),
});

export function readOrder(text: string): OrderBody {
  const body = jsonOf(text);
  if (body === null) throw issue(400, 'MALFORMED_REQUEST_JSON', '', 'The request is not JSON');
  const fault = faultIn(PayPalOrderBody, body);
  if (!fault) return PayPalOrderBody.parse(body);
  const issues = {
    unknown: 'UNKNOWN_PARAMETER',
    missing: 'MISSING_REQUIRED_PARAMETER',
    invalid: 'INVALID_PARAMETER_SYNTAX',
  };
  const field = `/${fault.path.join('/')}`;
  if (fault.code === 'too_big') throw issue(400, 'INVALID_STRING_LENGTH', field, 'The value of a field is too long');
  throw issue(400, issues[fault.kind], field, `The value of ${field} is not as specified`);
}

/** The amount in units of the currency's decimals. */
export function minorOf({ currency_code, value }: Money, unit: Unit, field: string): bigint {
  const at = `/purchase_units/@reference_id=='default'/${field}`;
  if (!currencies.has(currency_code)) throw issue(422, 'CURRENCY_NOT_SUPPORTED', at, 'Currency code is not supported');
  if (currency_code !== unit.amount.currency_code) throw issue(422, 'CURRENCY_MISMATCH', at, 'Currencies differ');
  const decimals = paypalDecimals(currency_code);
  const [digits = '', fraction = ''] = value.split('.');
  if (fraction.length > decimals) throw issue(422, 'DECIMAL_PRECISION', at, 'Too many decimals');
  return BigInt(digits + fraction.padEnd(decimals, '0'));
}

export function checkSums(unit: Unit): void {
  const { amount, items } = unit;
  const at = (name: string) => `/purchase_units/@reference_id=='default'/amount/${name}`;
  const total = minorOf(amount, unit, 'amount');
  if (total <= 0n) throw issue(422, 'CANNOT_BE_ZERO_OR_NEGATIVE', at('value'), 'Must be greater than zero');
  const parts = amount.breakdown;
  const part = (name: keyof NonNullable<typeof parts>) => {
    const given = parts?.[name];
    return given === undefined ? 0n : minorOf(given, unit, `amount/breakdown/${name}`);
  };
  if (parts !== undefined) {
    const added = part('item_total') + part('tax_total') + part('shipping') + part('handling') + part('insurance');
    if (added - part('shipping_discount') - part('discount') !== total) {
      throw issue(422, 'AMOUNT_MISMATCH', at('value'), 'Should equal item_total + tax_total + shipping - discount.');
    }
  }
  if (items === undefined) return;
  if (parts?.item_total === undefined) {
    throw issue(422, 'ITEM_TOTAL_REQUIRED', at('breakdown/item_total'), 'Is required when items are given.');
  }
  const sum = (pick: (one: z.output<typeof item>) => Money | undefined) =>
    items.reduce((all, one) => {
      const money = pick(one);
      return all + (money === undefined ? 0n : minorOf(money, unit, 'items')) * BigInt(one.quantity);
    }, 0n);
  if (sum((one) => one.unit_amount) !== part('item_total')) {
    throw issue(422, 'ITEM_TOTAL_MISMATCH', at('breakdown/item_total'), 'Should equal the sum of the items.');
  }
  if (items.some(({ tax }) => tax !== undefined) && sum((one) => one.tax) !== part('tax_total')) {
    throw issue(422, 'TAX_TOTAL_MISMATCH', at('breakdown/tax_total'), 'Should equal the sum of the tax of the items.');
  }
}

export function checkShipping({ payment_source }: OrderBody, { shipping: given }: Unit): void {
  const at = "/purchase_units/@reference_id=='default'/shipping/address";
  const { shipping_preference } = payment_source.paypal.experience_context;
  if (shipping_preference === 'SET_PROVIDED_ADDRESS' && given === undefined) {
    throw issue(422, 'MISSING_SHIPPING_ADDRESS', at, 'The shipping address is required.');
  }
  if (given && withPostalCode.has(given.address.country_code) && given.address.postal_code === undefined) {
    throw issue(422, 'POSTAL_CODE_REQUIRED', `${at}/postal_code`, 'The specified country requires a postal code.');
  }
}
