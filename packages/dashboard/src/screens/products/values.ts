import { refusal } from '../../api/errors.ts';
import type { Changes } from '../../api/items.ts';
import type { Schemas } from '../../api/types.ts';
import * as kinds from '../../kit/form/kinds.ts';
import { area, check, choice, count, type FieldKind, line, money, own, type ValuesOf } from '../../kit/form/kinds.ts';
import { t } from '../../words/words.ts';
import { searchFields } from '../goods/search-fields.ts';
import { publishing } from '../goods/status.ts';
import { classOf, classText, standardClass } from '../goods/tax-class.ts';
import { metadataFields } from '../labels/fields.ts';
import { pairsField } from '../labels/pairs.ts';
import { listingFields } from '../listing/fields.ts';

const words = t.products.form;

export type Product = Schemas['Product'];

// The fields of a product in the groups of the form.

export const named = {
  title: line(words.title, { isRequired: true }),
  slug: line(words.slug, { isRequired: true }),
};

export const described = {
  description: area(words.description, { rows: 7 }),
  descriptionFormat: choice<Product['descriptionFormat']>(
    words.format,
    [
      ['text', words.formats.text],
      ['markdown', words.formats.markdown],
      ['html', words.formats.html],
    ],
    { start: 'text' },
  ),
};

export const sold = {
  status: publishing(words.status, 'draft'),
  price: money(words.price, { isRequired: true }),
  compareAtPrice: money(words.compareAt, { hint: words.compareAtHint }),
};

/** Goods that buyers cannot send back, with the reason. */
export const exempt = { withdrawalExempt: line(words.exempt, { hint: words.exemptHint }) };

export const tracked = { trackStock: check(words.track, { start: true }) };

/** How the product is taxed: its kind of goods, as the text that is typed. */
export const taxed = {
  taxClass: {
    ...own<string>(words.taxClass, '', (typed) => classOf(typed)),
    read: (stored: unknown) => classText(String(stored ?? standardClass)),
  } satisfies FieldKind<string> as FieldKind<string>,
};

export const shipped = {
  requiresShipping: check(words.requiresShipping, { start: true, hint: words.requiresShippingHint }),
};

/** Grams of a product that is shipped. */
export const weighed = {
  weight: {
    ...count(words.weight, { hint: words.weightHint }),
    sent(typed: string) {
      const grams = kinds.wholeNumber(typed);
      if (typeof grams === 'string') throw refusal('weight', t.kit.wholeNumber);
      return grams;
    },
  },
};

/** The stock of a new product. An existing stock is only changed by differences, so the form of an existing product does not have it. */
export const begun = {
  stock: {
    ...count(words.inStock),
    read: (stored) => (stored === undefined ? '0' : undefined),
    sent: (typed) => kinds.wholeNumber(typed ?? '') ?? 0,
  } satisfies FieldKind<string | undefined> as FieldKind<string | undefined>,
};

export const counted = {
  lowStockThreshold: count(words.warnBelow, { hint: words.warnBelowHint }),
  allowBackorder: check(words.backorder),
};

export const coded = { sku: line(words.sku), barcode: line(words.barcode) };

export const grouped = {
  variantGroupId: line(words.variantGroup, { hint: words.variantGroupHint }),
};

const drawn = {
  attributes: pairsField('attributes', words.attributes, t.products.attributes.twice),
  categoryIds: own<string[]>(words.categories, []),
  mediaIds: own<string[]>(words.images, []),
  primaryMediaId: own<string | null>(words.mainImage, null),
};

export const productFields = {
  ...named,
  ...described,
  ...sold,
  ...exempt,
  ...taxed,
  ...shipped,
  ...weighed,
  ...tracked,
  ...begun,
  ...counted,
  ...coded,
  ...grouped,
  ...drawn,
  ...searchFields,
  ...listingFields,
  ...metadataFields,
};

/** The fields of a product as a form has them. */
export type ProductValues = ValuesOf<typeof productFields>;

/** Initial values of a new product. */
export const newValues: ProductValues = kinds.readValues(productFields);

export const valuesOf = (product: Product): ProductValues => kinds.readValues(productFields, product);

/**
 * The body of a request with these values.
 * @throws ApiError for a duplicate attribute
 */
export const bodyOf = (values: Partial<ProductValues>): Changes<'products'> => kinds.bodyOf(productFields, values);

/** A copy of a product that can exist next to it: a draft without the unique values. */
export function copyOf(product: Product): ProductValues {
  return {
    ...valuesOf(product),
    slug: `${product.slug.slice(0, 240)}-copy`,
    status: 'draft',
    sku: '',
    barcode: '',
    variantGroupId: '',
    stock: '0',
    // Other programs know the product by it.
    metadata: [],
  };
}
