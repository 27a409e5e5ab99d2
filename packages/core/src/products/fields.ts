import * as z from 'zod';
import { maxAttributeFilters, maxAttributes, maxProductReferences, maxSearch } from '../limits.ts';
import { paging } from '../paging.ts';
import { documented, fields, flag, integer, oneOf, queryFlag, requiredText, text } from '../parse.ts';
import { money } from '../resources/money.ts';
import { type Published, publishedDefaults, publishedFields, publishingStatuses } from '../resources/publishing.ts';
import type * as described from '../schemas/described.ts';

/** A product as every interface answers it. Amounts are decimal strings in the store's currency. */
export interface Product extends Published {
  id: string;
  storeId: string;
  title: string;
  description: string | null;
  price: string;
  compareAtPrice: string | null;
  sku: string | null;
  barcode: string | null;
  variantGroupId: string | null;
  attributes: Record<string, string>;
  trackStock: boolean;
  /** Below zero only through back-orders. */
  stock: number;
  allowBackorder: boolean;
  lowStockThreshold: number | null;
  categoryIds: string[];
  primaryMediaId: string | null;
  mediaIds: string[];
  createdAt: string;
  updatedAt: string;
  /** How `description` is written. HTML is stored as it came: whoever shows it has to make it safe. */
  descriptionFormat: DescriptionFormat;
}

export const descriptionFormats = ['text', 'markdown', 'html'] as const;
export type DescriptionFormat = (typeof descriptionFormats)[number];

export const maxStock = 2_147_483_647;

const optionalText = (max: number) => text(max).nullable();

/** A SKU or a barcode: blanks around it are dropped, and one of blanks only is none. */
const code = text(255)
  .trim()
  .transform((value) => value || null)
  .nullable();

const attributes = documented(
  attributeRecord().refine(
    (value) => Object.keys(value).length <= maxAttributes,
    `must have at most ${maxAttributes} keys`,
  ),
  { maxProperties: maxAttributes },
);

function attributeRecord() {
  const schema = z
    // Zod leaves this key out of a record without a word.
    .custom<Record<string, string>>(
      (value) => typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__'),
      { error: 'must not have the key "__proto__"', abort: true },
    )
    .pipe(z.record(text(64, 1), text(255), 'must be an object of texts, such as {"color": "red"}'));
  return documented(schema, {
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 255 },
  });
}

// Whether the ids exist is for the operation to say; here they are only bounded.
const ids = z
  .array(text(64), 'must be a list of ids')
  .max(maxProductReferences, `must have at most ${maxProductReferences} ids`)
  .transform((list) => [...new Set(list)]);

// Without defaults: an absent field keeps its value in an update, and Zod fills defaults into a partial.
const shapeFor = (decimals: number) => ({
  title: requiredText(255),
  ...publishedFields,
  description: optionalText(100_000),
  descriptionFormat: oneOf(descriptionFormats),
  price: money(decimals),
  compareAtPrice: money(decimals).nullable(),
  sku: code,
  barcode: code,
  variantGroupId: text(255, 1).nullable(),
  attributes,
  trackStock: flag,
  // A negative stock is accepted here because a client sends back what it read; the operation refuses a new one.
  stock: integer(-maxStock, maxStock),
  allowBackorder: flag,
  lowStockThreshold: integer(0, maxStock).nullable(),
  categoryIds: ids,
  primaryMediaId: text(64, 1).nullable(),
  mediaIds: ids,
});

/** What a new product has where nothing is said. */
export const productDefaults: Omit<
  Product,
  'id' | 'storeId' | 'title' | 'slug' | 'price' | 'publishedAt' | 'createdAt' | 'updatedAt'
> = {
  ...publishedDefaults,
  description: null,
  descriptionFormat: 'text',
  compareAtPrice: null,
  sku: null,
  barcode: null,
  variantGroupId: null,
  attributes: {},
  trackStock: false,
  stock: 0,
  allowBackorder: false,
  lowStockThreshold: null,
  categoryIds: [],
  primaryMediaId: null,
  mediaIds: [],
};

function schemasFor(decimals: number) {
  const update = fields(shapeFor(decimals)).partial();
  return { update, create: update.required({ title: true, slug: true, price: true }) };
}

const schemas = new Map<number, ReturnType<typeof schemasFor>>();

/** The input schemas for a currency with that many decimals; made once, for a Zod schema compiles on its first use. */
export function productFields(decimals: number): ReturnType<typeof schemasFor> {
  const made = schemas.get(decimals) ?? schemasFor(decimals);
  schemas.set(decimals, made);
  return made;
}

export type ProductInput = described.ProductInput & z.input<ReturnType<typeof schemasFor>['create']>;
/** `updatedAt`, as it was read, says that the caller has seen the stock that is stored; it is not written. */
export type ProductChanges = described.ProductChanges &
  z.input<ReturnType<typeof schemasFor>['update']> & {
    /** As it was read; not written. */
    updatedAt?: string;
  };

/** A list's window that may also begin behind a product, which is found at once however far down it is. */
const productPaging = { ...paging, after: text(255).optional() };

export const ProductQuery = fields({
  ...productPaging,
  status: oneOf(publishingStatuses).optional(),
  slug: text(255).optional(),
  sku: text(255).trim().optional(),
  variantGroupId: text(255).optional(),
  categoryId: text(255).optional(),
  /** A substring of title, description or SKU, in any case; every character stands for itself. */
  search: text(maxSearch).optional(),
  /**
   * With true those alone that track their stock, are not archived, and have no more of it than their `lowStockThreshold`, or nothing
   * where they have none. Not for storefront keys.
   */
  lowStock: queryFlag.optional(),
});
export type ProductQueryInput = described.ProductQueryInput & z.input<typeof ProductQuery>;

export const AttributeQuery = fields({
  ...productPaging,
  status: oneOf(publishingStatuses).optional(),
  /** Values by key; a product has to have all of them. */
  attributes: attributeRecord()
    .refine((value) => Object.keys(value).length > 0, 'must name at least one attribute and its value')
    .refine(
      (value) => Object.keys(value).length <= maxAttributeFilters,
      `must name at most ${maxAttributeFilters} attributes`,
    ),
});
export type AttributeQueryInput = described.AttributeQueryInput & z.input<typeof AttributeQuery>;

export const VariantGroupQuery = fields({ ...productPaging, variantGroupId: text(255, 1) });
export type VariantGroupQueryInput = described.VariantGroupQueryInput & z.input<typeof VariantGroupQuery>;
