import { join } from 'node:path';
import ts from 'typescript';
import type { Block } from './documents.ts';
import { root } from './processes.ts';

/** Languages of fences that are checked as programs, with their file extensions. */
export const typedLanguages: Record<string, 'ts' | 'js'> = { ts: 'ts', typescript: 'ts', js: 'js', javascript: 'js' };

/**
 * Checks the types of the programs in the documents. The blocks of a document in one language are one module, since each continues the ones
 * before; a block with a `module` comment is a module by itself. A `given` comment above a block declares what the reader has from
 * elsewhere. Every block keeps its lines, so that errors name its place in the document. Returns the faults by document and line of their
 * block: `docs/a.md:12`.
 */
export function faultsOfTypes(blocks: readonly Block[]): Map<string, string[]> {
  const files = new Map<string, string>();
  const blocksOfFile = new Map<string, Block[]>();
  for (const block of blocks) {
    const ending = typedLanguages[block.language];
    if (ending === undefined) continue;
    // Next to the packages, so that their names resolve; nothing is written there.
    const own = block.notes.has('module') ? `-${block.line}` : '';
    const file = join(root, 'test', `${block.document.replaceAll('/', '-')}${own}.${ending}`);
    const lines = (files.get(file) ?? '').split('\n');
    while (lines.length < block.line) lines.push('');
    const given = block.notes.get('given');
    if (given !== undefined) lines[0] += ` ${given.replaceAll('\n', ' ')}`;
    files.set(file, [...lines.slice(0, block.line), ...block.text.split('\n')].join('\n'));
    blocksOfFile.set(file, [...(blocksOfFile.get(file) ?? []), block]);
  }
  const faults = new Map<string, string[]>();
  const program = programOf(files);
  for (const [file, its] of blocksOfFile) {
    const source = program.getSourceFile(file);
    for (const fault of [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]) {
      const line = (source?.getLineAndCharacterOfPosition(fault.start ?? 0).line ?? 0) + 1;
      const block = its.findLast((one) => one.line <= line) ?? its[0];
      const place = `${block?.document}:${block?.line}`;
      const said = `line ${line}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`;
      faults.set(place, [...(faults.get(place) ?? []), said]);
    }
  }
  return faults;
}

function programOf(files: ReadonlyMap<string, string>): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  // The reader uses what a block leaves unused; a block in JavaScript has no type annotations.
  const shown = {
    noUnusedLocals: false,
    noUnusedParameters: false,
    isolatedModules: false,
    verbatimModuleSyntax: false,
  };
  const javaScript = { allowJs: true, checkJs: true, useUnknownInCatchVariables: false };
  const all = { ...options, ...shown, ...javaScript, moduleDetection: ts.ModuleDetectionKind.Force };
  const host = ts.createCompilerHost(all);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.readFile = (name) => files.get(name) ?? readFile.call(host, name);
  host.getSourceFile = (name, language, ...rest) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile.call(host, name, language, ...rest)
      : ts.createSourceFile(name, text, language);
  };
  return ts.createProgram([...files.keys()], all, host);
}
