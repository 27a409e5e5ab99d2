import { refusal } from '../../api/errors.ts';
import type { Changes } from '../../api/items.ts';
import type { Schemas } from '../../api/types.ts';
import * as kinds from '../../kit/form/kinds.ts';
import { area, check, choice, count, type FieldKind, line, money, own, type ValuesOf } from '../../kit/form/kinds.ts';
import { searchFields } from '../goods/search-fields.ts';
import { publishing } from '../goods/status.ts';

export type Product = Schemas['Product'];

// The fields of a product in the groups of the form.

export const named = {
  title: line('Title', { isRequired: true }),
  slug: line('Address (slug)', { isRequired: true }),
};

export const described = {
  description: area('Description', { rows: 7 }),
  descriptionFormat: choice<Product['descriptionFormat']>(
    'Written as',
    [
      ['text', 'Text'],
      ['markdown', 'Markdown'],
      ['html', 'HTML'],
    ],
    { start: 'text' },
  ),
};

export const sold = {
  status: publishing('Status', 'draft'),
  price: money('Price', { isRequired: true }),
  compareAtPrice: money('Price before', { hint: 'Shown next to a reduced price' }),
};

export const tracked = { trackStock: check('Track stock', { start: true }) };

/** The stock of a new product. An existing stock is only changed by differences, so the form of an existing product does not have it. */
export const begun = {
  stock: {
    ...count('In stock'),
    read: (stored) => (stored === undefined ? '0' : undefined),
    sent: (typed) => kinds.wholeNumber(typed ?? '') ?? 0,
  } satisfies FieldKind<string | undefined> as FieldKind<string | undefined>,
};

export const counted = {
  lowStockThreshold: count('Low from', { hint: 'Pieces' }),
  allowBackorder: check('Allow back-orders'),
};

export const coded = { sku: line('SKU'), barcode: line('Barcode') };

export const grouped = {
  variantGroupId: line('Group of variants', { hint: 'Products with the same text here are variants of each other' }),
};

const drawn = {
  attributes: attributeRows('Attributes'),
  categoryIds: own<string[]>('Categories', []),
  mediaIds: own<string[]>('Pictures', []),
  primaryMediaId: own<string | null>('Main picture', null),
};

export const productFields = {
  ...named,
  ...described,
  ...sold,
  ...tracked,
  ...begun,
  ...counted,
  ...coded,
  ...grouped,
  ...drawn,
  ...searchFields,
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
  };
}

type Attribute = readonly [name: string, value: string];

/** Attributes as rows, in display order. */
function attributeRows(label: string): FieldKind<Attribute[]> {
  return {
    ...own<Attribute[]>(label, []),
    read: (stored) => Object.entries((stored ?? {}) as Record<string, string>),
    sent(rows) {
      const names = rows.map(([name]) => name.trim()).filter(Boolean);
      const twice = names.find((name, i) => names.indexOf(name) !== i);
      if (twice === undefined) return attributesOf(rows);
      throw refusal('attributes', `has ${JSON.stringify(twice)} twice; each name must be unique`);
    },
  };
}

/** Attributes without empty rows. */
export function attributesOf(rows: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(([name, value]) => [name.trim(), value.trim()] as const).filter(([name, value]) => name || value),
  );
}
