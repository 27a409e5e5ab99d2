import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CommerceError } from '../errors.ts';

/** A file of a package that is read or started while it runs, and that no bundler sees: a program, a page, a font. */
export interface OwnFile {
  /** Path from the folder of the code in the build. */
  name: string;
  /** The address of the module that asks; undefined in a bundle of CommonJS. */
  beside: string | undefined;
  /** The package that has the file. */
  of: '@commerce/core' | '@commerce/server';
}

/**
 * Finds such a file: beside the running code, or, if a bundler has moved that code, in the package that is installed for it.
 * @returns the path; undefined if no place has it
 */
export function findOwnFile(file: OwnFile): string | undefined {
  for (const folder of foldersOf(file)) {
    const path = join(folder, file.name);
    if (existsSync(path)) return path;
  }
  return undefined;
}

/**
 * Whether a module runs from the sources of the workspace, and not from a build.
 * @param url its address; undefined in a bundle of CommonJS
 */
export function isSource(url: string | undefined): boolean {
  return url?.endsWith('.ts') === true;
}

/** @throws CommerceError `internal` if no place has the file */
export function ownFile(file: OwnFile): string {
  const path = findOwnFile(file);
  if (path !== undefined) return path;
  const { name, of } = file;
  throw new CommerceError(
    'internal',
    `the file ${name} of ${of} is missing: if the application is bundled, leave ${of} out of the bundle, keep it installed beside it, or copy its dist/${name} beside the bundle`,
    { cause: new Error(`looked in ${[...foldersOf(file)].join(', ')}`) },
  );
}

function* foldersOf({ beside, of }: OwnFile): Generator<string> {
  // A bundle of CommonJS has no address of its modules; a module has no __filename.
  const code = beside !== undefined ? fileURLToPath(beside) : typeof __filename === 'string' ? __filename : undefined;
  if (code !== undefined) yield dirname(code);
  // The bundle can be built into another folder than the one that is started.
  for (const from of [code, process.argv[1]]) {
    if (from === undefined) continue;
    try {
      yield dirname(createRequire(pathToFileURL(from)).resolve(of));
    } catch {
      // Not installed for this one.
    }
  }
}
