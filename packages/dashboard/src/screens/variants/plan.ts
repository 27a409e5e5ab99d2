import type { Changes } from '../../api/items.ts';
import {
  attributesFor,
  type Combination,
  combinationOf,
  combinations,
  comboKey,
  type Option,
  type Product,
  textsOf,
} from './options.ts';
import { variantSlug } from './slugs.ts';

/** The cells of a variant that are edited in the grid, as typed. */
export interface Cells {
  /** A decimal string. */
  price: string;
  sku: string;
  stock: string;
  mediaId: string | null;
}

/** A row of the grid: a stored variant, or a new one. */
export interface Row {
  /** The id of the variant, or the key of its combination. */
  key: string;
  combination: Combination;
  variant: Product | undefined;
  cells: Cells;
}

export interface Draft {
  options: readonly Option[];
  /** Typed cells by the key of their row. */
  edits: Readonly<Record<string, Partial<Cells>>>;
  /** Keys of combinations that are not offered. */
  leftOut: readonly string[];
}

/** The picture of a product. */
export const pictureOf = ({ primaryMediaId, mediaIds }: Pick<Product, 'primaryMediaId' | 'mediaIds'>): string | null =>
  primaryMediaId ?? mediaIds[0] ?? null;

const cellsOf = (product: Product): Cells => ({
  price: product.price,
  sku: product.sku ?? '',
  stock: String(product.stock),
  mediaId: pictureOf(product),
});

/** Combinations that no stored variant has. */
export function missing(options: readonly Option[], variants: readonly Product[]): Combination[] {
  const there = new Set(
    variants.flatMap(({ attributes }) => {
      const combination = combinationOf(attributes, options);
      return combination ? [comboKey(combination)] : [];
    }),
  );
  return combinations(options).filter((combination) => !there.has(comboKey(combination)));
}

/**
 * The rows of the grid in the order of the options: stored variants, and the combinations that are still missing.
 * @param base the product whose price and picture new variants begin with
 */
export function rowsOf(draft: Draft, variants: readonly Product[], base: Product): Row[] {
  const { options, edits, leftOut } = draft;
  const rows: Row[] = variants.flatMap((variant) => {
    const combination = combinationOf(variant.attributes, options);
    if (!combination) return [];
    return [{ key: variant.id, combination, variant, cells: { ...cellsOf(variant), ...edits[variant.id] } }];
  });
  for (const combination of missing(options, variants)) {
    const key = comboKey(combination);
    if (leftOut.includes(key)) continue;
    const cells = { ...cellsOf(base), sku: '', stock: '0', ...edits[key] };
    rows.push({ key, combination, variant: undefined, cells });
  }
  const order = new Map(combinations(options).map((combination, i) => [comboKey(combination), i]));
  const placeOf = ({ combination }: Row) => order.get(comboKey(combination)) ?? -1;
  return rows.sort((a, b) => placeOf(a) - placeOf(b));
}

/** One request, or two, of a plan. */
export type Work =
  | { kind: 'update'; key: string; variant: Product; body: Changes<'products'>; adjustment: number }
  | { kind: 'create'; key: string; body: Changes<'products'> }
  | { kind: 'archive'; key: string; variant: Product };

/**
 * What has to be done to store a draft.
 * @param members all products of the group, archived ones too: those are restored instead of made anew
 * @param stored names of the options before the change
 */
export function planOf(draft: Draft, members: readonly Product[], base: Product, stored: readonly string[]): Work[] {
  const { options } = draft;
  const variants = members.filter(isShown);
  const group = base.variantGroupId ?? base.slug;
  const rows = rowsOf(draft, variants, base);
  const kept = new Set(rows.map(({ key }) => key));
  const taken = new Set(members.map(({ slug }) => slug));
  const work: Work[] = variants
    .filter(({ id }) => !kept.has(id))
    .map((variant) => ({ kind: 'archive', key: variant.id, variant }));
  for (const { key, combination, variant, cells } of rows) {
    const attributes = attributesFor((variant ?? base).attributes, combination, options, stored);
    if (variant) {
      const body: Changes<'products'> = {
        ...(isSame(attributes, variant.attributes) ? {} : { attributes }),
        ...(options.length > 0 && variant.variantGroupId !== group ? { variantGroupId: group } : {}),
        ...changedCells(cells, variant),
      };
      const adjustment = variant.trackStock ? Number(cells.stock) - variant.stock : 0;
      if (Object.keys(body).length > 0 || adjustment !== 0)
        work.push({ kind: 'update', key, variant, body, adjustment });
      continue;
    }
    const former = members.find(
      (one) => !isShown(one) && options.every(({ name }) => one.attributes[name.trim()] === attributes[name.trim()]),
    );
    if (former) {
      const body = { ...changedCells(cells, former), status: base.status as 'draft' | 'published' };
      work.push({
        kind: 'update',
        key,
        variant: former,
        body,
        adjustment: former.trackStock ? Number(cells.stock) - former.stock : 0,
      });
      continue;
    }
    const slug = variantSlug(isSlug.test(group) ? group : base.slug, textsOf(combination, options), taken);
    taken.add(slug);
    work.push({
      kind: 'create',
      key,
      body: { ...copyOf(base), ...newCells(cells, base), slug, attributes, variantGroupId: group },
    });
  }
  return work;
}

const isSlug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether a product is shown as a variant: archived ones are not. */
export const isShown = ({ status }: Product): boolean => status === 'draft' || status === 'published';

function isSame(a: Product['attributes'], b: Product['attributes']): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

const withPicture = (mediaId: string | null, mediaIds: readonly string[]) => ({
  primaryMediaId: mediaId,
  mediaIds: mediaId === null || mediaIds.includes(mediaId) ? [...mediaIds] : [mediaId, ...mediaIds],
});

function changedCells({ price, sku, mediaId }: Cells, product: Product): Changes<'products'> {
  return {
    ...(price === product.price ? {} : { price }),
    ...(sku.trim() === (product.sku ?? '') ? {} : { sku: sku.trim() || null }),
    ...(mediaId === pictureOf(product) ? {} : withPicture(mediaId, product.mediaIds)),
  };
}

const newCells = ({ price, sku, stock, mediaId }: Cells, base: Product): Changes<'products'> => ({
  price,
  sku: sku.trim() || null,
  stock: base.trackStock ? Number(stock) : 0,
  ...withPicture(mediaId, base.mediaIds),
});

/** The fields of a product that a new variant takes over. */
function copyOf(product: Product): Changes<'products'> {
  const { title, description, descriptionFormat, status, compareAtPrice, trackStock, allowBackorder } = product;
  const {
    taxClass,
    weight,
    requiresShipping,
    lowStockThreshold,
    categoryIds,
    seoTitle,
    seoDescription,
    seoKeywords,
    seoImageId,
    brand,
    manufacturerId,
    responsiblePersonId,
    safetyNotes,
    unitPricing,
  } = product;
  return {
    title,
    description,
    descriptionFormat,
    status: status as 'draft' | 'published' | 'archived',
    compareAtPrice,
    taxClass,
    weight,
    requiresShipping,
    trackStock,
    allowBackorder,
    lowStockThreshold,
    categoryIds,
    seoTitle,
    seoDescription,
    seoKeywords,
    seoImageId,
    brand,
    manufacturerId,
    responsiblePersonId,
    safetyNotes,
    unitPricing: unitPricing && { measure: unitPricing.measure, base: unitPricing.base },
  };
}
