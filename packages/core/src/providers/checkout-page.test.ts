import { pageRequest as requestAt, someAddress } from '@commerce/test-support/fixtures/page-requests';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CommerceError } from '../kernel/errors.ts';
import { pagesOf } from '../payments/settings.ts';
import type { ProviderName } from '../storage/tables/payments.ts';
import { fakeClock, type RunningStub, startProviderStub } from '../testing/index.ts';
import { type Capture, type PageRequest, type ProviderPage, ProviderSettingsError } from './checkout-page.ts';

const clock = fakeClock('2026-11-20T12:00:00Z');
let stub: RunningStub;
beforeAll(async () => {
  stub = await startProviderStub({ clock, retryDelays: [] });
});
afterEach(() => {
  vi.restoreAllMocks();
  stub.calls.length = 0;
});
afterAll(() => stub.close());

function pageRequest(parts: Partial<PageRequest> = {}): PageRequest {
  const now = clock.now();
  return requestAt({ createdAt: now, expiresAt: now + 35 * 60_000, now, ...parts });
}

const silent = async () => 200;
const pages = {
  stripe: () => open('stripe'),
  paypal: () => open('paypal'),
  square: () => open('square'),
};

/** An account with the functions of its pages. */
function open(provider: ProviderName, changes: Record<string, string | undefined> = {}) {
  const settings = { ...stub.account(provider, silent), ...changes };
  const seam = pagesOf(provider);
  return {
    settings,
    ready: () => seam.ready(settings),
    open: (parts: Partial<PageRequest> = {}) => seam.open(pageRequest(parts), settings),
    close: (page: ProviderPage) => seam.close(page, settings, clock.now()),
    capture: (page: Pick<ProviderPage, 'id'>, attempt = 1): Promise<Capture> => {
      if (!seam.capture) throw new Error(`${provider} captures nothing`);
      return seam.capture(page, attempt, settings, clock.now());
    },
    act: (page: ProviderPage, action: 'pay' | 'decline' | 'cancel') => stub.act(provider, page.id, action),
  };
}

const refusal = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => expect.fail('nothing was refused'),
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
};

const each = ['stripe', 'paypal', 'square'] as const;

