import type { Schemas } from '../../api/types.ts';

export type Product = Schemas['Product'];
type Changes = Schemas['ProductChanges'];

/** The fields of a product as a form has them: texts for everything that is typed. */
export type ProductValues = {
  title: string;
  slug: string;
  description: string;
  descriptionFormat: Product['descriptionFormat'];
  status: 'draft' | 'published' | 'archived';
  price: string;
  compareAtPrice: string;
  sku: string;
  barcode: string;
  variantGroupId: string;
  /** Names and values in the order in which they are shown. */
  attributes: (readonly [name: string, value: string])[];
  categoryIds: string[];
  trackStock: boolean;
  /** Of a new product alone: later it is changed by differences. */
  stock?: string;
  allowBackorder: boolean;
  lowStockThreshold: string;
  mediaIds: string[];
  primaryMediaId: string | null;
  seoTitle: string;
  seoDescription: string;
  seoKeywords: string;
};

/** What a new product begins with. */
export const newValues: ProductValues = {
  title: '',
  slug: '',
  description: '',
  descriptionFormat: 'text',
  status: 'draft',
  price: '',
  compareAtPrice: '',
  sku: '',
  barcode: '',
  variantGroupId: '',
  attributes: [],
  categoryIds: [],
  trackStock: true,
  stock: '0',
  allowBackorder: false,
  lowStockThreshold: '',
  mediaIds: [],
  primaryMediaId: null,
  seoTitle: '',
  seoDescription: '',
  seoKeywords: '',
};

export function valuesOf(product: Product): ProductValues {
  const { status, attributes, categoryIds, trackStock, allowBackorder, lowStockThreshold, mediaIds } = product;
  const { primaryMediaId, title, slug, price } = product;
  return {
    title,
    slug,
    status: status === 'deleted' ? 'archived' : status,
    price,
    description: product.description ?? '',
    descriptionFormat: product.descriptionFormat,
    compareAtPrice: product.compareAtPrice ?? '',
    sku: product.sku ?? '',
    barcode: product.barcode ?? '',
    variantGroupId: product.variantGroupId ?? '',
    attributes: Object.entries(attributes),
    categoryIds,
    trackStock,
    allowBackorder,
    lowStockThreshold: lowStockThreshold === null ? '' : String(lowStockThreshold),
    mediaIds,
    primaryMediaId,
    seoTitle: product.seoTitle ?? '',
    seoDescription: product.seoDescription ?? '',
    seoKeywords: product.seoKeywords ?? '',
  };
}

/** A copy of a product that can stand beside it: a draft without what has to be its own. */
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

/** Fields of which an empty text means that there is none. */
const optional = [
  'description',
  'compareAtPrice',
  'sku',
  'barcode',
  'variantGroupId',
  'seoTitle',
  'seoDescription',
  'seoKeywords',
] as const;

/** The values as the interface takes them. What is no number goes as it was typed, for the service to say so. */
export function bodyOf(values: Partial<ProductValues>): Changes {
  const body: Record<string, unknown> = { ...values };
  for (const name of optional) if (body[name] === '') body[name] = null;
  for (const name of ['price', 'compareAtPrice']) {
    const amount = body[name];
    if (typeof amount === 'string') body[name] = amount.trim();
  }
  if (values.attributes) body.attributes = attributesOf(values.attributes);
  if (values.stock !== undefined) body.stock = numberOf(values.stock) ?? 0;
  if (values.lowStockThreshold !== undefined) body.lowStockThreshold = numberOf(values.lowStockThreshold);
  return body as Changes;
}

/** Attributes without rows that nobody has filled in. */
export function attributesOf(rows: ProductValues['attributes']): Record<string, string> {
  return Object.fromEntries(
    rows.map(([name, value]) => [name.trim(), value.trim()] as const).filter(([name, value]) => name || value),
  );
}

function numberOf(text: string): number | string | null {
  const typed = text.trim();
  if (typed === '') return null;
  return /^-?\d{1,15}$/.test(typed) ? Number(typed) : typed;
}
