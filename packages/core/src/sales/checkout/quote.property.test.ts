import { shopUrl, useSelling } from '@commerce/test-support/fixtures/selling';
import { newProduct } from '@commerce/test-support/fixtures/shop';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import fc from 'fast-check';
import { beforeAll, expect, it } from 'vitest';
import {
  type CheckoutInput,
  type CommerceError,
  type Context,
  cancelCheckout,
  createCheckout,
  createDiscount,
  getOrder,
  getProduct,
  type ProviderName,
  quoteCheckout,
  updateDiscount,
  updateProduct,
  updateSettings,
} from '../../index.ts';
import { sharesOf } from '../shares/shares.ts';

/** A currency of each number of decimals that providers take. */
const currencies = [
  { currency: 'JPY', decimals: 0 },
  { currency: 'EUR', decimals: 2 },
  { currency: 'KWD', decimals: 3 },
] as const;

const skus = ['A', 'B', 'C'];

const rate = (country: string, taxClass: string, rate: string, region: string | null = null) => ({
  ...{ country, region, class: taxClass, rate, name: null },
});
const rates = [
  ...[rate('DE', 'standard', '0.19'), rate('DE', 'reduced', '0.07')],
  ...[rate('AT', 'standard', '0.2'), rate('AT', 'reduced', '0.1')],
];

/** Digits as an amount with these decimals: 1234 with three is "1.234". */
const printed = (digits: number, decimals: number) =>
  decimals === 0 ? String(digits) : (digits / 10 ** decimals).toFixed(decimals);

/** Mostly one of the usual values: with rare ones everywhere, hardly any checkout would be made. */
const often = <T>(usual: readonly T[], ...rare: readonly T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...rare) });

const discount = fc.record({
  type: fc.constantFrom('percent' as const, 'amount' as const),
  digits: fc.integer({ min: 0, max: 10_000 }),
  minimum: fc.option(fc.integer({ min: 0, max: 10_000 })),
  ends: fc.constantFrom('never', 'never', 'never', 'never', 'never', 'ended', 'not begun'),
  limit: fc.constantFrom(null, 1_000_000_000),
});

const countries = fc.constantFrom<(string[] | null)[]>(null, null, ['DE'], ['AT', 'DE']);

const method = fc.record({
  price: fc.integer({ min: 0, max: 2000 }),
  freeFrom: fc.option(fc.integer({ min: 0, max: 20_000 })),
  countries,
  kind: fc.constantFrom('ship', 'ship', 'pickup'),
  active: often([true], false),
  bands: fc.constantFrom('none', 'none', 'weight', 'subtotal'),
  include: often<string[] | null>([null], ['1'], ['2']),
});

const way = fc.record({
  kind: fc.constantFrom('provider', 'transfer', 'cash_on_delivery', 'on_pickup', 'invoice'),
  provider: fc.constantFrom('stripe', 'stripe', 'square', 'paypal'),
  countries,
  /** Minimum and maximum. */
  totals: fc.tuple(
    fc.option(fc.integer({ min: 0, max: 5000 }), { freq: 1 }),
    fc.option(fc.integer({ min: 5000, max: 60_000 })),
  ),
  active: fc.constantFrom(true, true, true, false),
});