describe.each(each)('A page of %s', (provider) => {
  it('charges what the order costs, at an address of the provider', async () => {
    const page = await pages[provider]().open();
    expect(page).toMatchObject({ amount: 3465n, currency: 'EUR' });
    expect(page.url).toBe(`${stub.url}/buyer/${provider}/${page.id}`);
    expect(page.providerOrder === null).toBe(provider !== 'square');
    const shown = await (await fetch(page.url)).text();
    expect(shown).toContain('34.65 EUR');
    expect(shown).toContain('2 × Mug');
  });

  it.each([
    ['with a discount, and prices that contain the tax', { discount: 333n, taxIncluded: true }],
    ['without shipping and address', { shipping: 0n, shippingAddress: null, shippingName: null }],
    ['to a country that is written out', { shippingAddress: { ...someAddress, country: 'France' } }],
    [
      'with a name of 700 characters, half of a character and a line break',
      { lines: [line(`${'ü'.repeat(700)}\ud83d\n`)] },
    ],
    ['of a hundred lines', { lines: Array.from({ length: 100 }, (_, n) => line(`Mug ${n}`)) }],
    ['for an unknown name and a phone that is none', { customer: { email: 'a@b.example', name: null, phone: 'none' } }],
    ['in yen', { currency: 'JPY', decimals: 0 }],
  ])('is made %s', async (_, parts) => {
    const request = pageRequest(parts);
    expect(await pages[provider]().open(request)).toMatchObject({ amount: request.total, currency: request.currency });
  });

  it('is the same one for a second request about the same checkout, also later and after a lost answer', async () => {
    const shop = pages[provider]();
    const request = pageRequest();
    stub.fault(`${provider}.create`, 'reset');
    const first = await shop.open(request);
    expect(stub.calls.filter(({ operation }) => operation === `${provider}.create`)).toHaveLength(2);
    clock.advance(600_000);
    expect(await shop.open({ ...request, now: clock.now() })).toEqual(first);
    expect((await shop.open(pageRequest())).id).not.toBe(first.id);
  });

  it('is asked for once more when the provider is at fault for a moment', async () => {
    stub.fault(`${provider}.create`, { status: 503 });
    await pages[provider]().open();
    stub.fault(`${provider}.create`, { status: 429, headers: { 'Retry-After': '1' } });
    await pages[provider]().open();
  });

  it('cannot be had while the provider is at fault, limits calls for long or is not there', async () => {
    const shop = pages[provider]();
    stub.fault(`${provider}.create`, { status: 500 }, { status: 502 });
    expect(await refusal(shop.open())).toMatchObject({ kind: 'unavailable', message: /it answered 502/ });
    stub.fault(`${provider}.create`, { status: 429, headers: { 'Retry-After': '60' } });
    expect(await refusal(shop.open())).toMatchObject({ kind: 'unavailable', message: /too many calls/ });
    expect(stub.calls.filter(({ operation }) => operation === `${provider}.create`)).toHaveLength(3);
    const gone = open(provider, { apiBase: 'http://127.0.0.1:1' });
    expect(await refusal(gone.open())).toMatchObject({
      kind: 'unavailable',
      message: /127\.0\.0\.1:1 could not be reached/,
    });
  });

  it('is waited for 10 s twice and no longer, and found afterwards by the same request', async () => {
    const shop = pages[provider]();
    await shop.open();
    const waited: number[] = [];
    const usual = globalThis.setTimeout;
    // Checks the requested waits instead of waiting.
    const hurried = (work: () => void, ms: number) => {
      if (ms === 10_000) waited.push(ms);
      return usual(work, ms === 10_000 ? 100 : ms);
    };
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(hurried as typeof setTimeout);
    const request = pageRequest();
    stub.fault(`${provider}.create`, 'hang', 'hang');
    const error = await refusal(shop.open(request));
    vi.restoreAllMocks();
    expect(error).toMatchObject({ kind: 'unavailable', message: /no complete answer within 10 s/ });
    expect(waited).toEqual([10_000, 10_000]);
    const sent = stub.calls.filter(({ operation }) => operation === `${provider}.create`).map(({ body }) => body);
    expect(await shop.open(request)).toMatchObject({ amount: request.total });
    expect(stub.calls.at(-1)?.body).toBe(sent.at(-1));
  });

  it('is refused to wrong credentials, in words without any secret', async () => {
    const wrong = {
      stripe: { secretKey: 'sk_test_wrong' },
      paypal: { clientSecret: 'wrong-one' },
      square: { accessToken: 'EAAAwrong' },
    };
    const error = await refusal(open(provider, wrong[provider]).open());
    expect(error).toBeInstanceOf(ProviderSettingsError);
    expect(error.message).toMatch(/401/);
    expect(error.message).not.toMatch(/wrong/);
  });

  it('is refused for an e-mail address that is none, naming it', async () => {
    const customer = { email: 'ada at example', name: null, phone: null };
    const error = await refusal(pages[provider]().open({ customer }));
    expect(error).toBeInstanceOf(CommerceError);
    expect(error).toMatchObject({ kind: 'validation', details: [{ field: 'customer.email' }] });
  });

  it('is ended without having been paid, twice without harm', async () => {
    const shop = pages[provider]();
    const page = await shop.open();
    expect(await shop.close(page)).toBe('closed');
    expect(await shop.close(page)).toBe('closed');
    if (provider === 'paypal') return;
    expect(await shop.act(page, 'pay')).toEqual({ location: null });
  });

  it('that was declined is not paid, and can be ended', async () => {
    const shop = pages[provider]();
    const page = await shop.open();
    await shop.act(page, 'decline');
    expect(await shop.close(page)).toBe('closed');
  });
});

function line(name: string) {
  return { name, sku: null, quantity: 1, unitPrice: 1250n, total: 1250n };
}

describe.each(['stripe', 'square'] as const)('A page of %s that was paid', (provider) => {
  it('cannot be ended any more', async () => {
    const shop = pages[provider]();
    const page = await shop.open();
    expect((await shop.act(page, 'pay')).location).toMatch(/^https:\/\/shop\.example\/thanks/);
    expect(await shop.close(page)).toBe('paid');
  });
});

