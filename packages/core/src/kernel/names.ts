import { type LookupAddress, Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { join } from 'node:path';

/** Looks up all addresses of a name. */
export type NameLookup = (
  hostname: string,
  family: 0 | 4 | 6,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export interface NameOptions {
  /** Name servers such as `127.0.0.1:5353`; the system's by default. */
  servers?: readonly string[];
  /** Path of this machine's hosts file. */
  hosts?: string;
  /** Path of the file with the search domains of short names. */
  resolvConf?: string;
}

const systemHosts =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
    : '/etc/hosts';

/** Milliseconds for which the contents of the system's files are cached. */
const keptFor = 5_000;

interface LocalNames {
  readAt: number;
  addresses: ReadonlyMap<string, readonly LookupAddress[]>;
  search: readonly string[];
  resolver: Resolver;
}

/**
 * Looks names up by asking name servers directly. The system's `dns.lookup` blocks one of the process's four threads for each name. Slow
 * names would leave no thread to read a file. The system's hosts file comes first, `localhost` is this machine, and short names are looked
 * up in the system's search domains.
 */
export function openNames(options: NameOptions = {}): NameLookup {
  const { servers, hosts = systemHosts, resolvConf = '/etc/resolv.conf' } = options;
  let local: LocalNames | undefined;
  const readLocal = (): LocalNames => {
    const now = performance.now();
    if (local && now - local.readAt < keptFor) return local;
    // The files are short, and read synchronously, because all threads could be busy with slow names.
    const resolver = new Resolver({ timeout: 2500, tries: 2 });
    if (servers) resolver.setServers(servers);
    local = { readAt: now, addresses: readHosts(hosts), search: readSearch(resolvConf), resolver };
    return local;
  };
  return (hostname, family, callback) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const { addresses, search, resolver } = readLocal();
    const known = isIP(name) ? [addressOf(name)] : (addresses.get(name) ?? (isLocalhost(name) ? localhost : undefined));
    const wanted = known?.filter((address) => family === 0 || address.family === family);
    if (wanted && wanted.length > 0) return void queueMicrotask(() => callback(null, wanted));
    const isWhole = hostname.endsWith('.');
    const inDomains = isWhole ? [] : search.map((domain) => `${name}.${domain}`);
    resolveFirst(resolver, name.includes('.') ? [name, ...inDomains] : [...inDomains, name], family).then(
      (found) => callback(null, found),
      (error) => callback(error, []),
    );
  };
}

/** For `net.connect`. */
export function asLookupFunction(names: NameLookup): LookupFunction {
  return (hostname, options, callback) => {
    names(hostname, familyOf(options.family), (error, addresses) => {
      const [first] = addresses;
      if (error) callback(error, '');
      else if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    });
  };
}

export function familyOf(family: number | string | undefined): 0 | 4 | 6 {
  if (family === 4 || family === 'IPv4') return 4;
  return family === 6 || family === 'IPv6' ? 6 : 0;
}

async function resolveFirst(resolver: Resolver, names: readonly string[], family: 0 | 4 | 6): Promise<LookupAddress[]> {
  let failure: unknown;
  for (const name of names) {
    try {
      return await resolveName(resolver, name, family);
    } catch (error) {
      failure ??= error;
      // Only if the name is known not to exist: any other failure says nothing about it.
      if (!isUnknown(error)) throw error;
    }
  }
  throw failure;
}

async function resolveName(resolver: Resolver, name: string, family: 0 | 4 | 6): Promise<LookupAddress[]> {
  const families = family === 0 ? ([4, 6] as const) : [family];
  const results = await Promise.allSettled(
    families.map(
      (one) =>
        new Promise<string[]>((resolve, reject) => {
          const done = (error: Error | null, found: string[]) => (error ? reject(error) : resolve(found));
          if (one === 4) resolver.resolve4(name, done);
          else resolver.resolve6(name, done);
        }),
    ),
  );
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? result.value.map(addressOf) : []));
  if (found.length > 0) return found;
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  throw failures.find((failure) => !isUnknown(failure)) ?? failures[0] ?? new Error(`${name} has no address`);
}

function isUnknown(error: unknown): boolean {
  return ['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '');
}

const localhost: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** RFC 6761: these names never leave the machine. */
function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

function addressOf(address: string): LookupAddress {
  return { address, family: isIP(address) };
}

function readHosts(file: string): Map<string, LookupAddress[]> {
  const names = new Map<string, LookupAddress[]>();
  for (const [address = '', ...aliases] of linesOf(file)) {
    if (isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      names.set(name, [...(names.get(name) ?? []), addressOf(address)]);
    }
  }
  return names;
}

function readSearch(file: string): string[] {
  const lines = linesOf(file).filter(([keyword]) => keyword === 'search' || keyword === 'domain');
  return (lines.at(-1) ?? []).slice(1, 7).map((domain) => domain.toLowerCase().replace(/\.$/, ''));
}

/** The words of each line, without comments; empty if the file does not exist. */
function linesOf(file: string): string[][] {
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .split(/\s+/)
      .filter(Boolean),
  );
}
