import * as z from 'zod';
import type { Context } from '../../engine/context.ts';
import type { StoreContext } from '../../engine/store.ts';
import type { TaxAddress, TaxAnswer, TaxRequest } from '../../engine/tax-function.ts';
import { refuseInUnit } from '../../engine/transaction.ts';
import { taxRate } from '../../fields/money.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { applyRate, formatMoney, type Minor, minorOf, parseMoney, parseRate } from '../../kernel/money.ts';
import type { AddressSnapshot } from '../../orders/fields.ts';
import { spread } from '../../providers/checkout-sums.ts';
import type { AskedTaxes, Cart } from './cart.ts';
import { isPickedUp } from './cart-tax.ts';
import { containedTax, type TaxEntry, type TaxRule, taxKey } from './taxes.ts';

/** Milliseconds that an application's tax function has to answer. */
const maxWait = 10_000;

/** Times that it is asked for one order, whose prices can change meanwhile. */
const maxAsked = 4;

/** Thrown where taxes are needed that were not asked for: `withOwnTaxes` asks and tries again. */
class TaxesNeeded extends Error {
  override readonly name = 'TaxesNeeded';
  constructor(readonly request: TaxRequest) {
    super('taxes have to be asked for');
  }
}

const notAsked: AskedTaxes = { key: null, answer: { lines: [], shipping: null } };

/**
 * Prices with the taxes of `openCommerce({ taxes })`. The function is asked between two attempts, outside of their transactions, until what
 * it was asked for is what is sold.
 * @param work prices once; undoes everything when it throws
 * @throws CommerceError `unavailable` if the function fails or answers taxes that do not add up, or if prices keep changing; `conflict` in
 * `commerce.transaction()`, which cannot wait for it
 */
export async function withOwnTaxes<T>(
  { engine }: Context,
  work: (asked: AskedTaxes | undefined) => Promise<T>,
): Promise<T> {
  if (!engine.taxes) return work(undefined);
  let asked = notAsked;
  for (let times = 0; ; times++) {
    try {
      return await work(asked);
    } catch (error) {
      if (!(error instanceof TaxesNeeded)) throw error;
      refuseInUnit(engine, 'the order needs a taxRate, because the function `taxes` of openCommerce cannot be asked');
      if (times === maxAsked)
        throw new CommerceError('unavailable', 'prices changed while taxes were asked for; try again');
      asked = { key: keyOf(error.request), answer: await answerOf(engine.taxes, error.request) };
    }
  }
}

const keyOf = (request: TaxRequest) => JSON.stringify(request);

async function answerOf(taxes: NonNullable<Context['engine']['taxes']>, request: TaxRequest): Promise<TaxAnswer> {
  const signal = AbortSignal.timeout(maxWait);
  const ended = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  let answer: TaxAnswer;
  try {
    answer = await Promise.race([taxes(request, { signal }), ended]);
  } catch (cause) {
    throw new CommerceError('unavailable', 'the taxes could not be reckoned; nothing was ordered', { cause });
  }
  const problem = problemOf(request, answer);
  if (problem === undefined) return answer;
  const cause = new Error(`the function \`taxes\` of openCommerce: ${problem}`);
  throw new CommerceError('unavailable', 'the taxes could not be reckoned; nothing was ordered', { cause });
}

const ownTax = (decimals: number) =>
  z.object({
    rate: taxRate,
    tax: z.string().refine((tax) => parseMoney(tax, decimals) !== undefined, 'must be an amount in the currency'),
    country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullish(),
    region: z.string().max(10).nullish(),
    name: z.string().max(50).nullish(),
  });

