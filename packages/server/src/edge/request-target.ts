/**
 * Path and query of a request target. Proxies send the whole address (`GET http://shop.example/path`); its host is not needed,
 * for there is one service here.
 */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const [, path = ''] = /^https?:\/\/[^/?#]*([^#]*)$/i.exec(target) ?? [];
  if (path === '') return /^https?:\/\//i.test(target) ? '/' : target;
  return path.startsWith('/') ? path : `/${path}`;
}
