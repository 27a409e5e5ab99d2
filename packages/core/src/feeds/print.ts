import type { StoreContext } from '../engine/store.ts';
import { type FeedRow, type FeedValue, feedColumns, marketColumns, type Parts } from './columns.ts';
import { oneLine } from './texts.ts';

export const feedFormats = ['tsv', 'xml'] as const;
export type FeedFormat = (typeof feedFormats)[number];

/** How a feed is written. */
export interface FeedPrinter {
  head: string;
  row(row: FeedRow): string;
  end: string;
}

export function printerOf(format: FeedFormat, store: StoreContext, markets: readonly string[]): FeedPrinter {
  return format === 'tsv' ? table(store, markets) : rss(store);
}

function table({ settings }: StoreContext, markets: readonly string[]): FeedPrinter {
  const sold: Record<(typeof marketColumns)[number], string> = {
    target_countries: markets.join(','),
    store_country: settings.country ?? '',
    is_eligible_search: 'true',
    is_eligible_checkout: 'false',
  };
  const last = marketColumns.map((column) => cell(sold[column])).join('\t');
  return {
    head: `${[...feedColumns, ...marketColumns].join('\t')}\n`,
    row: (row) => `${feedColumns.map((column) => cell(joined(row[column]))).join('\t')}\t${last}\n`,
    end: '',
  };
}

/** Values have neither tabs nor line ends; only a quotation mark needs quoting. */
function cell(text: string): string {
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
}

function joined(value: FeedValue = ''): string {
  if (typeof value === 'string') return value;
  return value.map((one) => (typeof one === 'string' ? one : Object.values(one).join(':'))).join(',');
}

function rss({ name, settings }: StoreContext): FeedPrinter {
  const link = settings.productUrl === null ? '' : new URL(settings.productUrl.replaceAll(/\{\w+\}/g, 'x')).origin;
  const title = escapeXml(oneLine(name));
  return {
    head: `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0">\n<channel>\n<title>${title}</title>\n<link>${escapeXml(link)}</link>\n<description>${title}</description>\n`,
    row: (row) => `<item>${feedColumns.map((column) => elements(column, row[column])).join('')}</item>\n`,
    end: '</channel>\n</rss>\n',
  };
}

function elements(name: string, value: FeedValue | undefined): string {
  if (value === undefined) return '';
  const all: readonly (string | Parts)[] = typeof value === 'string' ? [value] : value;
  return all.map((one) => `<g:${name}>${typeof one === 'string' ? escapeXml(one) : partsOf(one)}</g:${name}>`).join('');
}

function partsOf(parts: Parts): string {
  return Object.entries(parts)
    .map(([name, text]) => (text === '' ? '' : `<g:${name}>${escapeXml(text)}</g:${name}>`))
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** A text of `oneLine` within an element. */
export function escapeXml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
