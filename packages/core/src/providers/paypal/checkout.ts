import { formatMoney, type Minor, readMoney } from '../../kernel/money.ts';
import type { OutboundAnswer } from '../../network/outbound.ts';
import {
  type Capture,
  type CheckoutPages,
  type PageRequest,
  type ProviderPage,
  ProviderSettingsError,
} from '../checkout-page.ts';
import { rescale } from '../checkout-sums.ts';
import { countryOf, cut, given, nameOf, orderName, recipientOf } from '../checkout-texts.ts';
import { checkoutLimits, jsonOf } from '../provider-api.ts';
import { listAt, textAt } from '../reading.ts';
import { type Refusal, refusedInput, refusedSettings, unreadable } from '../refusal.ts';
import { callPayPal, type PayPalCall } from './api.ts';
import { captureNotice } from './paypal.ts';
import type { PayPalSettings } from './settings.ts';

/** Longest text in most of PayPal's fields. */
const maxText = 127;
const maxEmail = 254;
const maxRecipient = 300;
const maxAddressLine = 300;
const maxCity = 120;
const maxPostalCode = 60;

/**
 * Pages of PayPal (developer.paypal.com/docs/api/orders/v2). PayPal takes no money by itself: the buyer approves, and `capture` takes it. A
 * page cannot be ended. Without a capture it takes no money, and PayPal forgets it after some hours.
 */
export const paypalPages: CheckoutPages<PayPalSettings> & Required<Pick<CheckoutPages<PayPalSettings>, 'capture'>> = {
  ready: ({ clientId, clientSecret }) => Boolean(clientId && clientSecret),
  chargedDecimals: paypalDecimals,

  async open(request, settings) {
    const answer = await call(settings, request.now, {
      method: 'POST',
      path: '/v2/checkout/orders',
      body: JSON.stringify(paypalOrderFor(request)),
      headers: { 'PayPal-Request-Id': request.checkoutId, Prefer: 'return=representation' },
    });
    // 200 instead of 201 for a repeated request.
    if (answer.status !== 201 && answer.status !== 200) throw refusalOf(answer, settings);
    return pageOf(answer, request);
  },

  async close() {
    return 'closed';
  },

  async isApproved({ id }, settings, now) {
    const answer = await call(settings, now, { method: 'GET', path: `/v2/checkout/orders/${encodeURIComponent(id)}` });
    if (answer.status === 404) return true;
    if (answer.status !== 200) throw refusalOf(answer, settings);
    // Those before the approval, as developer.paypal.com/docs/api/orders/v2 names them.
    return !['CREATED', 'SAVED', 'PAYER_ACTION_REQUIRED'].includes(textAt(jsonOf(answer), 'status') ?? '');
  },

  async capture({ id }, attempt, settings, now) {
    const path = `/v2/checkout/orders/${encodeURIComponent(id)}`;
    const answer = await call(settings, now, {
      method: 'POST',
      path: `${path}/capture`,
      body: '{}',
      headers: { 'PayPal-Request-Id': `cap-${id}-${attempt}`, Prefer: 'return=representation' },
    });
    const result = resultOf(answer);
    if (result === 'read' || result === 'look') {
      const order = result === 'read' ? answer : await call(settings, now, { method: 'GET', path });
      if (order.status === 404) return { outcome: 'expired' };
      if (order.status !== 200 && order.status !== 201) throw refusalOf(order, settings);
      const capture = captureOf(jsonOf(order), id, settings);
      if (capture !== null) return capture;
      throw result === 'read' ? unreadable('PayPal', order, 'a capture') : refusalOf(answer, settings);
    }
    if (result === 'refused') throw refusalOf(answer, settings);
    return { outcome: result };
  },
};

function call(settings: PayPalSettings, now: number, request: PayPalCall): Promise<OutboundAnswer> {
  return callPayPal(settings, now, request, checkoutLimits);
}

