/** Parses an absolute address; undefined when it is invalid. */
export function parseUrl(address: string): URL | undefined {
  return URL.parse(address) ?? undefined;
}

/** Parses an http or https address; undefined for others. */
export function parseWebAddress(address: string): URL | undefined {
  const url = parseUrl(address);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Parses an http or https address that is an origin alone: without user name, path, query and fragment; undefined for others. */
export function parseOrigin(address: string): URL | undefined {
  const url = parseWebAddress(address);
  if (!url || url.username || url.password || url.search || url.hash || url.pathname !== '/') return undefined;
  return url;
}
