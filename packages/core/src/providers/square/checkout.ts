import type { Minor } from '../../kernel/money.ts';
import type { OutboundAnswer } from '../../network/outbound.ts';
import {
  type CheckoutPages,
  type PageIds,
  type PageRequest,
  type ProviderPage,
  ProviderSettingsError,
} from '../checkout-page.ts';
import { countryOf, cut, given, nameOf, orderName } from '../checkout-texts.ts';
import { jsonOf } from '../provider-api.ts';
import { integerAt, listAt, objectAt, textAt } from '../reading.ts';
import { refusedInput, refusedSettings, unreadable } from '../refusal.ts';
import { callSquare, reasonOf } from './api.ts';
import type { SquareSettings } from './square.ts';

const maxName = 512;
const maxNote = 500;
const maxEmail = 256;
const maxQuantityDigits = 12;

/** Times that an order is read again because another call changed it in between. */
const maxReads = 3;

/** Payment links (developer.squareup.com/reference/square/checkout-api/create-payment-link). Square takes the money itself. */
export const squarePages: CheckoutPages<SquareSettings> = {
  ready: ({ accessToken, locationId }) => accessToken !== undefined && locationId !== undefined,
  chargedDecimals: (_, decimals) => decimals,

  async open(request, settings) {
    const { locationId } = settings;
    if (locationId === undefined)
      throw new ProviderSettingsError('Square cannot open a payment page without a location');
    const answer = await callSquare(
      settings,
      'POST',
      '/v2/online-checkout/payment-links',
      squareLink(request, locationId),
    );
    if (answer.status !== 200) throw refusalOf(answer, settings);
    return pageOf(answer, settings);
  },

  async close(page, settings) {
    const path = `/v2/online-checkout/payment-links/${encodeURIComponent(page.id)}`;
    const deleted = await callSquare(settings, 'DELETE', path);
    if (deleted.status === 401 || deleted.status === 403) throw refusalOf(deleted, settings);
    if (deleted.status === 200 && textAt(jsonOf(deleted), 'cancelled_order_id') !== null) return 'closed';
    // The link is gone, but its order can still be paid on an open page, for example after a failed payment.
    return cancelOrder(page, settings);
  },
};

/**
 * The link that charges an order's total, in the form of Square's API. Square adds it up itself: lines, less the discount, which it spreads
 * over them. Tax is sent as a service charge, because Square's own taxes are percentages.
 */
export function squareLink(request: PageRequest, locationId: string) {
  const { orderId, orderNumber, currency, lines, shipping, shippingName, total } = request;
  const money = (amount: Minor) => ({ amount: Number(amount), currency });
  const tax = request.taxIncluded ? 0n : request.tax;
  const before = lines.reduce((sum, { unitPrice, quantity }) => sum + unitPrice * BigInt(quantity), 0n);
  const discount = before + tax + shipping - total;
  const fits = discount >= 0n && lines.every(({ quantity }) => String(quantity).length <= maxQuantityDigits);
  const whole = [{ name: orderName(request), quantity: '1', base_price_money: money(total) }];
  const items = lines.map(({ name, quantity, unitPrice }) => ({
    name: nameOf(name, maxName),
    quantity: String(quantity),
    base_price_money: money(unitPrice),
  }));
  const order = {
    location_id: locationId,
    reference_id: orderId,
    line_items: fits ? items : whole,
    ...(fits && discount > 0n
      ? {
          discounts: [
            {
              uid: 'discount',
              name: 'Discount',
              type: 'FIXED_AMOUNT' as const,
              amount_money: money(discount),
              scope: 'ORDER' as const,
            },
          ],
        }
      : {}),
    ...(fits && tax > 0n
      ? {
          service_charges: [
            { uid: 'tax', name: 'Tax', amount_money: money(tax), calculation_phase: 'TOTAL_PHASE' as const },
          ],
        }
      : {}),
  };
  const fee = { name: nameOf(shippingName ?? 'Shipping', maxName), charge: money(shipping) };
  return {
    idempotency_key: request.checkoutId,
    order,
    checkout_options: {
      redirect_url: request.successUrl,
      ...(fits && shipping > 0n ? { shipping_fee: fee } : {}),
      allow_tipping: false,
      enable_coupon: false,
      enable_loyalty: false,
      ask_for_shipping_address: false,
    },
    ...buyerOf(request),
    // The only text of ours that reaches the payment itself.
    payment_note: cut(`${orderNumber} ${orderId}`, maxNote),
  };
}

/** Prefilled input on the page. Square refuses a whole request for a phone number that it cannot read. */
function buyerOf(request: PageRequest) {
  const { customer, shippingAddress: address } = request;
  const phone = (address?.phone ?? customer.phone ?? '').replace(/[\s()./-]/g, '');
  const country = countryOf(address);
  const buyer = {
    ...(customer.email.length <= maxEmail ? { buyer_email: customer.email } : {}),
    ...(/^\+[1-9]\d{6,14}$/.test(phone) ? { buyer_phone_number: phone } : {}),
    ...(address && country !== null
      ? {
          buyer_address: {
            country,
            ...given({
              first_name: address.firstName,
              last_name: address.lastName,
              address_line_1: address.address1,
              address_line_2: address.address2,
              locality: address.city,
              administrative_district_level_1: address.region,
              postal_code: address.postalCode,
            }),
          },
        }
      : {}),
  };
  return Object.keys(buyer).length > 0 ? { pre_populated_data: buyer } : {};
}

