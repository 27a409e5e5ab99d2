/**
 * Parses an absolute address; undefined when it is invalid. `URL.canParse` is not used for this: once Node.js 20 and 22 have compiled it
 * after some thousand calls, it refuses hosts with letters such as ü (measured on 20.20; https://github.com/nodejs/node/pull/58023).
 */
export function parseUrl(address: string): URL | undefined {
  try {
    return new URL(address);
  } catch {
    return undefined;
  }
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