describe('A page of Stripe', () => {
  it.each([
    ['in 5 minutes', 5, 31],
    ['in 2 hours', 120, 120],
    ['in 2 days', 2880, 1439],
  ])('that should end %s ends within what Stripe allows', async (_, wanted, minutes) => {
    const now = clock.now();
    const page = await pages.stripe().open({ expiresAt: now + wanted * 60_000 });
    const sent = stub.calls.find(({ operation }) => operation === 'stripe.create');
    expect(new URLSearchParams(sent?.body).get('expires_at')).toBe(String(Math.floor(now / 1000) + minutes * 60));
    expect(page.id).toMatch(/^cs_/);
  });

  it('ended by itself is closed', async () => {
    const shop = pages.stripe();
    const page = await shop.open();
    clock.advance(40 * 60_000);
    await stub.tick();
    expect(await shop.close(page)).toBe('closed');
  });

  it('is refused below its least amount, naming the items', async () => {
    const cheap = { lines: [{ ...line('Sticker'), unitPrice: 10n, total: 10n }], shipping: 0n, tax: 0n };
    expect(await refusal(pages.stripe().open(cheap))).toMatchObject({
      kind: 'validation',
      details: [{ field: 'items' }],
    });
  });

  it('names the order in three places, and its version and key in headers', async () => {
    const request = pageRequest();
    await pages.stripe().open(request);
    const [sent] = stub.calls;
    const form = new URLSearchParams(sent?.body);
    for (const name of ['client_reference_id', 'metadata[order_id]', 'payment_intent_data[metadata][order_id]']) {
      expect(form.get(name)).toBe(request.orderId);
    }
    expect(sent?.headers).toMatchObject({
      'idempotency-key': request.checkoutId,
      'stripe-version': '2026-10-28.endive',
      'content-type': 'application/x-www-form-urlencoded',
    });
  });

  it('is not asked for again when Stripe says that it does not help, and is after a conflict', async () => {
    stub.fault('stripe.create', { status: 500, headers: { 'Stripe-Should-Retry': 'false' } });
    expect(await refusal(pages.stripe().open())).toMatchObject({ kind: 'unavailable' });
    expect(stub.calls).toHaveLength(1);
    stub.fault('stripe.create', { status: 409 });
    await pages.stripe().open();
  });

  it('cannot be had for a checkout whose first answer was a fault of Stripe, which it repeats', async () => {
    stub.fault('stripe.create', { status: 500, after: true });
    expect(await refusal(pages.stripe().open())).toMatchObject({ kind: 'unavailable' });
  });
});

describe('A page of PayPal', () => {
  const approved = async () => {
    const shop = pages.paypal();
    const request = pageRequest();
    const page = await shop.open(request);
    const back = await shop.act(page, 'pay');
    return { shop, request, page, back };
  };

  it('leads back with the ids of PayPal, and is captured once, whatever is asked', async () => {
    const { shop, request, page, back } = await approved();
    expect(back.location).toBe(`https://shop.example/thanks?token=${page.id}&PayerID=SIMULATEDBUYER`);
    const first = await shop.capture(page);
    expect(first).toMatchObject({
      outcome: 'captured',
      notice: {
        kind: 'succeeded',
        orderId: request.orderId,
        ids: { order: page.id },
        amount: '34.65',
        currency: 'EUR',
        method: 'paypal',
        wrongPayee: false,
        details: { payerEmail: 'ada@example.com', payerStatus: 'VERIFIED' },
      },
    });
    expect(await shop.capture(page)).toEqual(first);
    // Another request id, as after a lost answer that was counted: PayPal's order shows it.
    expect(await shop.capture(page, 2)).toEqual(first);
    expect(stub.notifications.filter(({ event }) => event === 'PAYMENT.CAPTURE.COMPLETED').length).toBeGreaterThan(0);
  });

  it('is captured although the answer is lost', async () => {
    const { shop, page } = await approved();
    stub.fault('paypal.capture', 'reset');
    expect(await shop.capture(page)).toMatchObject({ outcome: 'captured' });
    const other = await approved();
    stub.fault('paypal.capture', { status: 500, after: true });
    expect(await other.shop.capture(other.page)).toMatchObject({ outcome: 'captured' });
  });

  it('is found captured when another call is in the way', async () => {
    const { shop, page } = await approved();
    await shop.capture(page);
    stub.fault('paypal.capture', { status: 409 });
    expect(await shop.capture(page, 2)).toMatchObject({ outcome: 'captured' });
  });

  it('is not captured before the buyer agreed', async () => {
    const shop = pages.paypal();
    const page = await shop.open();
    expect(await shop.capture(page)).toEqual({ outcome: 'notApproved' });
  });

  it('can be paid otherwise after a decline, with a new attempt', async () => {
    const shop = pages.paypal();
    const page = await shop.open();
    await shop.act(page, 'decline');
    expect(await shop.capture(page, 1)).toEqual({ outcome: 'declined' });
    await shop.act(page, 'pay');
    // The same attempt has the same result.
    expect(await shop.capture(page, 1)).toEqual({ outcome: 'declined' });
    expect(await shop.capture(page, 2)).toMatchObject({ outcome: 'captured' });
  });

  it('is gone after some hours', async () => {
    const { shop, page } = await approved();
    clock.advance(3 * 3_600_000);
    expect(await shop.capture(page)).toEqual({ outcome: 'expired' });
  });

  it('reports money that goes to another account than the configured one', async () => {
    const { shop, page } = await approved();
    const seam = pagesOf('paypal');
    const settings = { ...shop.settings, merchantId: 'ANOTHER' };
    expect(await seam.capture?.(page, 1, settings, clock.now())).toMatchObject({ notice: { wrongPayee: true } });
  });

  it('is refused for an address without the postal code that its country has, naming the address', async () => {
    const shippingAddress = { ...someAddress, postalCode: null };
    expect(await refusal(pages.paypal().open({ shippingAddress }))).toMatchObject({
      kind: 'validation',
      details: [{ field: 'shippingAddress' }],
    });
  });

  it('gets a new token when the one in use has ended early', async () => {
    const shop = pages.paypal();
    await shop.open();
    stub.fault('paypal.create', { status: 401 });
    await shop.open();
    expect(stub.calls.map(({ operation }) => operation)).toEqual(
      'paypal.token paypal.create paypal.create paypal.token paypal.create'.split(' '),
    );
  });
});

