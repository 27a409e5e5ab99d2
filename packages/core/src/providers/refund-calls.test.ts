import { pageRequest as requestAt } from '@commerce/test-support/fixtures/page-requests';
import { type Square, SquareClient } from 'square';
import Stripe from 'stripe';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pagesOf, refundsOf } from '../payments/settings.ts';
import { type ProviderName, providerNames } from '../storage/tables/payments.ts';
import { fakeClock, type RunningStub, startProviderStub } from '../testing/index.ts';
import { paypalRefund } from './paypal/refund.ts';
import { markedRefund, type RefundRequest, refundMark } from './refund-calls.ts';
import { squareRefund } from './square/refund.ts';
import { stripeRefund } from './stripe/refund.ts';

const clock = fakeClock('2026-11-20T12:00:00Z');
let stub: RunningStub;
beforeAll(async () => {
  stub = await startProviderStub({ clock, retryDelays: [], ticks: false });
});
beforeEach(() => {
  stub.calls.length = 0;
});
afterAll(() => stub.close());

const refundId = '0193d3f0-4bb8-7168-ba4b-50d273910fcc';
const orderId = '0193d3f0-4bb8-7168-ba4b-50d273910fcd';
const silent = async () => 200;
const base: RefundRequest = {
  ...{ refundId, orderId, payment: { intent: 'pi_1' }, amount: 500n, currency: 'EUR', decimals: 2 },
  now: clock.now(),
};

/** A payment of 25.00 at the provider. */
async function paid(provider: ProviderName) {
  const settings = stub.account(provider, silent) as Record<string, string | undefined>;
  const now = clock.now();
  const page = await pagesOf(provider).open(requestAt({ createdAt: now, expiresAt: now + 35 * 60_000, now }), settings);
  await stub.act(provider, page.id, 'pay');
  await pagesOf(provider).capture?.(page, 1, settings, now);
  const { payment = '', amount } = stub.books(provider).find((one) => one.page === page.id) ?? {};
  const ids = {
    stripe: { intent: payment ?? '' },
    paypal: { capture: payment ?? '' },
    square: { payment: payment ?? '' },
  };
  const request: RefundRequest = { ...base, refundId: crypto.randomUUID(), payment: ids[provider] };
  return { settings, request, calls: refundsOf(provider), page, total: amount ?? 0n };
}

describe.each(providerNames)('Refunds of %s', (provider) => {
  it('are made once for one id, and found by it', async () => {
    const { settings, request, calls } = await paid(provider);
    expect(await calls.find(request, settings)).toBeNull();
    const first = await calls.refund(request, settings);
    expect(first).toMatchObject({ refund: { id: expect.any(String), amount: '5.00', ours: request.refundId } });
    expect(await calls.refund({ ...request, now: request.now + 1 }, settings)).toMatchObject({
      refund: { id: 'refund' in first ? first.refund.id : '' },
    });
    expect(await calls.find(request, settings)).toMatchObject({
      amount: '5.00',
      status: 'completed',
      ours: request.refundId,
    });
    expect(await calls.find({ ...request, refundId: orderId }, settings)).toBeNull();
    // Of several, the one with the id.
    const second = { ...request, refundId: crypto.randomUUID(), amount: 700n };
    await calls.refund(second, settings);
    expect(await calls.find(request, settings)).toMatchObject({ amount: '5.00' });
    expect(await calls.find(second, settings)).toMatchObject({ amount: '7.00' });
  });

  it('are refused with a reason that contains no secret, and asked for once', async () => {
    const { settings, request, calls, total } = await paid(provider);
    const answer = await calls.refund({ ...request, amount: total + 1n }, settings);
    expect(answer).toMatchObject({ refused: expect.stringMatching(/^\w+ refused the refund \(4\d\d, \w+\): /) });
    const secrets = Object.values(settings).filter((value) => value && !value.startsWith('http'));
    const body = {
      error: { message: secrets.join(' ') },
      message: secrets.join(' '),
      errors: [{ detail: secrets.join(' ') }],
    };
    stub.fault(`${provider}.refund`, { status: 403, body });
    const told = JSON.stringify(await calls.refund({ ...request, refundId: crypto.randomUUID() }, settings));
    for (const name of ['secretKey', 'clientSecret', 'accessToken']) {
      const secret = settings[name];
      if (secret) expect(told).not.toContain(secret);
    }
    const asked = () => stub.calls.filter(({ operation }) => operation === `${provider}.refund`).length;
    const before = asked();
    for (const fault of [{ status: 500 }, { status: 429 }, 'reset'] as const) {
      stub.fault(`${provider}.refund`, fault);
      const other = { ...request, refundId: crypto.randomUUID() };
      await expect(calls.refund(other, settings)).rejects.toMatchObject({ kind: 'unavailable' });
    }
    expect(asked()).toBe(before + 3);
  });

  it('are not taken for missing while the provider refuses to list them', async () => {
    const { settings, request, calls } = await paid(provider);
    const operations = { stripe: 'refunds', paypal: 'get', square: 'payment' };
    for (const status of [401, 403, 404, 500]) {
      stub.fault(`${provider}.${operations[provider]}`, { status }, { status });
      await expect(calls.find(request, settings)).rejects.toMatchObject({ kind: 'unavailable' });
      stub.fault(`${provider}.${operations[provider]}`);
    }
  });
});

