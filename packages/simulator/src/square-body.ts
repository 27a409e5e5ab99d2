import * as z from 'zod';
import { type Fault, faultIn, Refused } from './stub-part.ts';

const filled = (max: number) => z.string().min(1).max(max);
const currencies = new Set(Intl.supportedValuesOf('currency'));
export const Money = z.strictObject({
  amount: z.int().nonnegative(),
  currency: z.string().refine((code) => currencies.has(code)),
});

export type Money = z.output<typeof Money>;
const lineItem = z.strictObject({
  uid: filled(60).optional(),
  name: filled(512).optional(),
  quantity: z
    .string()
    .max(12)
    .regex(/^[1-9]\d*$/),
  note: z.string().max(2000).optional(),
  metadata: z.record(filled(60), z.string().max(255)).optional(),
  base_price_money: Money,
});

const discount = z.strictObject({
  uid: filled(60).optional(),
  name: filled(255).optional(),
  type: z.literal('FIXED_AMOUNT'),
  amount_money: Money,
  scope: z.literal('ORDER'),
});

const serviceCharge = z.strictObject({
  uid: filled(60).optional(),
  name: filled(512).optional(),
  amount_money: Money,
  calculation_phase: z.enum(['SUBTOTAL_PHASE', 'TOTAL_PHASE']),
});

const address = z.strictObject({
  address_line_1: filled(500).optional(),
  address_line_2: filled(500).optional(),
  locality: filled(300).optional(),
  administrative_district_level_1: filled(200).optional(),
  postal_code: filled(12).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
  first_name: filled(300).optional(),
  last_name: filled(300).optional(),
});

/**
 * The payment link as Square's API reference describes it (checkout-api/create-payment-link), as far as the stub plays it: no
 * catalogue, no percentages, no `quick_pay`.
 */
export const SquareLinkBody = z.strictObject({
  idempotency_key: filled(192),
  description: z.string().max(4096).optional(),
  order: z.strictObject({
    location_id: filled(50),
    reference_id: filled(40).optional(),
    line_items: z.array(lineItem).min(1).max(500),
    discounts: z.array(discount).optional(),
    service_charges: z.array(serviceCharge).optional(),
    metadata: z.record(filled(60), z.string().max(255)).optional(),
  }),
  checkout_options: z
    .strictObject({
      allow_tipping: z.boolean().optional(),
      enable_coupon: z.boolean().optional(),
      enable_loyalty: z.boolean().optional(),
      ask_for_shipping_address: z.boolean().optional(),
      redirect_url: z.url().max(2048).optional(),
      shipping_fee: z.strictObject({ name: filled(512).optional(), charge: Money }).optional(),
    })
    .optional(),
  pre_populated_data: z
    .strictObject({
      buyer_email: z.email().max(256).optional(),
      buyer_phone_number: z
        .string()
        .max(17)
        .regex(/^\+[1-9]\d{6,14}$/)
        .optional(),
      buyer_address: address.optional(),
    })
    .optional(),
  payment_note: z.string().max(500).optional(),
});

export type LinkBody = z.output<typeof SquareLinkBody>;
export const OrderChange = z.strictObject({
  idempotency_key: filled(192).optional(),
  order: z.strictObject({ location_id: filled(50).optional(), version: z.int(), state: z.literal('CANCELED') }),
});

/** A refund of a payment (developer.squareup.com/reference/square/refunds-api/refund-payment). */
export const SquareRefundBody = z.strictObject({
  idempotency_key: filled(45),
  amount_money: Money,
  payment_id: filled(192),
  reason: filled(192).optional(),
});

export function refused(
  status: number,
  code: string,
  field: string | null,
  detail: string,
  category = 'INVALID_REQUEST_ERROR',
): Refused {
  return new Refused({ status, body: { errors: [{ category, code, detail, ...(field ? { field } : {}) }] } });
}

export function readBody<S extends z.ZodType>(schema: S, text: string): z.output<S> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refused(400, 'EXPECTED_JSON_BODY', null, 'Expected a JSON body');
  }
  const fault = faultIn(schema, body);
  if (fault) throw refusedField(fault);
  return schema.parse(body);
}

function refusedField({ kind, path, code }: Fault): Refused {
  const field = path.join('.');
  if (kind === 'unknown') return refused(400, 'UNKNOWN_BODY_PARAMETER', field, `Unknown parameter ${field}`);
  if (kind === 'missing')
    return refused(400, 'MISSING_REQUIRED_PARAMETER', field, `Missing required parameter ${field}`);
  if (path.at(-1) === 'buyer_email') return refused(400, 'INVALID_EMAIL_ADDRESS', field, 'Invalid email address');
  if (path.at(-1) === 'buyer_phone_number') return refused(400, 'INVALID_PHONE_NUMBER', field, 'Invalid phone number');
  const codes: Record<string, string> = {
    too_big: 'VALUE_TOO_LONG',
    too_small: 'VALUE_EMPTY',
    invalid_type: 'INCORRECT_TYPE',
  };
  return refused(400, codes[code] ?? 'INVALID_VALUE', field, `Invalid value for ${field}`);
}

/** Lines less the order's discounts, which never exceed the lines, then the charges and the shipping fee. */
export function totalOf({ order, checkout_options }: LinkBody): Money {
  const { line_items, discounts = [], service_charges = [] } = order;
  const fee = checkout_options?.shipping_fee?.charge;
  const currency = line_items[0]?.base_price_money.currency ?? '';
  const all = [
    ...line_items.map((line) => line.base_price_money),
    ...discounts.map((one) => one.amount_money),
    ...service_charges.map((one) => one.amount_money),
    ...(fee ? [fee] : []),
  ];
  if (all.some((money) => money.currency !== currency)) {
    throw refused(400, 'CURRENCY_MISMATCH', 'order', 'All money in an order must have one currency');
  }
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const goods = sum(line_items.map(({ base_price_money, quantity }) => base_price_money.amount * Number(quantity)));
  const off = Math.min(goods, sum(discounts.map((one) => one.amount_money.amount)));
  const amount = goods - off + sum(service_charges.map((one) => one.amount_money.amount)) + (fee?.amount ?? 0);
  if (amount < 1) throw refused(400, 'AMOUNT_TOO_LOW', 'order', 'The amount must be at least 1');
  if (!Number.isSafeInteger(amount)) throw refused(400, 'AMOUNT_TOO_HIGH', 'order', 'The amount is too high');
  return { amount, currency };
}
