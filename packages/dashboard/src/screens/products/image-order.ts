import type { ProductValues } from './values.ts';

/** The pictures in their order; a primary picture outside of the list comes first. */
export function imagesOf({ mediaIds, primaryMediaId }: Pick<ProductValues, 'mediaIds' | 'primaryMediaId'>): string[] {
  return primaryMediaId !== null && !mediaIds.includes(primaryMediaId) ? [primaryMediaId, ...mediaIds] : [...mediaIds];
}

/** A list with one entry moved to another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
