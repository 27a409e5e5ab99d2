import { api, at, had } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import type { Media } from './pictures.ts';

/** Number of pictures that a search covers, the newest first: the service cannot search them. */
export const maxSearched = 2000;

export interface Found extends Page<Media> {
  /** Whether older pictures exist that no search has covered. */
  isCut: boolean;
}

/**
 * A page of pictures, the newest first.
 * @param values `search` and `alt` look at the alternative text, `type` is a type such as `image/png`
 * @throws ApiError
 */
export async function findPictures(
  { search, type, alt }: Record<string, string>,
  { limit, offset }: { limit: number; offset: number },
  signal: AbortSignal,
): Promise<Found> {
  const page = (window: { limit: number; offset: number }) =>
    had(
      api.GET('/stores/{storeId}/media', {
        params: { path: at(), query: { ...window, ...(type ? { mimeType: type } : {}) } },
        signal,
      }),
    );
  if (!search && !alt) return { ...(await page({ limit, offset })), isCut: false };
  const found: Media[] = [];
  const words = search?.toLowerCase() ?? '';
  let looked = 0;
  let total = 1;
  while (looked < Math.min(total, maxSearched)) {
    const next = await page({ limit: 200, offset: looked });
    if (next.items.length === 0) break;
    looked += next.items.length;
    total = next.total;
    for (const one of next.items) {
      const text = one.altText ?? '';
      if (alt === 'missing' && text !== '') continue;
      if (alt === 'there' && text === '') continue;
      if (text.toLowerCase().includes(words)) found.push(one);
    }
  }
  return { items: found.slice(offset, offset + limit), total: found.length, isCut: total > maxSearched };
}
