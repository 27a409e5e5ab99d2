import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

/**
 * What each process evaluated that ended by itself with `NODE_V8_COVERAGE` naming this folder: modules of the built program by their
 * sources, after which the bundler names the functions that they became, and everything else by its address.
 */
export function evaluatedModules(folder: string): string[][] {
  return readdirSync(folder).map((name) => {
    const { result }: { result: ScriptCoverage[] } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return result.flatMap(({ url, functions }) => (url.endsWith('/cli/dist/main.cjs') ? evaluated(functions) : [url]));
  });
}

function evaluated(functions: ScriptCoverage['functions']): string[] {
  return functions
    .filter(({ functionName, ranges }) => /\.[jt]s$/.test(functionName) && (ranges[0]?.count ?? 0) > 0)
    .map(({ functionName }) => functionName);
}
