import { api, at, had } from '../../api/client.ts';
import type { Page, Schemas } from '../../api/types.ts';
import { loadPictures } from '../media/pictures.ts';
import { type Period, rangeOf } from './period.ts';

export type BestSeller = Schemas['BestSeller'];

interface Window {
  limit: number;
  offset: number;
}

/** Best sellers of a period. */
export function loadBest(period: Period, window: Window, signal: AbortSignal): Promise<Page<BestSeller>> {
  const query = { ...rangeOf(period), ...window };
  return had(api.GET('/stores/{storeId}/statistics/products', { params: { path: at(), query }, signal }));
}

/** Best sellers with their pictures, which are loaded in one request. */
export async function loadBestWithPictures(
  period: Period,
  window: Window,
  signal: AbortSignal,
): Promise<Page<BestSeller>> {
  const page = await loadBest(period, window, signal);
  await loadPictures(
    page.items.flatMap(({ primaryMediaId }) => primaryMediaId ?? []),
    signal,
  );
  return page;
}
