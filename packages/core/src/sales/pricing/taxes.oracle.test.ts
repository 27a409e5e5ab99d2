import { expect, it } from 'vitest';
import { formatMoney } from '../../kernel/money.ts';
import { shareOfPieces, sharesOf } from '../shares/shares.ts';
import { type TaxedCart, taxesOf } from './taxes.ts';

/*
 * A second reckoning that shares no code with the first one: it splits by giving away one unit after the other, and rounds by comparing
 * remainders. Numbers below 2^53 are exact.
 */

/** Pseudo-random numbers that every run repeats: mulberry32. */
function dice(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Whole units to each weight, then one to whoever lost most, the earlier first. */
function handOut(units: number, weights: number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  if (sum === 0) return weights.map(() => 0);
  const given = weights.map((weight) => Math.floor((units * weight) / sum));
  const lost = weights.map((weight, i) => units * weight - (given[i] ?? 0) * sum);
  for (let left = units - given.reduce((a, b) => a + b, 0); left > 0; left--) {
    const most = lost.indexOf(Math.max(...lost));
    given[most] = (given[most] ?? 0) + 1;
    lost[most] = -1;
  }
  return given;
}

/** amount × parts ÷ of, half up. */
function rounded(amount: number, parts: number, of: number): number {
  const whole = Math.floor((amount * parts) / of);
  return 2 * (amount * parts - whole * of) >= of ? whole + 1 : whole;
}

interface Situation {
  lines: { amount: number; rate: number; pieces: number }[];
  discount: number;
  shipping: number;
  shippingTax: 'proportional' | 'none' | number;
  taxIncluded: boolean;
}

/** Rates in thousandths. */
const rates = [0, 70, 190, 190, 200, 55, 255, 81];

function situation(roll: (below: number) => number): Situation {
  const lines = Array.from({ length: 1 + roll(5) }, () => ({
    amount: roll(4) === 0 ? roll(3) : roll(30_000),
    rate: rates[roll(rates.length)] ?? 0,
    pieces: 1 + roll(4),
  }));
  const sum = lines.reduce((all, { amount }) => all + amount, 0);
  return {
    lines,
    discount: roll(3) === 0 ? roll(sum + 1) : roll(20) === 0 ? sum : 0,
    shipping: roll(3) === 0 ? 0 : roll(2000),
    shippingTax: ([...(['proportional', 'proportional', 'none'] as const), 190, 70] as const)[roll(5)] ?? 'none',
    taxIncluded: roll(2) === 0,
  };
}

interface Reckoned {
  taxes: { rate: number; base: number; amount: number }[];
  total: number;
  untaxedShipping: number;
}

function secondReckoning({ lines, discount, shipping, shippingTax, taxIncluded }: Situation): Reckoned {
  const before = lines.map(({ amount }) => amount);
  const off = handOut(discount, before);
  const after = before.map((amount, i) => amount - (off[i] ?? 0));
  const order = [...new Set(lines.map(({ rate }) => rate))];
  const sumOf = (amounts: number[], rate: number) =>
    amounts.reduce((all, amount, i) => (lines[i]?.rate === rate ? all + amount : all), 0);
  const taxable = new Map(order.map((rate) => [rate, sumOf(after, rate)]));
  if (typeof shippingTax === 'number') taxable.set(shippingTax, (taxable.get(shippingTax) ?? 0) + shipping);
  if (shippingTax === 'proportional') {
    let weights = order.map((rate) => sumOf(after, rate));
    if (weights.every((weight) => weight === 0)) weights = order.map((rate) => sumOf(before, rate));
    if (weights.every((weight) => weight === 0)) weights = order.map((_, i) => (i === 0 ? 1 : 0));
    for (const [i, part] of handOut(shipping, weights).entries()) {
      const rate = order[i] ?? 0;
      taxable.set(rate, (taxable.get(rate) ?? 0) + part);
    }
  }
  const taxes = [...taxable].map(([rate, amount]) => {
    const tax = rounded(amount, rate, taxIncluded ? 1000 + rate : 1000);
    return { rate, base: taxIncluded ? amount - tax : amount, amount: tax };
  });
  const untaxedShipping = shippingTax === 'none' ? shipping : 0;
  const total = taxes.reduce((all, { base, amount }) => all + base + amount, untaxedShipping);
  return { taxes: taxes.filter(({ base, amount }) => base > 0 || amount > 0), total, untaxedShipping };
}

const ruleOf = (rate: number) => ({ country: 'DE', region: null, rate: (rate / 1000).toFixed(3), name: null });

it('200,000 random orders have the taxes and the total of a second reckoning, and are refunded whole by their pieces', () => {
  const roll = dice(20_261_126);
  const money = (amount: bigint | number) => formatMoney(BigInt(amount), 2);
  for (let i = 0; i < 200_000; i++) {
    const given = situation(roll);
    const { shippingTax } = given;
    const cart: TaxedCart = {
      lines: given.lines.map(({ amount, rate }) => ({ amount: BigInt(amount), rule: ruleOf(rate) })),
      ...{ discount: BigInt(given.discount), shipping: BigInt(given.shipping), taxIncluded: given.taxIncluded },
      shippingTax: typeof shippingTax === 'number' ? ruleOf(shippingTax) : shippingTax,
    };
    const { entries, total, tax } = taxesOf(cart);
    const expected = secondReckoning(given);
    const found: Reckoned = {
      taxes: entries.map(({ rate, base, amount }) => ({
        ...{ rate: Math.round(Number(rate) * 1000), base: Number(base), amount: Number(amount) },
      })),
      total: Number(total),
      untaxedShipping: Number(total) - Number(entries.reduce((all, { base }) => all + base, tax)),
    };
    // A matcher for each of so many orders would take a minute.
    if (JSON.stringify(found) !== JSON.stringify(expected))
      expect({ given, found }).toEqual({ given, found: expected });
    const { lines, shipping } = sharesOf({
      ...{ discount: money(given.discount), shipping: money(given.shipping), taxIncluded: given.taxIncluded },
      taxes: entries.map(({ rate, base, amount }) => ({ rate, base: money(base), amount: money(amount) })),
      items: given.lines.map(({ amount, rate, pieces }, n) => {
        // Pieces of one price, and a discount of the line for the rest.
        const unitPrice = Math.ceil(amount / pieces);
        const lineDiscount = money(unitPrice * pieces - amount);
        return {
          id: String(n),
          quantity: pieces,
          unitPrice: money(unitPrice),
          lineDiscount,
          taxRate: ruleOf(rate).rate,
        };
      }),
    });
    let refunded = shipping;
    for (const [n, share] of lines.entries()) {
      const pieces = given.lines[n]?.pieces ?? 0;
      for (let done = 0; done < pieces; done++) refunded += shareOfPieces(share, done, 1, pieces);
    }
    if (refunded !== total || shipping < 0n)
      expect({ given, refunded, shipping }).toEqual({ given, refunded: total, shipping });
  }
});
