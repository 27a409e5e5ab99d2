import * as z from 'zod';
import { invalid } from '../kernel/errors.ts';
import { maxSearch } from '../kernel/limits.ts';
import { fields, integer, parse, text } from '../kernel/parse.ts';

/** Products of a page, unless the request asks for another number, and at most. A larger number counts as the most, as the protocol allows. */
const usualPage = 10;
export const maxUcpPage = 50;

/** Ids that one request can look up. */
export const maxUcpIds = 50;

/** Categories, options and preferences of a request. */
const maxCategories = 20;
const maxOptions = 100;

const maxId = 300;
const maxName = 255;

/** The largest offset of a page: nobody reads so far, and each page before it is walked. */
const maxOffset = 10_000;

const list = <S extends z.ZodType>(of: S, most: number, what: string) =>
  z.array(of, `must be a list of ${what}`).max(most, `must have at most ${most} ${what}`);

/** What the protocol lets agents tell, and what is not read. */
const ignored = z.record(z.string(), z.unknown(), 'must be an object').optional();

const amount = integer(0, Number.MAX_SAFE_INTEGER);

const filters = fields({
  categories: list(text(maxName), maxCategories, 'categories').optional(),
  price: fields({ min: amount.optional(), max: amount.optional() }).optional(),
});

/** What every request can have. */
const common = {
  filters: filters.optional(),
  context: fields({ currency: text(maxName).optional() }).optional(),
  signals: ignored,
  attribution: ignored,
};

const searchInput = fields({
  ...common,
  query: text(maxSearch).optional(),
  pagination: fields({
    cursor: text(100).optional(),
    limit: integer(1, Number.MAX_SAFE_INTEGER).optional(),
  }).optional(),
});

const lookupInput = fields({
  ...common,
  ids: list(text(maxId, 1), maxUcpIds, 'ids').min(1, 'must have at least one id'),
});

const option = fields({ name: text(maxName), label: text(maxName), id: text(maxName).optional() });

const productInput = fields({
  ...common,
  id: text(maxId, 1),
  selected: list(option, maxOptions, 'options').optional(),
  preferences: list(text(maxName), maxOptions, 'names').optional(),
});

export type UcpFilters = z.output<typeof filters>;
export type UcpContext = z.output<typeof common.context>;
export type SelectedOption = Pick<z.output<typeof option>, 'name' | 'label'>;

/** @throws CommerceError `validation` */
export function readSearch(input: unknown) {
  const { query = '', pagination, ...given } = parse(searchInput, input);
  const { categories = [], price = {} } = given.filters ?? {};
  const isFiltered = categories.length > 0 || price.min !== undefined || price.max !== undefined;
  if (query.trim() === '' && !isFiltered) {
    throw invalid('query', 'is required, unless filters name a category or a price', { code: 'REQUIRED' });
  }
  const limit = Math.min(pagination?.limit ?? usualPage, maxUcpPage);
  return { ...given, query: query.trim(), limit, offset: offsetOf(pagination?.cursor) };
}

/** @throws CommerceError `validation`, with the code `TOO_MANY` on `ids` above `maxUcpIds` */
export function readLookup(input: unknown) {
  const given = parse(lookupInput, input);
  return { ...given, ids: [...new Set(given.ids)] };
}

/** @throws CommerceError `validation` */
export function readProduct(input: unknown) {
  const { selected = [], preferences = [], ...given } = parse(productInput, input);
  const named = new Set(selected.map(({ name }) => name));
  if (named.size < selected.length) {
    throw invalid('selected', 'must name each option once', { code: 'CONFLICTING' });
  }
  return { ...given, selected: selected as readonly SelectedOption[], preferences };
}

const cursorPattern = /^after-(\d{1,5})$/;

/** The cursor of the page after so many products; undefined if there is none. */
export function cursorAfter(offset: number): string | undefined {
  return offset > maxOffset ? undefined : Buffer.from(`after-${offset}`).toString('base64url');
}

/** @throws CommerceError `validation` */
function offsetOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [, digits] = cursorPattern.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  const offset = Number(digits);
  // Only as it was given: another spelling of the same bytes is none of ours.
  if (cursorAfter(offset) === cursor) return offset;
  throw invalid('pagination.cursor', 'must be the cursor of a previous answer', { code: 'NOT_OFFERED' });
}