describe('A refund', () => {
  it("has the form of the provider's own types", () => {
    const sent: { stripe: Stripe.RefundCreateParams; square: unknown } = {
      stripe: stripeRefund(base),
      square: squareRefund({ ...base, payment: { payment: 'p' } }),
    };
    expect(sent.stripe).toEqual({
      ...{ payment_intent: 'pi_1', amount: 500 },
      metadata: { refund_id: refundId, order_id: orderId },
    });
    expect(sent.square).toEqual({
      ...{ idempotency_key: refundId, payment_id: 'p', amount_money: { amount: 500, currency: 'EUR' } },
      reason: `refund ${refundId}`,
    });
    // Square's limit for the key.
    expect(refundId.length).toBeLessThanOrEqual(45);
    expect(paypalRefund(base)).toEqual({
      amount: { currency_code: 'EUR', value: '5.00' },
      custom_id: `refund ${refundId}`,
    });
  });

  it('is counted as each provider counts the currency', () => {
    const yen = { ...base, amount: 500n, currency: 'JPY', decimals: 0 };
    expect(stripeRefund(yen)).toMatchObject({ amount: 500 });
    expect(paypalRefund(yen)).toMatchObject({ amount: { value: '500' } });
    // Stripe sends króna with two decimals, PayPal forints with none.
    expect(stripeRefund({ ...yen, currency: 'ISK' })).toMatchObject({ amount: 50_000 });
    expect(paypalRefund({ ...base, currency: 'HUF' })).toMatchObject({ amount: { value: '5' } });
    expect(stripeRefund({ ...base, amount: 5000n, currency: 'KWD', decimals: 3 })).toMatchObject({ amount: 5000 });
  });

  it('names a charge without an intent, and no order if it paid none', () => {
    expect(stripeRefund({ ...base, payment: { charge: 'ch_1' }, orderId: null })).toEqual({
      ...{ charge: 'ch_1', amount: 500, metadata: { refund_id: refundId } },
    });
  });

  it('is recognised by its mark alone', () => {
    expect(markedRefund(refundMark(refundId))).toBe(refundId);
    for (const text of [null, '', refundId, `refund ${refundId} `, 'refund x', `a refund ${refundId}`]) {
      expect(markedRefund(text)).toBeNull();
    }
  });

  it("is what the provider's own client library makes of it", async () => {
    const stripe = await paid('stripe');
    const client = new Stripe(stripe.settings.secretKey ?? '', {
      ...{ host: '127.0.0.1', port: new URL(stub.url).port, protocol: 'http', maxNetworkRetries: 0 },
    });
    const { refundId: idempotencyKey } = stripe.request;
    const made = await client.refunds.create(stripeRefund(stripe.request), { idempotencyKey });
    expect(await stripe.calls.find(stripe.request, stripe.settings)).toMatchObject({ id: made.id });

    const square = await paid('square');
    const other = new SquareClient({ token: square.settings.accessToken ?? '', environment: stub.url, maxRetries: 0 });
    const { idempotency_key, payment_id, amount_money, reason } = squareRefund(square.request);
    const money = { amount: BigInt(amount_money.amount), currency: amount_money.currency as Square.Currency };
    const { refund } = await other.refunds.refundPayment({
      ...{ idempotencyKey: idempotency_key, paymentId: payment_id ?? '', amountMoney: money, reason },
    });
    expect(await square.calls.find(square.request, square.settings)).toMatchObject({ id: refund?.id });
  });
});
