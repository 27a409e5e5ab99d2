import { gtinOf } from '../../../../core/src/products/gtin.ts';
import { who } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { Badge, decimalsOf, formatMoney, minorUnits } from '../../kit/index.ts';
import { t } from '../../words/words.ts';

const words = t.listing;

/** Whether a typed barcode is a GTIN, which search engines and marketplaces know goods by. */
export function GtinSign({ barcode }: { barcode: string }) {
  if (barcode.trim() === '') return <span>{words.gtin.none}</span>;
  return gtinOf(barcode) === null ? <span>{words.gtin.wrong}</span> : <Badge tone="good">{words.gtin.valid}</Badge>;
}

/** The lowest price of the 30 days before a reduction, or why there is none; undefined for a product that is not reduced. */
export function priorPriceText({
  price,
  compareAtPrice,
  priorPrice,
}: Pick<Schemas['Product'], 'price' | 'compareAtPrice' | 'priorPrice'>): string | undefined {
  const currency = who.value?.store.currency ?? '';
  const units = (amount: string) => minorUnits(amount, decimalsOf(currency));
  if (compareAtPrice === null || units(compareAtPrice) <= units(price)) return undefined;
  return priorPrice === null ? words.prior.none : words.prior.lowest(formatMoney(priorPrice, currency));
}
