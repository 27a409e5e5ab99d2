import { findCheckout } from '../../checkouts/checkouts.ts';
import { QuoteFields, type QuoteInput } from '../../checkouts/fields.ts';
import { checkUrls } from '../../checkouts/page-request.ts';
import type { Quote } from '../../checkouts/quote-answer.ts';
import { requireSecret } from '../../checkouts/secret.ts';
import type { Discount } from '../../discounts/fields.ts';
import { findDiscountByCode } from '../../discounts/uses.ts';
import type { Context } from '../../engine/context.ts';
import { formatMoney, type Minor } from '../../kernel/money.ts';
import { parse } from '../../kernel/parse.ts';
import { readyProviders } from '../../payments/settings.ts';
import { maxSeenStock } from '../../products/public.ts';
import { availableStock, shortageText } from '../../products/stock.ts';
import { prepared } from '../../storage/prepared.ts';
import { reading } from '../../storage/run.ts';
import { withCurrentStore } from '../../stores/current.ts';
import type { PricedLine } from '../pricing/cart.ts';
import { placesOf } from '../pricing/cart-tax.ts';
import { discountOfBuyer, refuseGuessing } from '../pricing/code-limit.ts';
import { withOwnTaxes } from '../pricing/own-taxes.ts';
import { priceCart } from '../pricing/price-cart.ts';
import { readLines } from '../pricing/read-lines.ts';
import { buyingFacts, refusePublicExemption, refusePublicMetadata } from './buying.ts';

/**
 * The price of a cart: what a checkout of the same body would cost now, and the reasons for which it would be refused. Writes, reserves and
 * emits nothing. What the checkout in `replaces` holds counts as available.
 * @throws CommerceError `validation` for a malformed body and for more pieces or money than a checkout can have; `forbidden` and `notFound`
 * for `replaces`; `rateLimited` for an address that has guessed discount codes
 */
export async function quoteCheckout(given: Context, input: QuoteInput): Promise<Quote> {
  const ctx = await withCurrentStore(given);
  const draft = parse(QuoteFields, input);
  checkUrls(ctx, draft);
  refusePublicExemption(ctx, draft);
  refusePublicMetadata(ctx, draft);
  refuseGuessing(ctx, draft.discountCode);
  const { engine, store } = ctx;
  const replaced = draft.replaces && (await replacedOrder(ctx, draft.replaces));
  const lines = await reading(engine.storage, (db) => readLines(db, store.id, draft.items, true));
  const products = lines.flatMap(({ product }) => product ?? []);
  const available = await availableStock(ctx, products, replaced?.id);
  const discount = await discountOfBuyer(ctx, draft.discountCode, findDiscountByCode);
  const ready = await readyProviders(engine, store.id);
  const stock = { available, textOf: (shortage: Parameters<typeof shortageText>[1]) => shortageText(ctx, shortage) };
  const cart = {
    ...draft,
    ...placesOf(draft),
    ...(draft.shippingAddress === null && {
      country: draft.country,
      region: draft.region,
      postalCode: draft.postalCode,
      placeAt: '' as const,
    }),
    lines,
    isTaxExempt: !!draft.taxExempt,
  };
  const facts = {
    store,
    now: engine.clock.now(),
    discount: discount && withoutUse(discount, replaced?.discount_id ?? null),
    buying: { ...buyingFacts(ctx, draft, ready), stock },
  };
  const priced = await withOwnTaxes(ctx, async (asked) => priceCart(cart, { ...facts, asked }));
  const format = (amount: Minor) => formatMoney(amount, store.decimals);
  return {
    currency: store.currency,
    taxIncluded: priced.taxIncluded,
    lines: priced.lines.map((line) => lineOf(ctx, line, available)),
    subtotal: format(priced.subtotal),
    discountCode: priced.usedDiscount?.code ?? null,
    discount: format(priced.discount),
    shippingMethods: priced.shippingMethods.map(({ method: { id, name, kind, deliveryDays }, price }) => ({
      id,
      name,
      kind,
      price: format(price),
      deliveryDays,
    })),
    shippingMethodId: priced.shippingMethod?.id ?? null,
    shipping: format(priced.shipping),
    paymentMethods: priced.paymentMethods.map(({ id, name, kind }) => ({ id, name, kind })),
    paymentMethodId: priced.paymentMethod?.id ?? null,
    taxes: priced.taxes
      .filter(({ amount }) => amount > 0n)
      .map((tax) => ({ ...tax, base: format(tax.base), amount: format(tax.amount) })),
    tax: format(priced.tax),
    total: format(priced.total),
    problems: priced.problems.map(({ code, field, message }) => ({ code, field, message })),
  };
}

function lineOf(
  { actor, store }: Context,
  { product, quantity, unitPrice, taxRate, total, problem }: PricedLine,
  stock: ReadonlyMap<string, number>,
): Quote['lines'][number] {
  const available = product ? (stock.get(product.id) ?? null) : null;
  return {
    productId: product?.id ?? null,
    sku: product?.sku ?? null,
    title: product?.title ?? null,
    slug: product?.slug ?? null,
    variantGroupId: product?.variantGroupId ?? null,
    attributes: product?.attributes ?? null,
    mediaId: product?.primaryMediaId ?? null,
    quantity,
    available: available !== null && actor.isPublic ? Math.min(maxSeenStock, available) : available,
    unitPrice: product && formatMoney(unitPrice, store.decimals),
    compareAtPrice: product?.compareAtPrice ?? null,
    priorPrice: product?.priorPrice ?? null,
    total: total === null ? null : formatMoney(total, store.decimals),
    taxRate,
    problem,
  };
}

/** An order that a new checkout replaces. */
interface Replaced {
  id: string;
  discount_id: string | null;
}

const pendingOrder = prepared<{ storeId: string; id: string }, Replaced>((db, p) =>
  db
    .selectFrom('orders')
    .select(['id', 'discount_id'])
    .where('store_id', '=', p('storeId'))
    .where('id', '=', p('id'))
    .where('status', '=', 'pending'),
);

/** The order of the checkout that is replaced; undefined if it holds nothing any more. */
async function replacedOrder(
  ctx: Context,
  { id, secret }: { id: string; secret?: string | undefined },
): Promise<Replaced | undefined> {
  const found = await findCheckout(ctx, id);
  requireSecret(ctx, found, secret);
  const [order] = await reading(ctx.engine.storage, (db) =>
    pendingOrder(db, { storeId: ctx.store.id, id: found.order_id }),
  );
  return order;
}

/** The discount without the use of the order that is replaced. */
function withoutUse(discount: Discount, usedBy: string | null): Discount {
  return discount.id === usedBy ? { ...discount, used: discount.used - 1 } : discount;
}
