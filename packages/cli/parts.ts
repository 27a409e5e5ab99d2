import { readdir, readFile } from 'node:fs/promises';
import { basename, join, posix } from 'node:path';
import { init, parse } from 'es-module-lexer';

/** A program in one file that is to lie beside the folder of its parts, and its map, which has a section for each of them. */
export interface Joined {
  code: string;
  map: {
    version: 3;
    sections: { offset: { line: number; column: number }; map: { file: string; sources: string[] } }[];
  };
}

/** What the parts reach each other by; `__load` is as long as `import`, so that what follows stays in its place. */
const opening = `"use strict";
const addressOfProgram = require("node:url").pathToFileURL(__filename).href;
const __made = {};
const __part = (name) => (__made[name] ??= __parts[name]());
const __load = async (name) =>
  name in __parts ? __part(name) : Object.create(require(name), { default: { value: require(name) } });
const __parts = {
`;

/**
 * Joins the parts that a bundler has split a program into: each becomes a function that is called when the part is first imported. In one
 * function all their functions would be made at each start, and be in what V8 keeps of every command, though a command calls few of them.
 * @param folder holds the parts as modules, each with its map
 * @param main the part to begin with, such as `main.js`
 * @throws Error where a part is not of the form that esbuild writes: parts are imported by names, and one list of exports comes last
 */
export async function joinParts(folder: string, main: string): Promise<Joined> {
  await init;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.js')).sort();
  const sections: Joined['map']['sections'] = [];
  let code = opening;
  for (const name of names) {
    const { declared, body, returned } = asFunction(name, await readFile(join(folder, name), 'utf8'));
    const map: { sources: string[] } = JSON.parse(await readFile(join(folder, `${name}.map`), 'utf8'));
    // The constants take the room of the imports, of which nearly all are at the beginning.
    const room = /^ */.exec(body)?.[0].length ?? 0;
    code += `"./${name}"(){${declared}`.padEnd(room);
    const lines = code.split('\n');
    sections.push({
      offset: { line: lines.length - 1, column: (lines.at(-1)?.length ?? 0) - room },
      map: { ...map, file: name, sources: map.sources.map((source) => posix.join(basename(folder), source)) },
    });
    code += `${body.slice(room)}\n${returned}\n},\n`;
  }
  return { code: `${code}};\n__part("./${main}");\n`, map: { version: 3, sections } };
}

interface Part {
  /** What the part imports, as constants. */
  declared: string;
  /** The module without its imports and exports, each character in its place. */
  body: string;
  /** What the part exports. */
  returned: string;
}

function asFunction(name: string, module: string): Part {
  const [imports, exports] = parse(module, name);
  const refused = (what: string) => new Error(`${name}: ${what}; the parts of a program cannot be joined`);
  let body = module;
  const replace = (start: number, end: number, text: string) => {
    body = body.slice(0, start) + text + body.slice(end);
  };
  let declared = '';
  for (const { n: from = '', d: kind, ss: start, se: end, s: specifier } of imports) {
    if (kind > -1) replace(start, start + 'import'.length, '__load');
    if (kind !== -1) continue;
    const constants = constantsOf(module.slice(start, specifier), from);
    if (constants === undefined) throw refused(`an import of a kind that is not known: ${module.slice(start, end)}`);
    declared += constants;
    const ending = module[end] === ';' ? end + 1 : end;
    replace(start, ending, spacesFor(module.slice(start, ending)));
  }
  const list = /export\s*\{[^{}]*\};?/y;
  list.lastIndex = exports[0]?.ss ?? 0;
  const [listed] = exports.length === 0 ? [''] : (list.exec(module) ?? []);
  if (listed === undefined) throw refused('exports of a kind that is not known');
  if (listed !== '') replace(list.lastIndex - listed.length, list.lastIndex, spacesFor(listed));
  const given = exports.map(({ n: outside, ln: inside = outside }) => `${JSON.stringify(outside)}:${inside}`);
  return {
    declared,
    body: body.replace(/\/\/# sourceMappingURL=.*\s*$/, '').trimEnd(),
    returned: `return{${given.join(',')}};`,
  };
}

const spacesFor = (text: string) => text.replace(/./g, ' ');

/**
 * An import as constants, from its text up to the name of what it imports; undefined for a kind that esbuild does not write. The default of
 * a package is what `require` returns, as for every module that Node.js imports of that kind.
 */
function constantsOf(text: string, from: string): string | undefined {
  const isPart = from.startsWith('./');
  const clause = text.replace(/\s*(?:from)?\s*["']$/, '').replace(/^import\s*/, '');
  const whole = /^(?:\*\s*as\s+)?([\w$]+)\s*(?:,|$)/.exec(clause)?.[1];
  const names = /\{([^{}]*)\}$/.exec(clause)?.[1]?.replace(/\s+as\s+/g, ':');
  if (text.startsWith('export') || (isPart && /^[\w$]/.test(clause))) return undefined;
  const all = isPart ? `__part("${from}")` : `require("${from}")`;
  if (whole === undefined) return names === undefined ? `${all};` : `const{${names}}=${all};`;
  return names === undefined ? `const ${whole}=${all};` : `const ${whole}=${all},{${names}}=${whole};`;
}
