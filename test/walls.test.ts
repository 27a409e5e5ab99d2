import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

interface Import {
  from: string;
  /** A file of ours, or the name of a package. */
  to: string;
  /** Whether anything of it is left when types are erased. */
  isValue: boolean;
}

/** Imports and re-exports of the sources of a package, without its tests. */
function importsOf(sources: string): Import[] {
  const files = readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' })
    .map((file) => join(sources, file))
    .filter((file) => /\.(?:tsx?|js)$/.test(file) && !/\.test\.tsx?$/.test(file));
  return files.flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    const statements = text.matchAll(/^(?:import|export)\s+(type\s)?([^;'"]*?)\bfrom\s+'([^']+)'/gm);
    const dynamic = text.matchAll(/\bimport\('([^']+)'\)/g);
    return [
      ...[...statements].map(([, type, names = '', to = '']) => ({ from, to, isValue: !type && !isOnlyTypes(names) })),
      ...[...dynamic].map(([, to = '']) => ({ from, to, isValue: true })),
    ].map((one) => (one.to.startsWith('.') ? { ...one, to: normalize(join(dirname(from), one.to)) } : one));
  });
}

function isOnlyTypes(names: string): boolean {
  const list = /^\{([\s\S]*)\}\s*$/.exec(names.trim())?.[1];
  const items = list?.split(',').map((name) => name.trim());
  return items?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

const core = 'packages/core/src';
const coreImports = importsOf(core);
const serverImports = importsOf('packages/server/src');
const cliImports = importsOf('packages/cli/src');
const simulatorImports = importsOf('packages/simulator/src');
const shown = (imports: readonly Import[]) => imports.map(({ from, to }) => `${from} → ${to}`);

/** The folder of core that a file lies in; a file beside the folders stands for itself. */
function roomOf(file: string): string {
  const path = relative(core, file);
  return path.includes('/') ? (path.split('/')[0] ?? '') : path;
}

describe('the walls of the house', () => {
  it('are read from imports that are there', () => {
    expect(coreImports.length).toBeGreaterThan(800);
    expect(shown(coreImports)).toContain(`${core}/products/products.ts → ${core}/transaction.ts`);
    expect(coreImports.filter(({ isValue }) => !isValue).length).toBeGreaterThan(200);
  });

  it('let the command line use the server and core, the server core, and core and the simulator neither', () => {
    const outside = (imports: readonly Import[], own: string) =>
      imports.filter(({ to }) => to.startsWith('packages/') && !to.startsWith(own));
    expect(shown(outside(coreImports, core))).toEqual([]);
    expect(shown(outside(serverImports, 'packages/server/'))).toEqual([]);
    expect(shown(outside(cliImports, 'packages/cli/'))).toEqual([]);
    const ofPackages = (imports: readonly Import[], names: RegExp) => shown(imports.filter(({ to }) => names.test(to)));
    // What core exports for tests has the simulator in it, which knows none of the others.
    const library = coreImports.filter(({ from }) => roomOf(from) !== 'testing');
    expect(ofPackages(library, /^(?:@commerce\/|commerce$)/)).toEqual([]);
    expect(ofPackages(coreImports, /^(?:@commerce\/(?!simulator$)|commerce$)/)).toEqual([]);
    expect(shown(library.filter(({ to }) => roomOf(to) === 'testing'))).toEqual([]);
    expect(shown(outside(simulatorImports, 'packages/simulator/src/'))).toEqual([]);
    expect(ofPackages(simulatorImports, /^(?:@commerce\/|commerce$)/)).toEqual([]);
    expect(simulatorImports.length).toBeGreaterThan(10);
    expect(ofPackages(serverImports, /^(?:@commerce\/server|commerce$)/)).toEqual([]);
  });

  it('let the dashboard know the interface by its types alone', () => {
    const imports = importsOf('packages/dashboard/src');
    expect(imports.length).toBeGreaterThan(200);
    expect(
      shown(imports.filter(({ to }) => to.startsWith('packages/') && !to.startsWith('packages/dashboard/src/'))),
    ).toEqual([]);
    const packages = imports.filter(({ to }) => !to.startsWith('packages/'));
    const known =
      /^(?:preact(?:\/hooks)?|@preact\/signals|openapi-fetch|dompurify|marked|@sindresorhus\/transliterate)$/;
    expect(
      shown(packages.filter(({ to, isValue }) => !known.test(to) && (isValue || to !== '@commerce/server/api'))),
    ).toEqual([]);
    // Requests go one way, which adds the key and sees it end, but for files, whose progress only the older way tells.
    const asking = readdirSync(join(root, 'packages/dashboard/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!test)\.tsx?$/.test(file))
      .filter((file) =>
        /(?<![.\w'`])fetch\(|new XMLHttpRequest/.test(readFileSync(join(root, 'packages/dashboard/src', file), 'utf8')),
      );
    expect(asking).toEqual(['api/client.ts', 'api/upload.ts']);
  });

  it('have no circle of values between folders but that of orders, of those who buy and of what pays', () => {
    const rooms = new Map<string, Set<string>>();
    for (const { from, to, isValue } of coreImports) {
      if (!isValue || !to.startsWith(core) || roomOf(from) === roomOf(to)) continue;
      rooms.set(roomOf(from), (rooms.get(roomOf(from)) ?? new Set()).add(roomOf(to)));
    }
    expect(circlesOf(rooms)).toEqual([['checkouts', 'customers', 'orders', 'payments']]);
    expect(circlesOf(new Map([...rooms, ['storage', new Set(['products'])]]))).toHaveLength(2);
  });

  it('let all but a few reach deliveries through the outbox alone', () => {
    // The whole and its entry, what answers look like, and the history of an order, which shows deliveries as their list does.
    const few = ['commerce.ts', 'index.ts', 'schemas', 'timeline'];
    const reaching = (imports: readonly Import[]) =>
      imports.filter(
        ({ from, to, isValue }) =>
          isValue &&
          roomOf(from) !== 'deliveries' &&
          roomOf(to) === 'deliveries' &&
          to !== `${core}/deliveries/outbox.ts`,
      );
    const others = (imports: readonly Import[]) =>
      shown(reaching(imports).filter(({ from }) => !few.includes(roomOf(from))));
    expect(others(coreImports)).toEqual([]);
    // Each of the few still needs to be one of them.
    expect([...new Set(reaching(coreImports).map(({ from }) => roomOf(from)))].sort()).toEqual(few);
    const wrong = { from: `${core}/checkouts/new.ts`, to: `${core}/deliveries/wake.ts`, isValue: true };
    expect(others([...coreImports, wrong])).toHaveLength(1);
  });

  it('keep the spine from knowing a domain', () => {
    const spine = ['context.ts', 'transaction.ts', 'per-engine.ts', 'per-transaction.ts'].map(
      (file) => `${core}/${file}`,
    );
    const known = coreImports.filter(
      ({ from, to }) => spine.includes(from) && /\/(?:products|webhooks|deliveries|orders|payments)\//.test(to),
    );
    expect(shown(known)).toEqual([]);
  });

  it('keep drivers inside storage, and connections to other machines inside outbound', () => {
    const drivers = coreImports.filter(({ to }) => /^(?:better-sqlite3|pg)$/.test(to));
    expect(shown(drivers.filter(({ from }) => roomOf(from) !== 'storage'))).toEqual([]);
    expect(drivers.length).toBeGreaterThan(0);
    const all = [...coreImports, ...serverImports, ...cliImports, ...simulatorImports];
    expect(shown(all.filter(({ from, to }) => to === 'undici' && from !== `${core}/outbound.ts`))).toEqual([]);
    const fetching = ['packages/core/src', 'packages/server/src', 'packages/cli/src', 'packages/simulator/src']
      .flatMap((sources) =>
        readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' }).map((file) => join(sources, file)),
      )
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /(?<![.\w'`])fetch\(/.test(readFileSync(join(root, file), 'utf8')));
    // Clients of a server of ours, which may be on this machine.
    expect(fetching).toEqual(['packages/cli/src/commands/simulate.ts', 'packages/simulator/src/provider-stub.ts']);
  });
});

/** Groups of folders each of which reaches all others of its group. */
function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map<string, Set<string>>();
  for (const start of edges.keys()) {
    const seen = new Set<string>();
    const next = [...(edges.get(start) ?? [])];
    for (let room = next.pop(); room !== undefined; room = next.pop()) {
      if (seen.has(room)) continue;
      seen.add(room);
      next.push(...(edges.get(room) ?? []));
    }
    reached.set(start, seen);
  }
  const groups = new Set<string>();
  for (const [room, seen] of reached) {
    if (!seen.has(room)) continue;
    groups.add(JSON.stringify([...seen].filter((other) => reached.get(other)?.has(room)).sort()));
  }
  return [...groups].map((group) => JSON.parse(group)).sort();
}
