import * as z from 'zod';
import { stripeDecimals } from './money.ts';
import { type Fault, faultIn, Refused } from './stub-part.ts';

/** Numbers and switches come as text in a form. */
const whole = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number);

const choice = z.enum(['true', 'false']).transform((value) => value === 'true');
const currency = z.string().regex(/^[a-z]{3}$/);
const filled = (max: number) => z.string().min(1).max(max);
const metadata = z.record(filled(40), z.string().max(500)).refine((entries) => Object.keys(entries).length <= 50);
const price = z.strictObject({
  currency,
  unit_amount: whole,
  product_data: z.strictObject({
    name: filled(5000),
    description: filled(5000).optional(),
    metadata: metadata.optional(),
  }),
});

const shippingRate = z.strictObject({
  display_name: filled(100),
  type: z.literal('fixed_amount'),
  fixed_amount: z.strictObject({ amount: whole, currency }),
});

const address = z.strictObject({
  line1: filled(5000),
  line2: filled(5000).optional(),
  city: filled(5000).optional(),
  state: filled(5000).optional(),
  postal_code: filled(5000).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/)
    .optional(),
});

/**
 * The parameters of a session, as far as the stub plays them, from Stripe's API reference (docs.stripe.com/api/checkout/sessions/create).
 * It accepts no parameter that would let the buyer change the sum.
 */
export const StripeSessionForm = z.strictObject({
  mode: z.literal('payment'),
  line_items: z
    .array(z.strictObject({ quantity: whole.refine((n) => n > 0), price_data: price }))
    .min(1)
    .max(100),
  shipping_options: z
    .array(z.strictObject({ shipping_rate_data: shippingRate }))
    .max(5)
    .optional(),
  customer_email: z.email().max(800).optional(),
  client_reference_id: filled(200).optional(),
  metadata: metadata.optional(),
  payment_intent_data: z
    .strictObject({
      metadata: metadata.optional(),
      description: filled(1000).optional(),
      shipping: z.strictObject({ name: filled(5000), phone: filled(5000).optional(), address }).optional(),
    })
    .optional(),
  allowed_payment_method_types: z.array(filled(40)).optional(),
  adaptive_pricing: z.strictObject({ enabled: choice.optional() }).optional(),
  success_url: z.url(),
  cancel_url: z.url().optional(),
  expires_at: whole.optional(),
  locale: filled(10).optional(),
});

export type SessionForm = z.output<typeof StripeSessionForm>;

/** The parameters of a refund that the stub plays (docs.stripe.com/api/refunds/create). */
export const StripeRefundForm = z.strictObject({
  payment_intent: filled(255),
  amount: whole.refine((n) => n > 0).optional(),
  metadata: metadata.optional(),
  reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
});

export function refused(
  status: number,
  error: { type?: string; code?: string; param?: string; message: string },
): Refused {
  return new Refused({ status, body: { error: { type: 'invalid_request_error', ...error } } });
}

/** The nested values of a form such as `a[b][0]=c`. */
export function nestedForm(body: string): unknown {
  const root: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(body)) {
    const steps = name.replaceAll(']', '').split('[');
    if (steps.some((step) => step === '' || Object.hasOwn(Object.prototype, step))) {
      throw refused(400, { code: 'parameter_unknown', param: name, message: `Received unknown parameter: ${name}` });
    }
    let here = root;
    for (const step of steps.slice(0, -1)) {
      here[step] ??= {};
      if (typeof here[step] !== 'object') throw refused(400, { param: name, message: `Invalid object: ${name}` });
      here = here[step] as Record<string, unknown>;
    }
    here[steps.at(-1) ?? ''] = value;
  }
  return withLists(root);
}

/** Objects with the keys 0, 1, 2… are lists. */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withLists(inner)] as const);
  const isList = entries.length > 0 && entries.every(([key], index) => key === String(index));
  return isList ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

export function readForm<S extends z.ZodType>(schema: S, body: string): z.output<S> {
  const nested = nestedForm(body);
  const fault = faultIn(schema, nested);
  if (fault) throw refusedParameter(fault);
  return schema.parse(nested);
}

function refusedParameter({ kind, path, value, code }: Fault): Refused {
  const [first = '', ...rest] = path;
  const param = first + rest.map((step) => `[${step}]`).join('');
  if (kind === 'unknown') {
    return refused(400, { code: 'parameter_unknown', param, message: `Received unknown parameter: ${param}` });
  }
  if (kind === 'missing') {
    return refused(400, { code: 'parameter_missing', param, message: `Missing required param: ${param}.` });
  }
  if (code === 'email') {
    return refused(400, { code: 'email_invalid', param, message: `Invalid email address: ${value}` });
  }
  return refused(400, { param, message: `Invalid value for ${param}: ${JSON.stringify(value)}` });
}

/** About half a dollar, in currencies of about its worth (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const minima: Record<string, number> = {
  GBP: 30,
  JPY: 50,
  MXN: 1000,
  SEK: 300,
  NOK: 300,
  DKK: 250,
  HUF: 17_500,
  CZK: 1500,
};

export function checkAmount(total: number, currency: string): void {
  const decimals = stripeDecimals(currency);
  const unit = { 3: 10, 2: ['ISK', 'UGX'].includes(currency) ? 100 : 1 }[decimals] ?? 1;
  if (total % unit !== 0) {
    throw refused(400, { param: 'line_items', message: `Invalid integer: amounts in ${currency} must end in 0.` });
  }
  const least = minima[currency] ?? (decimals === 0 ? 1 : 50);
  if (total < least) {
    throw refused(400, {
      code: 'amount_too_small',
      message: `The Checkout Session's total amount due must add up to at least ${least} ${currency}`,
    });
  }
  if (total > 99_999_999) {
    throw refused(400, { code: 'amount_too_large', message: 'The total amount due is too large.' });
  }
}
