import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  circlesOfFiles,
  circlesOfFolders,
  type Import,
  importsOf,
  linesOf,
  sourcesIn,
} from './support/harness/imports.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const core = 'packages/core/src';
const coreImports = importsOf(core);
const serverImports = importsOf('packages/server/src');
const cliImports = importsOf('packages/cli/src');
const simulatorImports = importsOf('packages/simulator/src');
const shown = (imports: readonly Import[]) => imports.map(({ from, to }) => `${from} → ${to}`);

/** The folder of core that contains a file; a file next to the folders counts as its own folder. */
function roomOf(file: string): string {
  const path = relative(core, file);
  return path.includes('/') ? (path.split('/')[0] ?? '') : path;
}

describe('the walls of the house', () => {
  it('are read from imports that are there', () => {
    expect(coreImports.length).toBeGreaterThan(800);
    expect(shown(coreImports)).toContain(`${core}/categories/categories.ts → ${core}/engine/transaction.ts`);
    expect(coreImports.filter(({ isValue }) => !isValue).length).toBeGreaterThan(200);
  });

  it('let the command line use the server and core, the server core, and core and the simulator neither', () => {
    const outside = (imports: readonly Import[], own: string) =>
      imports.filter(({ to }) => to.startsWith('packages/') && !to.startsWith(own));
    expect(shown(outside(coreImports, core))).toEqual([]);
    expect(shown(outside(serverImports, 'packages/server/'))).toEqual([]);
    expect(shown(outside(cliImports, 'packages/cli/'))).toEqual([]);
    const ofPackages = (imports: readonly Import[], names: RegExp) => shown(imports.filter(({ to }) => names.test(to)));
    // The exports of core for tests include the simulator, which knows none of the others.
    const library = coreImports.filter(({ from }) => roomOf(from) !== 'testing');
    expect(ofPackages(library, /^(?:@commerce\/|commerce$)/)).toEqual([]);
    expect(ofPackages(coreImports, /^(?:@commerce\/(?!simulator$)|commerce$)/)).toEqual([]);
    expect(shown(library.filter(({ to }) => roomOf(to) === 'testing'))).toEqual([]);
    expect(shown(outside(simulatorImports, 'packages/simulator/src/'))).toEqual([]);
    expect(ofPackages(simulatorImports, /^(?:@commerce\/|commerce$)/)).toEqual([]);
    expect(simulatorImports.length).toBeGreaterThan(10);
    expect(ofPackages(serverImports, /^(?:@commerce\/server|commerce$)/)).toEqual([]);
  });

  it('let the dashboard know the interface by its types alone, and share a few sums and lists with core', () => {
    const imports = importsOf('packages/dashboard/src');
    expect(imports.length).toBeGreaterThan(200);
    // But for sums that the dashboard shows before core makes them, and lists that both need: they import nothing that has a shape or a store.
    const shared = imports.filter(({ to }) => to.startsWith('packages/') && !to.startsWith('packages/dashboard/src/'));
    const ofDashboard = 'packages/dashboard/src';
    expect(shown(shared).sort()).toEqual(
      [
        `${ofDashboard}/screens/listing/hints.tsx → ${core}/products/gtin.ts`,
        `${ofDashboard}/screens/listing/measure.ts → ${core}/products/unit-price.ts`,
        `${ofDashboard}/screens/refunds/sums.ts → ${core}/sales/shares/shares.ts`,
        `${ofDashboard}/screens/settings/form/feed-fields.ts → ${core}/engine/settings/feed-columns.ts`,
        `${ofDashboard}/screens/settings/tax/reckoning.ts → ${core}/sales/pricing/tax-rules.ts`,
        `${ofDashboard}/screens/settings/tax/reckoning.ts → ${core}/sales/pricing/taxes.ts`,
        `${ofDashboard}/screens/settings/tax/starter.ts → ${core}/engine/settings/starter-rates.ts`,
        `${ofDashboard}/words/countries.ts → ${core}/engine/settings/member-states.ts`,
        `${ofDashboard}/screens/goods/tax-class.ts → ${core}/engine/settings/tax-rows.ts`,
      ].sort(),
    );
    const reached = new Set(shared.map(({ to }) => to));
    for (const file of reached) for (const { from, to } of coreImports) if (from === file) reached.add(to);
    const pure = [
      'engine/settings/feed-columns.ts',
      'engine/settings/member-states.ts',
      'engine/settings/starter-rates.ts',
      'engine/settings/tax-rows.ts',
      'kernel/money.ts',
      'kernel/trailing.ts',
      'products/gtin.ts',
      'products/unit-price.ts',
      'providers/checkout-sums.ts',
      'sales/pricing/tax-rules.ts',
      'sales/pricing/taxes.ts',
      'sales/shares/shares.ts',
    ];
    expect([...reached].sort()).toEqual(pure.map((file) => `${core}/${file}`));
    const packages = imports.filter(({ to }) => !to.startsWith('packages/'));
    const known =
      /^(?:preact(?:\/hooks)?|@preact\/signals|openapi-fetch|dompurify|marked|@simplewebauthn\/browser|@sindresorhus\/transliterate)$/;
    expect(
      shown(packages.filter(({ to, isValue }) => !known.test(to) && (isValue || to !== '@commerce/server/api'))),
    ).toEqual([]);
    // Requests use one function, which adds the key and detects its expiry. Only files are an exception, because only the older browser API
    // reports their progress.
    const asking = readdirSync(join(root, 'packages/dashboard/src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => /(?<!test)\.tsx?$/.test(file))
      .filter((file) =>
        /(?<![.\w'`])fetch\(|new XMLHttpRequest/.test(readFileSync(join(root, 'packages/dashboard/src', file), 'utf8')),
      );
    expect(asking).toEqual(['api/client.ts', 'api/upload.ts']);
  });

  it('let all but a few reach deliveries through the outbox alone', () => {
    // The whole and its entry, the types of answers, and the history of an order, which shows deliveries like their list.
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
    // Each of these few exceptions is still needed.
    expect([...new Set(reaching(coreImports).map(({ from }) => roomOf(from)))].sort()).toEqual(few);
    const wrong = { from: `${core}/checkouts/new.ts`, to: `${core}/deliveries/wake.ts`, isValue: true };
    expect(others([...coreImports, wrong])).toHaveLength(1);
  });

  it('keep the spine from knowing a domain', () => {
    const below = ['kernel', 'network', 'storage', 'fields', 'engine'];
    const known = coreImports.filter(
      ({ from, to }) => below.includes(roomOf(from)) && to.startsWith(core) && !below.includes(roomOf(to)),
    );
    expect(shown(known)).toEqual([]);
    expect(coreImports.filter(({ from }) => roomOf(from) === 'engine').length).toBeGreaterThan(10);
  });

  it('keep drivers inside storage, and connections to other machines inside outbound', () => {
    const drivers = coreImports.filter(({ to }) => /^(?:better-sqlite3|pg)$/.test(to));
    expect(shown(drivers.filter(({ from }) => roomOf(from) !== 'storage'))).toEqual([]);
    expect(drivers.length).toBeGreaterThan(0);
    const all = [...coreImports, ...serverImports, ...cliImports, ...simulatorImports];
    expect(shown(all.filter(({ from, to }) => to === 'undici' && from !== `${core}/network/outbound.ts`))).toEqual([]);
    const fetching = ['packages/core/src', 'packages/server/src', 'packages/cli/src', 'packages/simulator/src']
      .flatMap((sources) =>
        readdirSync(join(root, sources), { recursive: true, encoding: 'utf8' }).map((file) => join(sources, file)),
      )
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .filter((file) => /(?<![.\w'`])fetch\(/.test(readFileSync(join(root, file), 'utf8')));
    // Clients of our own servers, which can be on this machine.
    expect(fetching).toEqual(['packages/cli/src/commands/simulate.ts', 'packages/simulator/src/provider-stub.ts']);
  });
});

it('The sources of the simulator import each other in no circle, and are at most 400 lines a file', () => {
  const sources = 'packages/simulator/src';
  expect(circlesOfFiles(sources, simulatorImports)).toEqual([]);
  expect(sourcesIn(sources).filter((file) => linesOf(file) > 400)).toEqual([]);
});

describe.each(['core', 'server', 'cli', 'dashboard'])('the sources of %s', (name) => {
  const sources = `packages/${name}/src`;
  const imports = importsOf(sources);

  it('import each other in no circle, of files or of folders, types counted', () => {
    expect(imports.filter(({ to }) => to.startsWith(sources)).length).toBeGreaterThan(150);
    expect(circlesOfFiles(sources, imports)).toEqual([]);
    expect(circlesOfFolders(sources, imports)).toEqual([]);
  });

  it('are found in a circle when a type is imported upward', () => {
    const down = imports.find(({ from, to }) => to.startsWith(sources) && dirname(from) !== dirname(to)) as Import;
    const wrong = [...imports, { from: down.to, to: down.from, isValue: false }];
    expect(circlesOfFiles(sources, wrong).flat()).toContain(down.from);
    expect(circlesOfFolders(sources, wrong)).not.toEqual([]);
  });

  it('are at most 20 files a folder and 400 lines a file', () => {
    const files = sourcesIn(sources);
    // The sentences of one language are in one file, so that a translator has all of them at once.
    const isSentences = (file: string) => dirname(file) === 'packages/dashboard/src/words';
    expect(files.filter((file) => linesOf(file) > 400 && !isSentences(file))).toEqual([]);
    const folders = Map.groupBy(files, (file) => dirname(file));
    expect([...folders].filter(([, own]) => own.length > 20).map(([folder]) => folder)).toEqual([]);
  });
});