/** PayPal's order that charges an order's total, as its API takes it. */
export function paypalOrderFor(request: PageRequest) {
  const shipping = shippingOf(request);
  const { email } = request.customer;
  return {
    intent: 'CAPTURE',
    purchase_units: [
      {
        // Without `invoice_id`: it has to be unique over all shops of an account, failed attempts included.
        custom_id: request.orderId,
        description: cut(orderName(request), maxText),
        ...amountOf(request),
        ...(shipping && { shipping }),
      },
    ],
    payment_source: {
      paypal: {
        ...(email.length <= maxEmail ? { email_address: email } : {}),
        experience_context: {
          return_url: request.successUrl,
          cancel_url: request.cancelUrl,
          brand_name: nameOf(request.storeName, maxText),
          shipping_preference: shipping ? 'SET_PROVIDED_ADDRESS' : 'NO_SHIPPING',
          user_action: 'PAY_NOW',
          payment_method_preference: 'IMMEDIATE_PAYMENT_REQUIRED',
        },
      },
    },
  };
}

/**
 * The total with its parts: `item_total + tax_total + shipping − discount`, with item prices before any discount. If a part cannot be
 * expressed, only the total is sent.
 */
function amountOf(request: PageRequest) {
  const { currency, decimals, lines, shipping, tax, taxIncluded, total } = request;
  const places = paypalDecimals(currency);
  const value = (amount: Minor) => {
    const scaled = rescale(amount, decimals, places);
    return scaled === null ? null : { currency_code: currency, value: formatMoney(scaled, places) };
  };
  const whole = value(total);
  if (whole === null) {
    const amount = `${formatMoney(total, decimals)} ${currency}`;
    throw new ProviderSettingsError(`PayPal cannot charge ${amount}: it supports ${places} decimals`);
  }
  const itemTotal = lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * BigInt(quantity), 0n);
  const added = taxIncluded ? 0n : tax;
  const discount = itemTotal + added + shipping - total;
  const items = lines.flatMap(({ name, sku, quantity, unitPrice }) => {
    const unit_amount = value(unitPrice);
    if (unit_amount === null) return [];
    const code = sku !== null && sku.length > 0 && sku.length <= maxText ? { sku } : {};
    return [{ name: nameOf(name, maxText), quantity: String(quantity), unit_amount, ...code }];
  });
  const parts = {
    item_total: value(itemTotal),
    tax_total: added > 0n ? value(added) : undefined,
    shipping: shipping > 0n ? value(shipping) : undefined,
    discount: discount > 0n ? value(discount) : undefined,
  };
  const fits = discount >= 0n && items.length === lines.length && Object.values(parts).every((part) => part !== null);
  if (!fits) return { amount: whole };
  const breakdown = Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined));
  return { amount: { ...whole, breakdown }, items };
}

/** PayPal takes two decimals of every currency but these (developer.paypal.com/api/rest/reference/currency-codes). */
export function paypalDecimals(currency: string): number {
  return ['HUF', 'JPY', 'TWD'].includes(currency) ? 0 : 2;
}

function shippingOf(request: PageRequest) {
  const { shippingAddress: address } = request;
  const country_code = countryOf(address);
  if (!address?.address1 || country_code === null) return null;
  const full_name = recipientOf(request);
  const short = (text: string | null, max: number) => (text === null ? null : cut(text, max));
  return {
    ...(full_name === null ? {} : { name: { full_name: cut(full_name, maxRecipient) } }),
    address: {
      address_line_1: cut(address.address1, maxAddressLine),
      country_code,
      ...given({
        address_line_2: short(address.address2, maxAddressLine),
        admin_area_2: short(address.city, maxCity),
        admin_area_1: short(address.region, maxAddressLine),
        postal_code: short(address.postalCode, maxPostalCode),
      }),
    },
  };
}

function pageOf(answer: OutboundAnswer, { decimals }: PageRequest): ProviderPage {
  const order = jsonOf(answer);
  const id = textAt(order, 'id');
  const links = listAt(order, 'links');
  const link = (rel: string) =>
    textAt(
      links.find((one) => textAt(one, 'rel') === rel),
      'href',
    );
  const url = link('payer-action') ?? link('approve');
  const [unit] = listAt(order, 'purchase_units');
  const value = textAt(unit, 'amount', 'value');
  const currency = textAt(unit, 'amount', 'currency_code');
  if (id === null || url === null || value === null || currency === null) {
    throw unreadable('PayPal', answer, 'an order with a link and an amount');
  }
  return { id, providerOrder: null, url, amount: readMoney(value, decimals) ?? null, currency };
}