/** What is wrong with an answer; undefined if it adds up. */
function problemOf({ decimals, lines, shipping, taxIncluded }: TaxRequest, answer: TaxAnswer): string | undefined {
  const schema = z.object({
    lines: z.array(ownTax(decimals)).length(lines.length),
    shipping: ownTax(decimals).nullable(),
  });
  const { success, error } = schema.safeParse(answer);
  if (!success) return `its answer is wrong: ${z.prettifyError(error)}`;
  const given = [
    ...answer.lines.map((own, i) => ({
      at: `lines.${i}`,
      own,
      amount: lines[i]?.amount ?? '0',
      pieces: lines[i]?.quantity ?? 1,
    })),
    ...(answer.shipping ? [{ at: 'shipping', own: answer.shipping, amount: shipping, pieces: 1 }] : []),
  ];
  for (const { at, own, amount, pieces } of given) {
    const tax = parseMoney(own.tax, decimals) ?? 0n;
    const whole = minorOf(amount);
    const rate = parseRate(own.rate) ?? { numerator: 0n, denominator: 1n };
    const expected = taxIncluded ? containedTax(whole, own.rate) : applyRate(whole, rate);
    const off = tax > expected ? tax - expected : expected - tax;
    // A service can round the tax of each piece.
    if (off > BigInt(pieces)) return `${at}.tax is ${own.tax}, which is not ${own.rate} of ${amount}`;
    if (tax > whole) return `${at}.tax is ${own.tax}, which is more than the amount ${amount}`;
  }
  return undefined;
}

/** The taxes of an answer: of each line its rule, and of all the entries. */
export interface OwnTaxed {
  rules: TaxRule[];
  entries: TaxEntry[];
  tax: Minor;
}

/**
 * The taxes that were asked for.
 * @throws TaxesNeeded if something else was asked for
 */
export function ownTaxesOf(asked: AskedTaxes, request: TaxRequest): OwnTaxed {
  const { decimals, taxIncluded, lines, shipping } = request;
  if (lines.length === 0) return { rules: [], entries: [], tax: 0n };
  if (asked.key !== keyOf(request)) throw new TaxesNeeded(request);
  const entries = new Map<string, TaxEntry>();
  const add = (
    { rate, tax: given, country = null, region = null, name = null }: TaxAnswer['lines'][number],
    amount: Minor,
  ) => {
    const rule: TaxRule = { country, region, rate, name };
    const tax = parseMoney(given, decimals) ?? 0n;
    const key = taxKey(rule);
    const entry = entries.get(key) ?? { ...rule, base: 0n, amount: 0n };
    entry.base += taxIncluded ? amount - tax : amount;
    entry.amount += tax;
    entries.set(key, entry);
    return rule;
  };
  const rules = asked.answer.lines.map((own, i) => add(own, minorOf(lines[i]?.amount ?? '0')));
  if (asked.answer.shipping) add(asked.answer.shipping, minorOf(shipping));
  const all = [...entries.values()];
  return {
    rules,
    entries: all.filter(({ base, amount }) => base > 0n || amount > 0n),
    tax: all.reduce((sum, { amount }) => sum + amount, 0n),
  };
}

/** What taxes are asked for. @param amounts of the lines with a product, after their own discounts, in minor units */
export function taxRequestOf(
  cart: Cart,
  { currency, decimals, id, settings }: StoreContext,
  { amounts, discount, shipping }: { amounts: readonly Minor[]; discount: Minor; shipping: Minor },
): TaxRequest {
  const discounts = spread(discount, amounts);
  const format = (amount: Minor) => formatMoney(amount, decimals);
  const known = cart.lines.filter(({ product }) => product);
  const { country, region = null, postalCode = null } = cart;
  const place = country === null ? null : { ...nowhere, country, region, postalCode };
  return {
    ...{ storeId: id, currency, decimals, taxIncluded: settings.taxIncluded },
    shippingAddress: addressOf(cart.shippingAddress) ?? place,
    billingAddress: addressOf(cart.billingAddress),
    isPickup: isPickedUp(cart, settings),
    lines: known.flatMap(({ product, quantity }, i) => {
      if (!product) return [];
      const { id: productId, sku, title, taxClass } = product;
      return [{ productId, sku, title, taxClass, quantity, amount: format((amounts[i] ?? 0n) - (discounts[i] ?? 0n)) }];
    }),
    shipping: format(shipping),
  };
}

const nowhere: TaxAddress = {
  address1: null,
  address2: null,
  city: null,
  region: null,
  postalCode: null,
  country: null,
};

function addressOf(address: AddressSnapshot | null | undefined): TaxAddress | null {
  if (!address) return null;
  const { address1, address2, city, region, postalCode, country } = address;
  return { address1, address2, city, region, postalCode, country };
}