const situation = fc.record({
  prices: fc.tuple(...skus.map(() => fc.integer({ min: 0, max: 9999 }))),
  stocks: fc.tuple(...skus.map(() => fc.constantFrom(0, 1, 5, 24, 24, 24, 24, 24, 24))),
  backorder: fc.boolean(),
  shipped: fc.tuple(...skus.map(() => fc.constantFrom(true, true, true, false))),
  postalCode: often(['10115'], undefined),
  taxRate: fc.constantFrom('0', '0.07', '0.19', '0.081', '0.000001', '1'),
  taxIncluded: fc.boolean(),
  /** Taxes by country and class, the tax of shipping among them; null for the one rate. */
  taxes: fc.option(
    fc.record({
      scope: fc.constantFrom('origin' as const, 'destination' as const),
      rates: fc.constantFrom(rates, rates, [...rates, rate('US', 'standard', '0.05', 'CA')]),
      shipping: fc.constantFrom(null, 'proportional', 'none', 'reduced'),
    }),
  ),
  exempt: often([false], true),
  minSubtotal: fc.option(fc.integer({ min: 0, max: 3000 }), { freq: 1 }),
  methods: fc.array(method, { maxLength: 2 }),
  /** Ways to pay of the settings; without any, the providers are the ways. */
  ways: fc.oneof(fc.array(way, { maxLength: 0 }), fc.array(way, { minLength: 1, maxLength: 3 })),
  discount,
  items: fc.array(fc.record({ sku: often(skus, 'NONE'), quantity: fc.integer({ min: 1, max: 6 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  code: often([undefined, 'code', 'CODE'], 'other'),
  country: often(['DE', 'de'], 'AT', 'US', undefined),
  shippingMethodId: often(['m0'], 'm1', 'none', undefined),
  chosen: fc.record({
    /** Without ways in the settings. */
    provider: often<ProviderName | undefined>(['stripe', 'square'], 'paypal', undefined),
    /** With ways in the settings. */
    way: often(['w0', 'w1'], 'w2', 'stripe', undefined),
    /** Whether a provider is named in its own field. */
    asProvider: fc.boolean(),
  }),
});

function ratesOf({ bands, price }: Situation['methods'][number], decimals: number) {
  if (bands === 'none') return null;
  const dear = printed(price + 500, decimals);
  return bands === 'weight'
    ? [
        { upToWeight: 900, price: printed(price, decimals) },
        { upToWeight: 2400, price: dear },
      ]
    : [{ upToSubtotal: printed(9999, decimals), price: printed(price, decimals) }, { price: dear }];
}

/** The chosen way to pay as a body names it. */
function chosenIn({ ways, chosen }: Situation): Pick<CheckoutInput, 'provider' | 'paymentMethodId'> {
  if (ways.length > 0) return { paymentMethodId: chosen.way ?? null };
  const { provider = null } = chosen;
  return chosen.asProvider && provider !== null ? { provider } : { paymentMethodId: provider };
}

type Situation = typeof situation extends fc.Arbitrary<infer S> ? S : never;

forEachStorage('a quote and the checkout of the same body', (database) => {
  const { clock, openShop } = useSelling(database);
  const shops = new Map<string, { shop: Context; discountId: string; products: string[] }>();

  const outcomes = { withPage: 0, withoutPage: 0, free: 0 };

  beforeAll(async () => {
    for (const { currency } of currencies) {
      const { shop } = await openShop(['stripe', 'square'], { currency, more: { price: '12' } });
      const { id } = await createDiscount(shop, { code: 'Code', type: 'percent', value: '1' });
      const products: string[] = [];
      for (const sku of skus) {
        const taxClass = sku === 'C' ? 'reduced' : 'standard';
        products.push((await newProduct(shop, { sku, trackStock: true, taxClass })).id);
      }
      shops.set(currency, { shop, discountId: id, products });
    }
  });

  async function arrange(currency: string, decimals: number, given: Situation): Promise<Context> {
    const { shop, discountId, products } = shops.get(currency) as NonNullable<ReturnType<typeof shops.get>>;
    const amount = (digits: number | null) => (digits === null ? null : printed(digits, decimals));
    await updateSettings(shop, {
      taxRate: given.taxRate,
      taxIncluded: given.taxIncluded,
      country: 'DE',
      taxes: given.taxes,
      minSubtotal: amount(given.minSubtotal),
      shippingMethods: given.methods.map((one, i) => ({
        id: `m${i}`,
        name: `Method ${i}`,
        price: printed(one.price, decimals),
        freeFrom: amount(one.freeFrom),
        countries: one.countries,
        kind: one.kind,
        active: one.active,
        rates: ratesOf(one, decimals),
        postalPrefixes: one.include && { include: one.include },
      })),
      paymentMethods: given.ways.map(({ kind, provider, countries, totals: [min, max], active }, i) => ({
        id: `w${i}`,
        name: `Way ${i}`,
        kind,
        ...(kind === 'provider' && { provider }),
        countries,
        minTotal: amount(min),
        maxTotal: amount(max),
        active,
      })),
    });
    for (const [i, id] of products.entries()) {
      const price = printed(given.prices[i] ?? 0, decimals);
      // Orders of earlier runs have moved the stock.
      const { updatedAt } = await getProduct(shop, id);
      const stock = given.stocks[i] ?? 0;
      const goods = { weight: i === 0 ? null : i * 300, requiresShipping: given.shipped[i] ?? true };
      await updateProduct(shop, id, { price, stock, allowBackorder: given.backorder, ...goods, updatedAt });
    }
    const { type, digits, minimum, ends, limit } = given.discount;
    const day = 86_400_000;
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    await updateDiscount(shop, discountId, {
      type,
      value: type === 'percent' ? printed(digits, 2) : printed(digits, decimals),
      minSubtotal: amount(minimum),
      startsAt: ends === 'not begun' ? at(day) : null,
      endsAt: ends === 'ended' ? at(-day) : null,
      usageLimit: limit,
    });
    return shop;
  }

  it.each(currencies)(
    'have the same numbers, or the same first problem, in $currency',
    async ({ currency, decimals }) => {
      let made = 0;
      const numRuns = repeats({ suite: 60, nightly: 1000 });
      await fc.assert(
        fc.asyncProperty(situation, async (given) => {
          const shop = await arrange(currency, decimals, given);
          const body: CheckoutInput = {
            items: given.items,
            customer: { email: 'ada@shop.test' },
            discountCode: given.code ?? null,
            taxExempt: given.exempt ? { reason: 'intraCommunity' } : null,
            shippingMethodId: given.shippingMethodId,
            ...chosenIn(given),
            shippingAddress:
              given.country === undefined ? null : { country: given.country, postalCode: given.postalCode ?? null },
            successUrl: shopUrl,
            cancelUrl: shopUrl,
          };
          const quote = await quoteCheckout(shop, body);
          const minor = (amount: string) => BigInt(amount.replace('.', ''));
          const sum = (amounts: string[]) => amounts.map(minor).reduce((a, b) => a + b, 0n);
          const added = quote.taxIncluded ? 0n : minor(quote.tax);
          expect(minor(quote.total)).toBe(
            minor(quote.subtotal) - minor(quote.discount) + minor(quote.shipping) + added,
          );
          expect(sum(quote.lines.flatMap(({ total }) => total ?? []))).toBe(minor(quote.subtotal));
          expect(sum(quote.taxes.map(({ amount }) => amount))).toBe(minor(quote.tax));
          const [problem] = quote.problems;
          const outcome = await createCheckout(shop, body).then(
            (checkout) => ({ checkout }),
            (error: CommerceError) => ({ error }),
          );
          if ('error' in outcome) {
            // A provider has a least amount of its own, which only it knows.
            if (!problem && /Stripe refused it: .*at least/.test(outcome.error.message)) return;
            expect(outcome.error.details[0]).toMatchObject({ code: problem?.code });
            return;
          }
          expect(quote.problems).toEqual([]);
          made++;
          const { checkout } = outcome;
          const { subtotal, discount, shipping, tax, total } = quote;
          expect(checkout).toMatchObject({ currency, subtotal, discount, shipping, tax, total });
          const order = await getOrder(shop, checkout.orderId);
          expect(order.taxes.filter(({ amount }) => minor(amount) > 0n)).toEqual(quote.taxes);
          expect(order.items.map(({ taxRate }) => taxRate)).toEqual(quote.lines.map(({ taxRate }) => taxRate));
          const taxed = sum(order.taxes.flatMap(({ base, amount }) => [base, amount]));
          const untaxed = minor(order.total) - taxed;
          expect(untaxed === 0n || untaxed === minor(order.shipping)).toBe(true);
          const shares = sharesOf(order);
          expect(shares.lines.reduce((all, share) => all + share, shares.shipping)).toBe(minor(order.total));
          const isOffered = quote.paymentMethods.find(({ id }) => id === quote.paymentMethodId);
          expect(order.paymentOption).toEqual(isOffered ?? null);
          const isOpen = isOffered?.kind === 'provider';
          const way = given.ways[Number(isOffered?.id.replace('w', ''))];
          expect(checkout.provider).toBe(isOpen ? (way?.provider ?? quote.paymentMethodId) : null);
          expect(checkout.status).toBe(isOpen ? 'open' : isOffered ? 'placed' : 'paid');
          outcomes[isOpen ? 'withPage' : isOffered ? 'withoutPage' : 'free']++;
          expect(order.shippingMethod?.id ?? null).toBe(quote.shippingMethodId);
          expect(order.items.map(({ unitPrice, quantity }) => ({ unitPrice, quantity }))).toEqual(
            quote.lines.map(({ unitPrice, quantity }) => ({ unitPrice, quantity })),
          );
          if (checkout.status !== 'paid') await cancelCheckout(shop, checkout.id);
        }),
        { numRuns },
      );
      expect(made).toBeGreaterThan(numRuns / 60);
    },
  );

  it('were tried with payment pages and without', () => {
    expect(outcomes.withPage).toBeGreaterThan(0);
    expect(outcomes.withoutPage).toBeGreaterThan(0);
  });
});