/** The buyer can pay in another way on the same page. */
const declined = new Set(['INSTRUMENT_DECLINED', 'PAYER_ACTION_REQUIRED', 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING']);
const final = new Set(['MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'TRANSACTION_REFUSED', 'COMPLIANCE_VIOLATION']);
/** Another call can have captured it; PayPal's order shows this. */
const perhapsCaptured = new Set(['ORDER_ALREADY_CAPTURED', 'ORDER_COMPLETED_OR_VOIDED', 'DUPLICATE_INVOICE_ID']);

/** The next step after the answer to a capture: `read` the capture in it, or `look` for one in PayPal's order. */
function resultOf(
  answer: OutboundAnswer,
): 'read' | 'look' | 'refused' | 'notApproved' | 'declined' | 'expired' | 'final' {
  if (answer.status === 200 || answer.status === 201) return 'read';
  const { code } = reasonOf(answer);
  if (answer.status === 404) return 'expired';
  // Two calls at once: the other one has the result.
  if (answer.status === 409) return 'look';
  if (answer.status !== 422 || code === null) return 'refused';
  if (perhapsCaptured.has(code)) return 'look';
  if (code === 'ORDER_NOT_APPROVED') return 'notApproved';
  if (declined.has(code)) return 'declined';
  return final.has(code) || code.startsWith('PAYER_') ? 'final' : 'refused';
}

/** The capture in PayPal's order. Only its own status counts: an order with a declined payment is `COMPLETED` too. */
function captureOf(order: unknown, id: string, settings: PayPalSettings): Capture | null {
  const [unit] = listAt(order, 'purchase_units');
  const capture = listAt(unit, 'payments', 'captures').at(-1);
  if (capture === undefined) return null;
  const notice = (kind: 'succeeded' | 'processing') => captureNotice(capture, kind, { id, body: order }, settings);
  const status = textAt(capture, 'status');
  if (status === 'PENDING') return { outcome: 'pending', notice: notice('processing') };
  if (status === 'DECLINED' || status === 'FAILED') return { outcome: 'final' };
  // Money that was refunded later was still captured.
  const captured = ['COMPLETED', 'PARTIALLY_REFUNDED', 'REFUNDED'].includes(status ?? '');
  return captured ? { outcome: 'captured', notice: notice('succeeded') } : null;
}

export function reasonOf(answer: OutboundAnswer): Refusal {
  const body = jsonOf(answer);
  const [detail] = listAt(body, 'details');
  return {
    provider: 'PayPal',
    status: answer.status,
    code: textAt(detail, 'issue') ?? textAt(body, 'name') ?? textAt(body, 'error'),
    field: textAt(detail, 'field'),
    message: textAt(detail, 'description') ?? textAt(body, 'message') ?? textAt(body, 'error_description'),
  };
}

function refusalOf(answer: OutboundAnswer, { clientId, clientSecret }: PayPalSettings): Error {
  const reason = reasonOf(answer);
  const field = answer.status === 400 || answer.status === 422 ? inputOf(reason) : null;
  return field === null ? refusedSettings(reason, [clientId, clientSecret]) : refusedInput(field, reason);
}

const addressIssues = /^(SHIPPING_ADDRESS_INVALID|(POSTAL_CODE|CITY|STATE|COUNTRY_CODE|ADDRESS)\w*_REQUIRED)$/;
const malformed = new Set(['INVALID_PARAMETER_SYNTAX', 'INVALID_PARAMETER_VALUE', 'INVALID_STRING_LENGTH']);

function inputOf({ code, field }: Refusal): string | null {
  if (code === null) return null;
  if (addressIssues.test(code)) return 'shippingAddress';
  if (!malformed.has(code)) return null;
  if (field?.endsWith('/email_address')) return 'customer.email';
  return field?.includes('/shipping/') ? 'shippingAddress' : null;
}
