import { randomSlug, slugOf } from '../goods/slug.ts';

/** Characters of the slug of the product that a variant keeps. */
const maxStart = 150;

/**
 * The slug of a new variant: the slug of the product and the values, such as `shirt-red-l`.
 * @param taken slugs of the other variants
 */
export function variantSlug(product: string, texts: readonly string[], taken: ReadonlySet<string>): string {
  const start = product.slice(0, maxStart);
  const own = slugOf(texts.join(' '));
  if (own === '') return randomSlug(start);
  const slug = `${start}-${own}`;
  for (let n = 1; ; n++) {
    const next = n === 1 ? slug : `${slug}-${n}`;
    if (!taken.has(next)) return next;
  }
}
