/**
 * Path and query of a request target. Proxies send the whole address (`GET http://shop.example/path`); its host is not needed, because only
 * one service runs here.
 */
export function pathOf(target: string): string {
  if (target.startsWith('/')) return target;
  const scheme = /^https?:\/\//i.exec(target)?.[0];
  if (scheme === undefined) return target;
  // Not one regular expression: versions that skipped the host took half a second for a target of 16 kB.
  const fragment = target.indexOf('#');
  const rest = target.slice(scheme.length, fragment === -1 ? undefined : fragment);
  const path = rest.search(/[/?]/);
  if (path === -1) return '/';
  return rest[path] === '/' ? rest.slice(path) : `/${rest.slice(path)}`;
}
