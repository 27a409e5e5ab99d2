import * as z from 'zod';
import { noted } from '../fields/notes.ts';
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
const ignored = z.record(z.string(), z.unknown(), 'must be an object').optional().meta({ description: 'Not read.' });

const described = <S extends z.ZodType>(schema: S, description: string) => schema.optional().meta({ description });

const amount = integer(0, Number.MAX_SAFE_INTEGER);

const filters = fields({
  categories: described(
    list(text(maxName), maxCategories, 'categories'),
    'In one of these categories or below it: the slug or the id of a category, as `categories[].value` of products names it.',
  ),
  price: described(
    fields({ min: described(amount, 'The lowest price.'), max: described(amount, 'The highest price.') }),
    'In minor units of the currency, such as cents.',
  ),
});

/** What every request can have. */
const common = {
  filters: described(filters, 'Applied together.'),
  context: described(
    fields({ currency: described(text(maxName), 'The currency of the price filter, ISO 4217.') }),
    'Of it, only `currency` is read. With another one than that of the store, prices are not filtered.',
  ),
  signals: ignored,
  attribution: ignored,
};

export const UcpSearchInput = noted(
  fields({
    query: described(text(maxSearch), 'Words that each occur in a product.'),
    pagination: described(
      fields({
        cursor: described(text(100), 'That of the previous answer.'),
        limit: described(
          integer(1, Number.MAX_SAFE_INTEGER),
          `Products of a page: ${usualPage} unless said; more than ${maxUcpPage} count as ${maxUcpPage}.`,
        ),
      }),
      'Which page of the answer; the first unless said.',
    ),
    ...common,
  }),
  {
    description: 'What to search. `query` or a filter is required.',
    example: { query: 'mug', filters: { price: { max: 2000 } } },
  },
);

export const UcpLookupInput = noted(
  fields({
    ids: list(text(maxId, 1), maxUcpIds, 'ids')
      .min(1, 'must have at least one id')
      .meta({ description: 'Ids of products or variants, slugs or SKUs.' }),
    ...common,
  }),
  { description: 'What to look up.', example: { ids: ['group:mugs'] } },
);

const option = fields({
  name: text(maxName).meta({ description: 'The option.' }),
  label: text(maxName).meta({ description: 'Its value.' }),
  id: described(text(maxName), 'Not read.'),
});

export const UcpProductInput = noted(
  fields({
    id: text(maxId, 1).meta({ description: 'The id of a product or a variant, a slug or a SKU.' }),
    selected: described(list(option, maxOptions, 'options'), 'Options that the buyer has chosen, each once.'),
    preferences: described(
      list(text(maxName), maxOptions, 'names'),
      'Names of options: the last ones give way first if no variant has all that is selected.',
    ),
    ...common,
  }),
  { description: 'Which product to read.', example: { id: 'group:mugs' } },
);

export type UcpFilters = z.output<typeof filters>;
export type UcpContext = z.output<typeof common.context>;
export type SelectedOption = Pick<z.output<typeof option>, 'name' | 'label'>;

/** @throws CommerceError `validation` */
export function readSearch(input: unknown) {
  const { query = '', pagination, ...given } = parse(UcpSearchInput, input);
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
  const given = parse(UcpLookupInput, input);
  return { ...given, ids: [...new Set(given.ids)] };
}

/** @throws CommerceError `validation` */
export function readProduct(input: unknown) {
  const { selected = [], preferences = [], ...given } = parse(UcpProductInput, input);
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