async function pageOf(answer: OutboundAnswer, settings: SquareSettings): Promise<ProviderPage> {
  const link = objectAt(jsonOf(answer), 'payment_link');
  const id = textAt(link, 'id');
  const providerOrder = textAt(link, 'order_id');
  const url = textAt(link, 'url');
  if (id === null || providerOrder === null || url === null) {
    throw unreadable('Square', answer, 'a payment link with an order');
  }
  const orders = listAt(jsonOf(answer), 'related_resources', 'orders');
  const order = orders.find((one) => textAt(one, 'id') === providerOrder) ?? (await readOrder(providerOrder, settings));
  const amount = integerAt(order, 'total_money', 'amount');
  const currency = textAt(order, 'total_money', 'currency');
  if (amount === null || currency === null) throw unreadable('Square', answer, 'the total of its order');
  return { id, providerOrder, url, amount: BigInt(amount), currency };
}

async function readOrder(id: string, settings: SquareSettings): Promise<object | null> {
  const answer = await callSquare(settings, 'GET', `/v2/orders/${encodeURIComponent(id)}`);
  if (answer.status !== 200) throw refusalOf(answer, settings);
  return objectAt(jsonOf(answer), 'order');
}

/** Cancels Square's own order unless it is paid. */
async function cancelOrder({ providerOrder }: PageIds, settings: SquareSettings): Promise<'closed' | 'paid'> {
  if (providerOrder === null) return 'closed';
  for (let reads = 1; ; reads++) {
    const order = await readOrder(providerOrder, settings);
    if (await isPaid(order, settings)) return 'paid';
    if (textAt(order, 'state') === 'CANCELED') return 'closed';
    const version = integerAt(order, 'version');
    const location_id = textAt(order, 'location_id');
    const change = { ...(location_id && { location_id }), ...(version !== null && { version }), state: 'CANCELED' };
    const path = `/v2/orders/${encodeURIComponent(providerOrder)}`;
    const answer = await callSquare(settings, 'PUT', path, { order: change });
    if (answer.status === 200) return 'closed';
    // Changed since it was read, perhaps by a payment.
    if (answer.status === 401 || answer.status === 403 || reads === maxReads) throw refusalOf(answer, settings);
  }
}

/** A paid order stays `OPEN` at Square; the status of its payments tells. */
async function isPaid(order: object | null, settings: SquareSettings): Promise<boolean> {
  if (textAt(order, 'state') === 'COMPLETED') return true;
  for (const tender of listAt(order, 'tenders')) {
    const id = textAt(tender, 'payment_id') ?? textAt(tender, 'id');
    if (id === null) continue;
    const answer = await callSquare(settings, 'GET', `/v2/payments/${encodeURIComponent(id)}`);
    if (answer.status !== 200) throw refusalOf(answer, settings);
    const status = textAt(jsonOf(answer), 'payment', 'status') ?? '';
    if (['APPROVED', 'COMPLETED', 'PENDING'].includes(status)) return true;
  }
  return false;
}

/** Fields of the checkout that explain a refusal, by Square's word for it. */
const inputs: Record<string, string> = {
  INVALID_EMAIL_ADDRESS: 'customer.email',
  INVALID_PHONE_NUMBER: 'customer.phone',
  INVALID_POSTAL_CODE: 'shippingAddress',
  AMOUNT_TOO_LOW: 'items',
  AMOUNT_TOO_HIGH: 'items',
  PAYMENT_LIMIT_EXCEEDED: 'items',
};

/** Square's words for a value that it does not take, as opposed to a field that it does not know. */
const badValue = /^(INVALID_VALUE|INVALID_ENUM_VALUE|VALUE_REGEX_MISMATCH|VALUE_TOO_LONG|UNSUPPORTED_COUNTRY)$/;

function refusalOf(answer: OutboundAnswer, { accessToken, signatureKey }: SquareSettings): Error {
  const refusal = reasonOf(answer);
  const input = answer.status === 400 ? inputOf(refusal) : null;
  return input === null ? refusedSettings(refusal, [accessToken, signatureKey]) : refusedInput(input, refusal);
}

function inputOf({ code, field }: { code: string | null; field: string | null }): string | null {
  if (code === null) return null;
  if (Object.hasOwn(inputs, code)) return inputs[code] ?? null;
  if (!badValue.test(code)) return null;
  if (field?.includes('buyer_email')) return 'customer.email';
  if (field?.includes('buyer_phone_number')) return 'customer.phone';
  return field?.includes('buyer_address') ? 'shippingAddress' : null;
}
