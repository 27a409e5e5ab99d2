import * as z from 'zod';
import { noted } from '../../fields/notes.ts';
import type { Refused } from '../../kernel/errors.ts';
import { takingNames } from '../../kernel/known-fields.ts';
import {
  maxAttributeFilters,
  maxAttributeValues,
  maxCategoryFilters,
  maxFacets,
  maxSearch,
} from '../../kernel/limits.ts';
import { paging } from '../../kernel/paging.ts';
import { fields, oneOf, queryFlag, ruled, text } from '../../kernel/parse.ts';
import { metadataFilter, metadataPrefix, withMetadata } from '../../labels/query.ts';
import { publishingStatuses } from '../../resources/publishing.ts';
import { includeQuery } from '../include.ts';

export const productSorts = [
  'newest',
  'oldest',
  'price',
  '-price',
  'title',
  '-title',
  'relevance',
  'bestselling',
] as const;
export type ProductSort = (typeof productSorts)[number];

/** Begins the name of a parameter that names an attribute, and of a facet of an attribute with the name of another facet. */
export const attributePrefix = 'attr.';

/** Facets that are no attributes. */
export const ownFacets = ['price', 'category', 'inStock'] as const;

const textOrTexts = (maxLength: number, maxItems: number) => ({
  anyOf: [
    { type: 'string' as const, maxLength },
    { type: 'array' as const, items: { type: 'string' as const, maxLength }, maxItems },
  ],
});

/** A text, or several texts of which any matches. */
const texts = (max: number, most: number) => {
  const one = text(max);
  return z
    .custom<string | string[]>(
      (given) =>
        typeof given === 'string' || (Array.isArray(given) && given.every((value) => typeof value === 'string')),
      'must be a text or a list of texts',
    )
    .superRefine((given, context) => {
      const values = [given].flat();
      const refused = (message: string, params: Refused, input: unknown) =>
        context.addIssue({ code: 'custom', message, params, input });
      if (values.length > most) refused(`must have at most ${most} values`, { code: 'TOO_MANY' }, values.length);
      for (const value of values) {
        const { error } = one.safeParse(value);
        if (error) return refused(error.issues[0]?.message ?? '', { code: 'WRONG_TYPE' }, value);
      }
    })
    .transform((given) => [...new Set([given].flat())])
    .meta(textOrTexts(max, most));
};

const attributes = z
  // Zod silently drops this key from a record.
  .custom<Record<string, string | string[]>>(
    (value) => typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__'),
    { error: 'must not have the key "__proto__"', abort: true },
  )
  .pipe(
    z.record(
      text(64, 1),
      texts(255, maxAttributeValues),
      'must be an object of texts or lists of texts, such as {"color": ["red", "blue"]}',
    ),
  )
  .refine(
    (value) => Object.keys(value).length <= maxAttributeFilters,
    ruled(`must name at most ${maxAttributeFilters} attributes`, 'TOO_MANY'),
  )
  .meta({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: textOrTexts(255, maxAttributeValues),
    maxProperties: maxAttributeFilters,
  });

const facets = texts(1000, maxFacets)
  .transform((given) => [
    ...new Set(
      given
        .flatMap((one) => one.split(','))
        .map((one) => one.trim())
        .filter(Boolean),
    ),
  ])
  .refine((names) => names.length <= maxFacets, ruled(`must name at most ${maxFacets} facets`, 'TOO_MANY'))
  .refine(
    (names) => names.every((name) => name.length <= 64 + attributePrefix.length),
    ruled('must be names of at most 64 characters', 'TOO_LONG'),
  );

const amount = () => text(32).regex(/^\d+(\.\d+)?$|^$/, ruled('must be an amount such as "12.50"', 'NOT_A_NUMBER'));

