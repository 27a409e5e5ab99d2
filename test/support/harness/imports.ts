import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Import {
  from: string;
  /** A file of ours, or the name of a package. */
  to: string;
  /** Whether the import remains after types are erased. */
  isValue: boolean;
}

/** Source files below a folder, without tests, as paths from the root. */
export function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(?:tsx?|js)$/.test(file) && !/\.test\.tsx?$/.test(file));
}

/** Imports and re-exports of the sources of a package, without its tests. */
export function importsOf(folder: string): Import[] {
  return sourcesIn(folder).flatMap((from) => {
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

/** Lines of a file. */
export function linesOf(file: string): number {
  return readFileSync(join(root, file), 'utf8').split('\n').length - 1;
}

/** Import cycles between files of a package. Type imports count, too. */
export function circlesOfFiles(folder: string, imports: readonly Import[]): string[][] {
  return circlesOf(edgesOf(imports.filter(({ to }) => to.startsWith(`${folder}/`)).map(({ from, to }) => [from, to])));
}

/**
 * Import cycles within one folder of a package: between its subfolders, each with its whole content, and its files. Type imports count,
 * too.
 */
export function circlesOfFolders(folder: string, imports: readonly Import[]): string[][] {
  const pairs = imports
    .filter(({ to }) => to.startsWith(`${folder}/`))
    .map(({ from, to }): [string, string] => {
      const [a, b] = [relative(folder, from).split('/'), relative(folder, to).split('/')];
      // They separate at their common folder.
      const depth = a.findIndex((name, i) => name !== b[i]) + 1;
      return [a.slice(0, depth).join('/'), b.slice(0, depth).join('/')];
    });
  return circlesOf(edgesOf(pairs));
}

function edgesOf(pairs: readonly (readonly [string, string])[]): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const [from, to] of pairs) if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  return edges;
}

/** Groups in which each member reaches all others. */
export function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
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
