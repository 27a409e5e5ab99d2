/** Parses an absolute address; undefined when it is invalid. */
export function parseUrl(address: string): URL | undefined {
  return URL.parse(address) ?? undefined;
}

/** Parses an http or https address; undefined for others. */
export function parseWebAddress(address: string): URL | undefined {
  const url = parseUrl(address);
  return url && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Parses an http or https address that is only an origin, without user name, path, query and fragment; undefined for others. */
export function parseOrigin(address: string): URL | undefined {
  const url = parseWebAddress(address);
  if (!url || url.username || url.password || url.search || url.hash || url.pathname !== '/') return undefined;
  return url;
}

/** What no host has: what would begin another part of an address, an escape, a blank, and the wildcard of other settings. */
const noHost = /[\s/?#@\\%*]/;

/**
 * A host, with a port unless it is the usual one of HTTP or HTTPS, in the one spelling that equal hosts share: lower case, names of other
 * scripts as `xn--`, no dot at the end. Undefined for anything else, such as an address with a scheme or a path.
 */
export function hostKey(text: string): string | undefined {
  const url = noHost.test(text) ? undefined : parseUrl(`https://${text}`);
  if (!url || url.hostname.length > 253) return undefined;
  const name = url.hostname.replace(/\.$/, '');
  if (name === '') return undefined;
  return url.port === '' || url.port === '80' ? name : `${name}:${url.port}`;
}

/**
 * The URL at which this machine reaches a server that listens on a host. Wildcard addresses such as 0.0.0.0 and :: cannot be called on
 * every system, so the loopback address of their family replaces them.
 * @param host a name or an address, without brackets
 */
export function listeningUrl(host: string, port: number): string {
  const inUrl = host.includes(':') ? `[${host}]` : host;
  // The URL parser knows every spelling, such as 0 and ::0. It refuses an address with a zone, which is kept unchanged.
  const hostname = parseUrl(`http://${inUrl}`)?.hostname ?? inUrl;
  return `http://${loopbackOf[hostname] ?? inUrl}:${port}`;
}

const loopbackOf: Readonly<Record<string, string>> = {
  '': '127.0.0.1',
  '0.0.0.0': '127.0.0.1',
  '[::]': '[::1]',
  '[::ffff:0:0]': '127.0.0.1',
};

/** True if only this machine reaches a server that listens on a host. Of names, only localhost and its subdomains are known to be local. */
export function isLoopbackHost(host: string): boolean {
  const hostname = parseUrl(`http://${host.includes(':') ? `[${host}]` : host}`)?.hostname ?? '';
  return /^(?:127\.[\d.]+|(?:[^.]+\.)*localhost\.?|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname);
}
