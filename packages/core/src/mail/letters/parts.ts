import type { Block, Frame, Goods } from './blocks.ts';
import { cleanData, lineOf } from './clean.ts';
import { type Format, formatOf } from './format.ts';
import type { LetterData, LetterItem, LetterOption, LetterOrder, LetterWithdrawal } from './letter.ts';
import { type Language, wordingFor } from './words/languages.ts';
import type { Words } from './words/words.ts';

/** What a letter is composed of: clean facts, and the language that it is written in. */
export interface Sources {
  data: LetterData;
  language: Language;
  words: Words;
  format: Format;
}

export function sourcesOf(given: LetterData): Sources {
  const data = cleanData(given);
  const { language, locale, words } = wordingFor(data.locale);
  return { data, language, words, format: formatOf(locale, data) };
}

/** Characters of a subject. */
const maxSubject = 200;

export function subjectOf(text: string): string {
  return lineOf(text, maxSubject);
}

/** The frame of every letter, with the imprint in its foot. */
export function frameOf({ data: { shop }, language, words }: Sources, subject: string): Frame {
  const { seller } = shop;
  const { direction, colon } = words;
  const labelled = (label: string, value: string | null) => (value === null ? [] : [`${label}${colon} ${value}`]);
  const lines = seller
    ? [
        seller.name,
        ...seller.address.split('\n'),
        ...labelled(words.labels.email, seller.email),
        ...labelled(words.labels.phone, seller.phone),
        ...labelled(words.labels.vatId, seller.vatId),
        ...(seller.registration === null ? [] : [seller.registration]),
      ]
    : [shop.name];
  const { name: shopName, logoUrl, footer } = shop;
  return { language, direction, colon, subject, shopName, logoUrl, foot: { lines, text: footer } };
}

/** The lines of an order. */
export function orderGoods({ words, format }: Sources, { items }: LetterOrder): Goods {
  const { goods } = words;
  const details = ({ variant, options, sku, quantity, unitPrice, withdrawalExempt }: LetterItem) => {
    const named = [variant, sku && goods.sku(sku), quantity > 1 ? goods.each(format.amount(unitPrice)) : null];
    const line = named.filter((part) => part).join(' · ');
    return [line, ...optionLines(words, options), withdrawalExempt ? goods.exempt(withdrawalExempt) : ''].filter(
      (part) => part !== '',
    );
  };
  return {
    kind: 'goods',
    heads: { item: goods.item, quantity: goods.quantity, amount: goods.amount },
    rows: items.map((item) => ({
      title: item.title,
      details: details(item),
      quantity: format.count(item.quantity),
      amount: format.amount(item.total),
    })),
    more: (count) => format.counted(goods.more, count),
  };
}

/** What the buyer chose, in a line each. */
function optionLines({ colon }: Sources['words'], options: readonly LetterOption[]): string[] {
  return options.map(({ name, text }) => `${name}${colon} ${text}`);
}

/** Goods without amounts, such as those of a parcel. */
export function plainGoods(
  { words, format }: Sources,
  items: readonly {
    title: string;
    variant?: string | null;
    options?: readonly LetterOption[];
    quantity: number;
  }[],
): Goods {
  const { goods } = words;
  return {
    kind: 'goods',
    heads: { item: goods.item, quantity: goods.quantity, amount: null },
    rows: items.map(({ title, variant = null, options = [], quantity }) => ({
      title,
      details: [...(variant === null ? [] : [variant]), ...optionLines(words, options)],
      quantity: format.count(quantity),
      amount: null,
    })),
    more: (count) => format.counted(goods.more, count),
  };
}

/** The goods that a withdrawal names. */
export function withdrawnGoods({ words, format }: Sources, { items, isWhole }: LetterWithdrawal): string {
  if (isWhole) return words.goods.all;
  return items.map(({ title, quantity }) => `${format.count(quantity)} × ${title}`).join('\n');
}

/** Products that are low in stock. */
export function stockGoods({ data: { products }, words, format }: Sources): Goods {
  const { goods, labels } = words;
  return {
    kind: 'goods',
    heads: { item: labels.product, quantity: labels.stock, amount: null },
    rows: products.map(({ title, sku, stock }) => ({
      title,
      details: sku === null ? [] : [goods.sku(sku)],
      quantity: format.count(stock),
      amount: null,
    })),
    isStock: true,
    more: (count) => format.counted(goods.more, count),
  };
}

export function isZero(decimal: string): boolean {
  return !/[1-9]/.test(decimal);
}

/** What the total is made of. */
export function orderTotals({ words, format }: Sources, order: LetterOrder): Extract<Block, { kind: 'totals' }> {
  const { totals } = words;
  const row = (label: string, amount: string) => ({ label, amount: format.amount(amount) });
  const taxes = order.taxes.map(({ rate, amount }) => ({ rate: format.percent(rate), amount }));
  const hasShipping = order.shippingMethod !== null || !isZero(order.shipping);
  return {
    kind: 'totals',
    rows: [
      row(totals.subtotal, order.subtotal),
      ...(isZero(order.discount) ? [] : [row(totals.discount(order.discountCode), `-${order.discount}`)]),
      ...(hasShipping ? [row(totals.shipping(order.shippingMethod), order.shipping)] : []),
      ...(order.taxIncluded ? [] : taxes.map(({ rate, amount }) => row(totals.tax(rate), amount))),
      { ...row(totals.total, order.total), isTotal: true },
      ...(order.taxIncluded ? taxes.map(({ rate, amount }) => row(totals.taxIncluded(rate), amount)) : []),
      ...(isZero(order.refundedAmount) ? [] : [row(totals.refunded, order.refundedAmount)]),
    ],
  };
}

/** The addresses of an order; one if both are the same. */
export function orderAddresses({ words }: Sources, { shippingAddress, billingAddress }: LetterOrder): Block[] {
  const { labels } = words;
  const isSame = shippingAddress !== null && shippingAddress.join('\n') === billingAddress?.join('\n');
  return [
    ...(shippingAddress ? [{ kind: 'address', label: labels.shippingAddress, lines: shippingAddress } as const] : []),
    ...(billingAddress && !isSame
      ? [{ kind: 'address', label: labels.billingAddress, lines: billingAddress } as const]
      : []),
  ];
}
