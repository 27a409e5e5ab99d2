import { BlockList, isIP, type LookupFunction } from 'node:net';
import { invalid, quote } from '../kernel/errors.ts';
import { asLookupFunction, type NameLookup, openNames } from '../kernel/names.ts';

/** Keeps requests to addresses that clients name out of the server's own network. */
export interface AddressGuard {
  /** Why the host of a URL is refused; undefined for a public address, and for a name, which has to be looked up first. */
  refuseHost(hostname: string): RefusedAddress | undefined;
  /** For `net.connect`: looks a name up and fails if any of its addresses is refused. The checked address is the one connected to. */
  readonly lookup: LookupFunction;
}

export interface RefusedAddress {
  address: string;
  reason: string;
}

/**
 * Addresses outside the public internet, by class: IANA's special-purpose registries (RFC 6890 and its updates). Only 2000::/3 of IPv6 is
 * allocated.
 */
const classes: readonly (readonly [name: string, ranges: string])[] = [
  ['a loopback', '127.0.0.0/8 ::1/128'],
  ['a private', '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 fec0::/10'],
  ['a link-local (cloud metadata)', '169.254.0.0/16 fe80::/10'],
  ['a carrier NAT', '100.64.0.0/10'],
  ['a multicast', '224.0.0.0/4 ff00::/8'],
  ['a documentation', '192.0.2.0/24 198.51.100.0/24 203.0.113.0/24 2001:db8::/32 3fff::/20'],
  ['a 6to4', '192.88.99.0/24 2002::/16'],
  ['a NAT64', '64:ff9b::/96 64:ff9b:1::/48'],
  ['a reserved', '0.0.0.0/8 192.0.0.0/24 198.18.0.0/15 240.0.0.0/4 2001::/23'],
];

let tables: Tables | undefined;

interface Tables {
  refused: { name: string; list: BlockList }[];
  /** The allocated part of IPv6. */
  givenOut: BlockList;
  /** IPv4-mapped IPv6 addresses. */
  mapped: BlockList;
}

/** The classes as tables, built for the first address, because most commands check none. */
function addressTables(): Tables {
  tables ??= {
    refused: classes.map(([name, ranges]) => ({ name, list: blockList(ranges.split(' ')) })),
    givenOut: blockList(['2000::/3']),
    mapped: blockList(['::ffff:0:0/96']),
  };
  return tables;
}

/**
 * @param allowed ranges such as `10.1.0.0/16` that are let through, for subscribers inside the shop's own network
 * @param resolve looks names up; asks the system's name servers by default
 * @param option the name of the option that has them, for errors
 * @throws CommerceError `validation` on the option if an entry is not a range
 */
export function openAddressGuard(
  allowed: readonly string[] = [],
  resolve: NameLookup = openNames(),
  option = 'webhookAllow',
): AddressGuard {
  for (const range of allowed) {
    if (!isRange(range)) {
      throw invalid(option, `must be ranges such as "10.1.0.0/16" or "fd00::/8", not ${quote(range)}`, {
        code: 'WRONG_TYPE',
      });
    }
  }
  const exceptions = allowed.length === 0 ? undefined : blockList(allowed);
  const refuse = (address: string): RefusedAddress | undefined => {
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (exceptions?.check(address, family)) return undefined;
    const name = classOf(address, family);
    if (name === undefined) return undefined;
    const reason = `${address} is ${name} address, and requests to such addresses are refused unless the service allows them`;
    return { address, reason };
  };
  return {
    refuseHost(hostname) {
      const host = hostname
        .replace(/^\[|\]$/g, '')
        .replace(/\.$/, '')
        .toLowerCase();
      if (isIP(host) !== 0) return refuse(host);
      // RFC 6761: these names never leave the machine.
      return host === 'localhost' || host.endsWith('.localhost') ? refuse('127.0.0.1') : undefined;
    },
    lookup: asLookupFunction((hostname, family, callback) => {
      resolve(hostname, family, (error, addresses) => {
        const reasons = addresses.flatMap(({ address }) => refuse(address)?.reason ?? []);
        callback(error ?? (reasons[0] === undefined ? null : new Error(`${hostname}: ${reasons[0]}`)), addresses);
      });
    }),
  };
}

function classOf(address: string, family: 'ipv4' | 'ipv6'): string | undefined {
  const { refused, givenOut, mapped } = addressTables();
  // An IPv4-mapped IPv6 address (::ffff:10.0.0.1) is also checked by the IPv4 rules.
  const found = refused.find(({ list }) => list.check(address, family));
  if (found) return found.name;
  const outside = family === 'ipv6' && !givenOut.check(address, 'ipv6') && !mapped.check(address, 'ipv6');
  return outside ? 'a reserved' : undefined;
}

function isRange(range: string): boolean {
  const [address = '', bits = '', ...rest] = range.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 && !address.includes('%') && rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= most
  );
}

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    list.addSubnet(address, Number(bits), isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
}
