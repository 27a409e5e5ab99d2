import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { type SchemaName, schemas } from './index.ts';
import { type JsonSchema, jsonSchemas } from './json-schema.ts';

/** Inputs of operations by the names of their types, where these differ from those of their schemas. */
const typeNames: Partial<Record<SchemaName, string>> = { CheckoutCancellation: 'CancelInput' };
const inputs = Object.keys(schemas)
  .filter((name) => /(Input|Changes|Query|Cancellation|Adjustment)$/.test(name))
  .map((name) => ({
    schema: name as SchemaName,
    type: typeNames[name as SchemaName] ?? (name.endsWith('Query') ? `${name}Input` : name),
  }));

const between = (min: unknown, max: unknown, what: string) => {
  if (min === undefined && max === undefined) return [];
  if (max === undefined) return [`At least ${min}${what}.`];
  return [min === undefined ? `At most ${max}${what}.` : `${min} to ${max}${what}.`];
};

/** The bounds that a schema has, as an editor shows them. */
function boundsOf(field: JsonSchema): string[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, default: usual } = field;
  const values = Array.isArray(field.enum) ? field.enum.filter((value) => value !== null) : [];
  const max = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  return [
    ...(values.length > 0 ? [`One of ${values.map((value) => `\`${value}\``).join(', ')}.`] : []),
    ...between(minLength, maxLength, ' characters'),
    ...between(minimum, max, ''),
    ...between(minItems, maxItems, ' entries'),
    ...(usual === undefined ? [] : [`${JSON.stringify(usual)} by default.`]),
  ];
}

function printed(): string {
  const all = jsonSchemas();
  const lines = [
    '// Printed from the schemas and their notes (inputs.ts) by described.test.ts; `vitest -u` prints it anew.',
    '// Types of inputs are inferred from schemas, which have no words; intersected with these, editors show them.',
  ];
  for (const { schema, type } of inputs) {
    const {
      properties = {},
      required = [],
      description,
    } = all[schema] as {
      properties?: Record<string, JsonSchema>;
      required?: string[];
      description?: string;
    };
    lines.push('', `/** ${description} */`, `export interface ${type} {`);
    for (const [name, field] of Object.entries(properties)) {
      const text = [field.description, ...boundsOf(field)].filter(Boolean).join(' ').replaceAll('*/', '*\\/');
      const key = /^\w+$/.test(name) ? name : `'${name}'`;
      lines.push(`  /** ${text} */`, `  ${key}${required.includes(name) ? '' : '?'}: unknown;`);
    }
    lines.push('}');
  }
  return `${lines.join('\n')}\n`;
}

describe('what editors show of inputs', () => {
  it('is what the document says of them', async () => {
    await expect(printed()).toMatchFileSnapshot('./described.ts');
  });

  it('is there for every field of every input that the package exports', { timeout: 240_000 }, () => {
    const index = fileURLToPath(new URL('../index.ts', import.meta.url));
    const use = fileURLToPath(new URL('../used.ts', import.meta.url));
    const text = `import { type Context, createProduct } from './index.ts';
      export const make = (shop: Context) => createProduct(shop, { title: 'Mug', slug: 'mug', price: '5' });`;
    const options: ts.CompilerOptions = {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ['node'],
    };
    const service = ts.createLanguageService({
      ...ts.sys,
      useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
      getScriptFileNames: () => [index, use],
      getScriptVersion: () => '1',
      getScriptSnapshot(file) {
        const content = file === use ? text : ts.sys.readFile(file);
        return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
      },
      getCompilationSettings: () => options,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
      fileExists: (file) => file === use || ts.sys.fileExists(file),
    });
    const shown = (word: string) =>
      ts.displayPartsToString(service.getQuickInfoAtPosition(use, text.lastIndexOf(word))?.documentation);
    expect(shown('title:')).toMatch(/\w+.* 1 to 255 characters\./);
    expect(shown('price:')).toContain('decimal string');

    const program = service.getProgram() as ts.Program;
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(program.getSourceFile(index) as ts.SourceFile) as ts.Symbol;
    const types = checker
      .getExportsOfModule(module)
      .filter(({ name }) => /(Input|Changes|Adjustment)$/.test(name))
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    expect(types.length).toBeGreaterThan(45);
    const silent = types.flatMap((type) =>
      checker
        .getDeclaredTypeOfSymbol(type)
        .getApparentProperties()
        .filter((field) => ts.displayPartsToString(field.getDocumentationComment(checker)).trim() === '')
        .map((field) => `${type.name}.${field.name}`),
    );
    expect(silent).toEqual([]);
  });
});
