// Addresses: where the dashboard and the service are. Every script of a build lies in `assets`, one folder below the dashboard, which is
// one below the service, whatever the prefix is that a proxy or an application adds.

/** Address of the dashboard, with a slash at its end. */
export const root: URL = new URL('../', import.meta.url);

/** Address of the service, without a slash at its end. */
export const service: string = new URL('../', root).href.replace(/\/$/, '');

/** The address of a place inside the dashboard, such as `orders?status=paid`, as a link has it. */
export function href(to: string): string {
  const { pathname, search } = new URL(to, root);
  return to === '' ? pathname.replace(/\/$/, '') : pathname + search;
}
