import { discountOn } from '../../discounts/fields.ts';
import { discountObstacle } from '../../discounts/uses.ts';
import { standardClass } from '../../engine/settings/taxes.ts';
import type { StoreContext } from '../../engine/store.ts';
import { invalid, quote } from '../../kernel/errors.ts';
import { formatMoney, type Minor, maxAmount, minorOf, parseMoney } from '../../kernel/money.ts';
import { refuseDiscount, refuseExcess, subtotalOf } from '../../orders/totals.ts';
import type { BuyingFacts, Cart, CartLine, PricedCart, PricingFacts, Problem } from './cart.ts';
import { taxOfCart } from './cart-tax.ts';
import { ownTaxesOf, taxRequestOf } from './own-taxes.ts';
import { choosePayment } from './payment.ts';
import { chooseShipping } from './shipping.ts';
import { containedTax, meanRate, netShipping, taxesOf } from './taxes.ts';

/**
 * Prices a cart. Quotes, checkouts and orders use this one function, so a quote without problems and the checkout made of the same body have
 * the same numbers.
 * @throws CommerceError `validation` for more pieces than a buyer can have, a discount above the price that it lowers, or an amount above
 * the maximum
 */
export function priceCart(cart: Cart, facts: PricingFacts): PricedCart {
  const { store, buying, now } = facts;
  const { settings, decimals } = store;
  const minor = (amount: string | null | undefined): Minor =>
    amount == null ? 0n : (parseMoney(amount, decimals) ?? 0n);
  if (buying) refuseMany(cart.lines, buying.maxQuantity);
  const { taxIncluded } = settings;
  const { ruleOf, shippingTax, exempt, problem: ofTax } = taxOfCart(cart, facts);
  // Prices of an exempt order are those without the tax that they would contain.
  const isNet = exempt !== null && taxIncluded;
  const amounts = cart.lines.map(({ product, quantity, lineDiscount }) => {
    const rule = ruleOf(product?.taxClass ?? standardClass);
    const sold = (amount: Minor) => (isNet ? amount - containedTax(amount, rule.rate) : amount);
    const unitPrice = sold(minor(product?.price));
    return { rule, unitPrice, quantity, lineDiscount: product ? sold(minor(lineDiscount)) : 0n };
  });
  const subtotal = subtotalOf(amounts);
  const problems = unknownProducts(cart.lines);
  if (buying) problems.push(...belowMinimum(subtotal, store));

  const { methods, method, problem } = chooseShipping(cart, subtotal, facts);
  if (problem) problems.push(problem);
  if (ofTax) problems.push(ofTax);

  let discount = minor(cart.discount);
  let usedDiscount = null;
  if (facts.discount !== undefined && cart.discountCode !== null) {
    const obstacle = discountObstacle(facts.discount, { code: cart.discountCode, subtotal, store, now });
    if (obstacle) problems.push({ ...obstacle, field: 'discountCode' });
    usedDiscount = obstacle ? null : facts.discount;
    discount = usedDiscount ? discountOn(subtotal, usedDiscount, decimals) : 0n;
  }
  refuseDiscount(discount, subtotal);

  const known = amounts
    .filter((_, i) => cart.lines[i]?.product)
    .map(({ rule, ...amounts }) => ({ amount: subtotalOf([amounts]), rule }));
  const taxable = { lines: known, discount, shippingTax, taxIncluded };
  const costOf = (price: Minor) => (isNet ? netShipping({ ...taxable, shipping: price }) : price);
  const shipping = costOf(cart.shipping === undefined ? (method?.price ?? 0n) : minor(cart.shipping));
  const own =
    facts.asked && !exempt && cart.taxRate === undefined
      ? ownTaxesOf(
          facts.asked,
          taxRequestOf(cart, store, { amounts: known.map(({ amount }) => amount), discount, shipping }),
        )
      : undefined;
  const rules = own?.rules ?? known.map(({ rule }) => exempt ?? rule);
  const lineRules = cart.lines.map(({ product }) => (product ? rules.shift() : undefined));
  const { entries, tax } =
    own ??
    taxesOf({
      ...taxable,
      lines: known.map(({ amount, rule }) => ({ amount, rule: exempt ?? rule })),
      shippingTax: exempt && shippingTax !== 'none' ? exempt : shippingTax,
      shipping,
    });
  const total = subtotal - discount + shipping + (taxIncluded ? 0n : tax);
  refuseExcess([subtotal, total], maxAmount(decimals));

  const payment = choosePayment(cart, total, facts);
  if (payment.problem) problems.push(payment.problem);

  const shortages = shortLines(cart.lines, buying?.stock);
  for (const shortage of shortages) if (shortage) problems.push(shortage);
  const lines = cart.lines.map((line, i) => {
    const { unitPrice, quantity, lineDiscount } = amounts[i] as (typeof amounts)[number];
    const sold = { ...line, unitPrice, discount: lineDiscount };
    const rule = lineRules[i];
    if (!line.product || !rule) return { ...sold, taxRate: null, total: null, problem: 'PRODUCT_NOT_FOUND' as const };
    const total = unitPrice * BigInt(quantity) - lineDiscount;
    return { ...sold, taxRate: rule.rate, total, problem: shortages[i]?.code ?? null };
  });
  return {
    lines,
    subtotal,
    discount,
    usedDiscount,
    shippingMethods: methods.map((offered) => ({ ...offered, price: costOf(offered.price) })),
    shippingMethod: method?.method ?? null,
    shipping,
    paymentMethods: payment.methods,
    paymentMethod: payment.method,
    taxRate: meanRate(
      entries,
      lineRules.flatMap((rule) => rule ?? []),
    ),
    taxIncluded,
    taxes: entries,
    tax,
    total,
    problems,
  };
}

