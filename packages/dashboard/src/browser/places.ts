// Addresses of the dashboard and of the service. Every script of a build is in `assets`, one folder below the dashboard. The dashboard is
// one folder below the service, whatever prefix a proxy or an application adds.

/** Address of the dashboard, with a slash at its end. */
export const root: URL = new URL('../', import.meta.url);

/** Address of the service, without a slash at its end. */
export const service: string = new URL('../', root).href.replace(/\/$/, '');

/** The address of a place in the dashboard, such as `orders?status=paid`, for a link. */
export function href(to: string): string {
  const { pathname, search } = new URL(to, root);
  return to === '' ? pathname.replace(/\/$/, '') : pathname + search;
}
