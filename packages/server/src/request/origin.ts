import type { IncomingHttpHeaders } from 'node:http';

const hostName = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?$/i;
const ipv6 = /^\[[0-9a-f:.]{2,45}\]$/i;

/**
 * The origin under which the client reaches the service, such as `https://shop.example:8443`; undefined if unknown. `Host` comes from the
 * client. A proxy's `X-Forwarded-Proto` and `X-Forwarded-Host` take precedence, but only if a proxy is known to be in front. Without one,
 * any client can send them.
 */
export function originOf(request: { headers: IncomingHttpHeaders }, trustProxy: boolean): string | undefined {
  const { headers } = request;
  const forwarded = (name: string) => (trustProxy ? firstOf(headers[name]) : undefined);
  const scheme = forwarded('x-forwarded-proto')?.toLowerCase() ?? 'http';
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  const host = forwarded('x-forwarded-host') ?? headers.host;
  return host !== undefined && isHost(host) ? `${scheme}://${host.toLowerCase()}` : undefined;
}

/** Each proxy appends a value, so the first one is from the proxy that the client connected to. */
function firstOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  return text === undefined ? undefined : (text.split(',')[0] as string).trim();
}

/** True if the text is a name or an address, with or without a port. */
function isHost(text: string): boolean {
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (port !== undefined && (Number(port) === 0 || Number(port) > 65_535)) return false;
  if (name.startsWith('[')) return ipv6.test(name) && URL.canParse(`http://${name}`);
  return name.length <= 253 && hostName.test(name);
}

/**
 * The network address of a request. Behind a proxy it is the last address in the header, because the client can have made up the others.
 */
export function clientAddress(
  { headers, address }: { headers: IncomingHttpHeaders; address?: string | undefined },
  trustProxy: boolean,
): string | undefined {
  const forwarded = trustProxy ? headers['x-forwarded-for'] : undefined;
  const last = [forwarded].flat().at(-1)?.split(',').at(-1)?.trim();
  return last || address;
}

const known = new Set<string>();

/** True if a `Host` header follows RFC 9112: a network name of any kind, or an address, with or without a port. */
export function isHostHeader(text: string): boolean {
  if (known.has(text)) return true;
  const [, name = '', port = '0'] = /^(\[[^\]]*\]|[\w.~!$&'()*+,;=%-]+)(?::(\d{0,5}))?$/.exec(text) ?? [];
  const fits = name.startsWith('[')
    ? ipv6.test(name) && URL.canParse(`http://${name}`)
    : name !== '' && name.length <= 253;
  if (!fits || Number(port) > 65_535) return false;
  // A service has a handful of names; an attacker with ever new ones must not fill the memory.
  if (known.size >= 100) known.clear();
  known.add(text);
  return true;
}