/** Parameters of the list itself. Every other name is free for an attribute in `by-attributes`. */
const shape = {
  ...paging,
  /** The id of the last product of the previous page. Finds the next page quickly at any depth. Not with `group`, `sort=relevance` or `sort=bestselling`. */
  after: text(255)
    .optional()
    .describe(
      'The id of the last product of the previous page. Finds the next page quickly at any depth. Not with `group`, `sort=relevance` or `sort=bestselling`.',
    ),
  /** If omitted, products of every status. */
  status: oneOf(publishingStatuses).optional().describe('If omitted, products of every status.'),
  /** Exact. */
  slug: text(255).optional().describe('Exact.'),
  /** Exact. */
  sku: text(255).trim().optional().describe('Exact.'),
  /** Exact. */
  barcode: text(255).trim().optional().describe('Exact.'),
  /** The variants of one product. */
  variantGroupId: text(255).optional().describe('The variants of one product.'),
  /** The products in a category or one of its subcategories. Repeated: in any of them. */
  categoryId: texts(255, maxCategoryFilters)
    .optional()
    .describe('The products in a category or one of its subcategories. Repeated: in any of them.'),
  /** Words that each occur in the title, the description, the SKU, the barcode or an attribute value, in any case and without accents. Quotation marks keep words together; at most eight words count. */
  search: text(maxSearch)
    .optional()
    .describe(
      'Words that each occur in the title, the description, the SKU, the barcode or an attribute value, in any case and without accents. Quotation marks keep words together; at most eight words count.',
    ),
  /** Attributes with their values: any of the values of one name, and all names. In a URL each is a parameter, as in `attr.color=blue&attr.color=red&attr.size=L`. */
  attributes: attributes
    .optional()
    .describe(
      'Attributes with their values: any of the values of one name, and all names. In a URL each is a parameter, as in `attr.color=blue&attr.color=red&attr.size=L`.',
    ),
  ...metadataFilter,
  /** The lowest price, in the currency of the store. */
  minPrice: amount().optional().describe('The lowest price, in the currency of the store.'),
  /** The highest price, in the currency of the store. */
  maxPrice: amount().optional().describe('The highest price, in the currency of the store.'),
  /** With `true`, only products that can be bought now: not tracked, back-ordered, or with stock that is not reserved. */
  inStock: queryFlag
    .optional()
    .describe(
      'With `true`, only products that can be bought now: not tracked, back-ordered, or with stock that is not reserved.',
    ),
  /** With `true`, only products whose `compareAtPrice` is above their price. */
  onSale: queryFlag.optional().describe('With `true`, only products whose `compareAtPrice` is above their price.'),
  /** With `true`, only products that track their stock, are not archived, and whose stock is at or below their `lowStockThreshold` (0 if null). Rejected for storefront keys. */
  lowStock: queryFlag
    .optional()
    .describe(
      'With `true`, only products that track their stock, are not archived, and whose stock is at or below their `lowStockThreshold` (0 if null). Rejected for storefront keys.',
    ),
  /** The order. `relevance` needs `search`; `bestselling` is by pieces sold in the last 90 days. */
  sort: oneOf(productSorts)
    .default('newest')
    .describe('The order. `relevance` needs `search`; `bestselling` is by pieces sold in the last 90 days.'),
  /** With `variants`, one entry per variant group: its first product in the order, with `group`. `total`, `limit` and `offset` then count groups. */
  group: oneOf(['variants'])
    .optional()
    .describe(
      'With `variants`, one entry per variant group: its first product in the order, with `group`. `total`, `limit` and `offset` then count groups.',
    ),
  /** Names of attributes, `price`, `category` or `inStock`, separated by commas: the answer counts their values under all filters but their own. `attr.price` is an attribute of that name. */
  facets: facets
    .optional()
    .describe(
      'Names of attributes, `price`, `category` or `inStock`, separated by commas: the answer counts their values under all filters but their own. `attr.price` is an attribute of that name.',
    ),
  /** `variants`, `media`, or both, separated by a comma: what each product of the answer has in addition. */
  include: includeQuery
    .optional()
    .describe('`variants`, `media`, or both, separated by a comma: what each product of the answer has in addition.'),
};

export const ProductQuery = takingNames(fields(shape), attributePrefix, metadataPrefix);
export type ProductQueryInput = z.input<typeof ProductQuery>;
export type ProductQueryOutput = z.output<typeof ProductQuery>;

export const AttributeQuery = noted(
  takingNames(
    fields({
      ...shape,
      /** Every parameter of no other meaning is the name of an attribute with its value: 1 to 20 of them, as in `?color=blue&size=L`. The form `attr.<name>` works for all names and is needed for an attribute called `limit`, for example. */
      attributes: attributes.refine(
        (value) => Object.keys(value).length > 0,
        ruled('must name at least one attribute and its value', 'REQUIRED'),
      ),
    }),
    '',
  ),
  {
    description: 'Filters of a list of products by their attributes.',
    fields: {
      attributes: {
        description:
          'Every parameter of no other meaning is the name of an attribute with its value: 1 to 20 of them, as in `?color=blue&size=L`. The form `attr.<name>` works for all names and is needed for an attribute called `limit`, for example.',
        examples: [{ color: 'blue' }],
        minProperties: 1,
        maxProperties: maxAttributeFilters,
      },
    },
  },
);
export type AttributeQueryInput = z.input<typeof AttributeQuery>;

export const VariantGroupQuery = noted(
  takingNames(
    fields({
      ...shape,
      /** The text shared by the variants. */
      variantGroupId: text(255, 1).meta({ description: 'The text shared by the variants.', examples: ['mugs'] }),
    }),
    attributePrefix,
    metadataPrefix,
  ),
  {
    description: 'The variants to list.',
  },
);
export type VariantGroupQueryInput = z.input<typeof VariantGroupQuery>;

/** The filters of a list without its order, its window and what the answer has in addition. */
export const ProductFilterQuery = fields(shape).omit({
  limit: true,
  offset: true,
  after: true,
  sort: true,
  group: true,
  facets: true,
  include: true,
});

/**
 * A query with its attributes and its metadata in one place each: `attr.<name>`, as in a URL, is the attribute of that name, and
 * `metadata.<key>` the value of that key.
 * @param isOpen whether every other parameter of no other meaning is an attribute, too
 */
export function productQueryOf(given: object, isOpen = false): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  const named: [string, unknown][] = [];
  for (const [name, value] of Object.entries(withMetadata(given))) {
    if (name.startsWith(attributePrefix)) named.push([name.slice(attributePrefix.length), value]);
    else if (Object.hasOwn(shape, name) && (name !== 'attributes' || typeof value === 'object')) query[name] = value;
    else if (isOpen) named.push([name, value]);
  }
  const attributes = query.attributes as object | undefined;
  if (named.length === 0 && !isOpen) return query;
  return { ...query, attributes: Object.fromEntries([...Object.entries(attributes ?? {}), ...named]) };
}
