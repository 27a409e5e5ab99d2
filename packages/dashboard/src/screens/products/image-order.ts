import type { ProductValues } from './values.ts';

/** The pictures in their order; a primary picture outside of the list comes first. */
export function imagesOf({ mediaIds, primaryMediaId }: Pick<ProductValues, 'mediaIds' | 'primaryMediaId'>): string[] {
  return primaryMediaId !== null && !mediaIds.includes(primaryMediaId) ? [primaryMediaId, ...mediaIds] : [...mediaIds];
}

/**
 * Adds an uploaded picture. Pictures that were dropped together stay in the order of the drop, whichever arrives first, and the first one
 * becomes the main picture of a product without pictures.
 * @param places of the uploaded pictures in the order of the drop, this one included
 * @param hasChosen whether the user has chosen the main picture
 */
export function withUpload(
  before: Pick<ProductValues, 'mediaIds' | 'primaryMediaId'>,
  id: string,
  places: ReadonlyMap<string, number>,
  hasChosen: boolean,
): Pick<ProductValues, 'mediaIds' | 'primaryMediaId'> {
  const ids = imagesOf(before);
  const main = before.primaryMediaId ?? ids[0] ?? id;
  const isLater = (one: string) => (places.get(one) ?? 0) > (places.get(id) ?? 0);
  const next = ids.findIndex(isLater);
  return {
    mediaIds: next === -1 ? [...ids, id] : [...ids.slice(0, next), id, ...ids.slice(next)],
    primaryMediaId: !hasChosen && isLater(main) ? id : main,
  };
}

/** A list with one entry moved to another place. */
export function moved<T>(list: readonly T[], from: number, to: number): T[] {
  const next = [...list];
  next.splice(to, 0, ...next.splice(from, 1));
  return next;
}
