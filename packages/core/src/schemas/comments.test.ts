import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { entities } from './entities.ts';
import { jsonSchemas } from './json-schema.ts';
import { type SchemaName, schemas } from './schemas.ts';

/** Inputs whose types have other names than their schemas. */
const schemaNames: Readonly<Record<string, SchemaName>> = { CancelInput: 'CheckoutCancellation' };

/** The schema of an exported input type; undefined if the document has none of it. */
function schemaOf(type: string): SchemaName | undefined {
  const name = schemaNames[type] ?? type.replace(/QueryInput$/, 'Query');
  return Object.hasOwn(schemas, name) ? (name as SchemaName) : undefined;
}

describe('what editors show of inputs', () => {
  it('is what the document says of every field of every input that the package exports', { timeout: 240_000 }, () => {
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
    expect(shown('title:')).toBe('The name shown to customers.');
    expect(shown('price:')).toContain("In the store's currency");

    const program = service.getProgram() as ts.Program;
    const checker = program.getTypeChecker();
    const module = checker.getSymbolAtLocation(program.getSourceFile(index) as ts.SourceFile) as ts.Symbol;
    const types = checker
      .getExportsOfModule(module)
      .filter(({ name }) => /(Input|Changes|Adjustment)$/.test(name))
      .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol));
    expect(types.length).toBeGreaterThan(45);
    const documented = jsonSchemas();
    const others = types.flatMap((type) => {
      const schema = schemaOf(type.name);
      const properties = (name: SchemaName) => documented[name].properties as Record<string, { description?: string }>;
      const fields = schema ? properties(schema) : {};
      const resource = type.name.replace(/(Input|Changes)$/, '');
      // A resource with fields of its own has the comment of the field of its answers.
      const answered = Object.hasOwn(entities, resource) ? properties(resource as SchemaName) : {};
      return checker
        .getDeclaredTypeOfSymbol(type)
        .getApparentProperties()
        .map((field) => {
          const comment = ts.displayPartsToString(field.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim();
          const said = fields[field.name] && (answered[field.name] ?? fields[field.name])?.description;
          return comment !== '' && (said === undefined || comment === said)
            ? ''
            : `${type.name}.${field.name}: ${said}`;
        })
        .filter((fault) => fault !== '');
    });
    expect(others).toEqual([]);
  });
});
