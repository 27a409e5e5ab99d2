import type { Commerce } from '@commerce/core';
import { createFetchHandler } from '@commerce/server';

/** What `app/shop/[...path]/route.ts` exports by these names, beside `runtime = 'nodejs'`. */
export function nextRoute(commerce: Commerce) {
  const handle = createFetchHandler(commerce, { basePath: '/shop' });
  return { GET: handle, HEAD: handle, POST: handle, PUT: handle, PATCH: handle, DELETE: handle, OPTIONS: handle };
}