function unknownProducts(lines: readonly CartLine[]): Problem[] {
  return lines.flatMap(({ product, by, value }, i) => {
    if (product) return [];
    return [
      { code: 'PRODUCT_NOT_FOUND', field: `items.${i}.${by}`, message: `no product ${quote(value)} in this store` },
    ];
  });
}

/** The problem of a cart whose subtotal, before discounts, is below the minimum of the store. */
function belowMinimum(subtotal: Minor, { settings: { minSubtotal }, decimals, currency }: StoreContext): Problem[] {
  if (minSubtotal === null || subtotal >= minorOf(minSubtotal)) return [];
  const message = `come to ${formatMoney(subtotal, decimals)} ${currency}, which is below the minimum of ${minSubtotal} (the store setting minSubtotal)`;
  return [{ code: 'BELOW_MINIMUM', field: 'items', message, limits: { min: minSubtotal } }];
}

/** The pieces of each product up to a line, that line included. Several lines can name one product. */
function piecesOf(lines: readonly CartLine[]): Map<string, number> {
  const pieces = new Map<string, number>();
  for (const { product, quantity } of lines) {
    if (product) pieces.set(product.id, (pieces.get(product.id) ?? 0) + quantity);
  }
  return pieces;
}

/**
 * Limits the pieces of one product. Anyone has a storefront's key, so without a limit one checkout could hold all stock. Counted by
 * product, because several lines can name one.
 * @throws CommerceError `validation` for the line that exceeds it
 */
function refuseMany(lines: readonly CartLine[], max: number | null): void {
  if (max === null) return;
  const pieces = new Map<string, number>();
  for (const [i, { product, quantity }] of lines.entries()) {
    if (!product) continue;
    const sum = (pieces.get(product.id) ?? 0) + quantity;
    pieces.set(product.id, sum);
    if (sum <= max) continue;
    throw invalid(
      `items.${i}.quantity`,
      `the checkout would have ${sum} pieces of one product; the maximum is ${max} (the store setting maxQuantity)`,
      { code: 'TOO_LARGE', limits: { min: 1, max } },
    );
  }
}

/** The problem of each line whose product falls short. */
function shortLines(lines: readonly CartLine[], stock: BuyingFacts['stock']): (Problem | undefined)[] {
  if (!stock) return [];
  const pieces = piecesOf(lines);
  return lines.map(({ product }, i) => {
    const available = product ? stock.available.get(product.id) : undefined;
    if (!product || available === undefined) return undefined;
    const quantity = pieces.get(product.id) ?? 0;
    if (quantity <= available) return undefined;
    const message = stock.textOf({ productId: product.id, quantity, available });
    return { code: 'INSUFFICIENT_STOCK', field: `items.${i}.quantity`, message };
  });
}
