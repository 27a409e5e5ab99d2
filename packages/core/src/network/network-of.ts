import { isIPv4, isIPv6 } from 'node:net';

/**
 * Network of a client whose requests are counted together. For IPv4 it is the address, with or without a port. For IPv6 it is the first 64
 * bits, because a subscriber can choose the rest. Texts that are not an address count together too.
 */
export function networkOf(address: string | undefined): string {
  const [, bracketed, dotted] = /^\[([^\]]*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address ?? '') ?? [];
  const [host = ''] = (bracketed ?? dotted ?? address ?? '').split('%');
  if (isIPv4(host)) return host;
  if (!isIPv6(host)) return 'unknown';
  const groups = groupsOf(host);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [groups[6], groups[7]].map((group = 0) => `${group >> 8}.${group & 255}`).join('.');
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The last four bytes can be written in the form of IPv4.
  const plain = address.replace(/(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return groups(head);
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...new Array<number>(8 - first.length - last.length).fill(0), ...last];
}
