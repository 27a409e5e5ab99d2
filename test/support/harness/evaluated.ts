import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './processes.ts';

interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

/** The map of the built program, which has a section for each part. */
interface ProgramMap {
  sections: { map: { file: string; sources: string[] } }[];
}

/**
 * What each process evaluated that ended by itself with `NODE_V8_COVERAGE` naming this folder: modules of the built program by their
 * sources, and everything else by its address.
 */
export function evaluatedModules(folder: string): string[][] {
  const { sections }: ProgramMap = JSON.parse(readFileSync(join(root, 'packages/cli/dist/main.cjs.map'), 'utf8'));
  const sources = new Map(sections.map(({ map }) => [`./${map.file}`, map.sources]));
  return readdirSync(folder).map((name) => {
    const { result }: { result: ScriptCoverage[] } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return result.flatMap(({ url, functions }) =>
      url.endsWith('/cli/dist/main.cjs') ? called(functions).flatMap((part) => sources.get(part) ?? []) : [url],
    );
  });
}

/** Functions that were called, among them those that the parts of the program are, by the names of the parts. */
function called(functions: ScriptCoverage['functions']): string[] {
  return functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).map(({ functionName }) => functionName);
}
