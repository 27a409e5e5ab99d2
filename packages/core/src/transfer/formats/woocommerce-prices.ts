import { parseMoney } from '../../kernel/money.ts';
import { readPrice } from '../files/cells.ts';
import type { MapContext } from './own.ts';
import type { Name } from './woocommerce-columns.ts';

/**
 * The price of a product, and the price before, while its sale runs.
 * @param cellOf the cell of a column
 * @param wrong gets what cannot be read, or is missing
 */
export function wooPrices(
  cellOf: (name: Name) => string,
  context: Pick<MapContext, 'currency' | 'decimals' | 'sign' | 'now'>,
  wrong: (name: Name, reason: string) => void,
): { price?: string; compareAtPrice?: string | null } {
  const { decimals, now } = context;
  const read = (name: Name): string | undefined => {
    const cell = cellOf(name).trim();
    if (cell === '') return undefined;
    const value = readPrice(cell, context);
    if ('value' in value) return value.value;
    wrong(name, value.reason);
    return undefined;
  };
  const regular = read('regularPrice');
  const sale = read('salePrice');
  const isRunning = sale !== undefined && startOf(cellOf('saleStarts')) <= now && now <= endOf(cellOf('saleEnds'));
  const price = isRunning ? sale : regular;
  if (price === undefined) {
    if (cellOf('regularPrice').trim() === '') wrong('regularPrice', 'must not be blank');
    return {};
  }
  const [minor, before] = [parseMoney(price, decimals), parseMoney(regular ?? '', decimals)];
  const isReduced = isRunning && minor !== undefined && before !== undefined && before > minor;
  return { price, compareAtPrice: isReduced ? (regular ?? null) : null };
}

/** Start of the first day of a sale; a text that is not a date is ignored. */
function startOf(cell: string): number {
  const time = timeOf(cell);
  return time ?? Number.NEGATIVE_INFINITY;
}

/** End of a sale: a day without a time counts until its end. */
function endOf(cell: string): number {
  const time = timeOf(cell);
  if (time === undefined) return Number.POSITIVE_INFINITY;
  return /\d:\d/.test(cell) ? time : time + 24 * 60 * 60 * 1000;
}

function timeOf(cell: string): number | undefined {
  const [, date, time] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d(?::\d\d)?))?/.exec(cell.trim()) ?? [];
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}T${time ?? '00:00'}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