/** Answers of PayPal that the stub does not produce itself. */
describe('A capture by PayPal ends in', () => {
  it.each<[number, string, string]>([
    [422, 'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED', 'final'],
    [422, 'PAYER_ACCOUNT_RESTRICTED', 'final'],
    [422, 'TRANSACTION_REFUSED', 'final'],
    [422, 'COMPLIANCE_VIOLATION', 'final'],
    [422, 'PAYER_ACTION_REQUIRED', 'declined'],
    [422, 'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING', 'declined'],
    [422, 'PAYEE_ACCOUNT_RESTRICTED', 'settings'],
    [403, 'PERMISSION_DENIED', 'settings'],
    [400, 'INVALID_REQUEST', 'settings'],
  ])('%i %s: %s', async (status, issue, outcome) => {
    const shop = pages.paypal();
    const page = await shop.open();
    stub.fault('paypal.capture', { status, body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }] } });
    if (outcome === 'settings') expect(await refusal(shop.capture(page))).toBeInstanceOf(ProviderSettingsError);
    else expect(await shop.capture(page)).toEqual({ outcome });
  });

  it.each([
    ['COMPLETED', 'captured'],
    ['PENDING', 'pending'],
    ['DECLINED', 'final'],
    ['FAILED', 'final'],
  ])('a capture that is %s: %s, although the order is COMPLETED', async (status, outcome) => {
    const shop = pages.paypal();
    const page = await shop.open();
    const captures = [{ id: 'C1', status, amount: { value: '34.65', currency_code: 'EUR' } }];
    const body = { id: page.id, status: 'COMPLETED', purchase_units: [{ payments: { captures } }] };
    stub.fault('paypal.capture', { status: 201, body });
    expect(await shop.capture(page)).toMatchObject({ outcome });
  });
});

describe('A page of Square', () => {
  it('is cancelled with its order also after a failed try, when deleting the link leaves the order', async () => {
    const shop = pages.square();
    const page = await shop.open();
    await shop.act(page, 'decline');
    stub.calls.length = 0;
    expect(await shop.close(page)).toBe('closed');
    expect(stub.calls.map(({ operation }) => operation)).toEqual(['square.delete', 'square.order', 'square.update']);
    expect(await shop.act(page, 'pay')).toEqual({ location: null });
  });

  it('paid while it is being ended is found paid', async () => {
    const shop = pages.square();
    const page = await shop.open();
    await shop.act(page, 'decline');
    stub.fault('square.update', { delay: 300 });
    const closing = shop.close(page);
    await expect.poll(() => stub.calls.some(({ operation }) => operation === 'square.update')).toBe(true);
    await shop.act(page, 'pay');
    expect(await closing).toBe('paid');
  });

  it('is refused for another location, as a setting', async () => {
    const error = await refusal(open('square', { locationId: 'LOTHER' }).open());
    expect(error).toBeInstanceOf(ProviderSettingsError);
    expect(error.message).toMatch(/NOT_FOUND, order\.location_id/);
  });

  it('names the order on its order and in the note of the payment', async () => {
    const request = pageRequest();
    await pages.square().open(request);
    const sent = JSON.parse(stub.calls[0]?.body ?? '');
    expect(sent.order.reference_id).toBe(request.orderId);
    expect(sent.payment_note).toBe(`${request.orderNumber} ${request.orderId}`);
    expect(stub.calls[0]?.headers['square-version']).toBe('2026-05-20');
  });
});

describe('Pages can be made', () => {
  it.each<[ProviderName, Record<string, undefined>, boolean]>([
    ['stripe', {}, true],
    ['stripe', { secretKey: undefined }, false],
    ['paypal', {}, true],
    ['square', {}, true],
    ['square', { accessToken: undefined }, false],
    ['square', { locationId: undefined }, false],
  ])('by %s with %o: %s', (provider, changes, expected) => {
    expect(open(provider, changes).ready()).toBe(expected);
  });
});
