import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { sourcesIn } from './support/harness/imports.ts';

// Every sentence of the dashboard is in `words`, where each language has it. This finds those that are not.

const src = 'packages/dashboard/src';

/** Everything but the sentences themselves. */
const screens = /^(?!words\/)/;

/** Attributes and properties that people see or hear. */
const seen = new Set([
  ...['label', 'title', 'hint', 'text', 'placeholder', 'aria-label', 'alt', 'what', 'why', 'one', 'none', 'search'],
  ...['yes', 'no', 'said', 'saved', 'saveLabel', 'message'],
]);

/** Texts that are the same in each language: commands, examples of names and codes, and words of the interface. */
const same =
  /^(?:commerce [\w -]+\.?\w*|--report [\w.]+|#code=|sha256=…|ORD-1001|ck_live_|DHL|HTTP|[A-Z]{2}(?:, [A-Z]{2})*|https:\/\/)$/;

/** Texts for programs: a word of the interface, such as the name of a field. */
const isName = (text: string) => /^[a-z][a-zA-Z]*$/.test(text);

/** Sentences in a source: text between tags, and texts of what people see. */
function sentencesIn(name: string, source: string): string[] {
  const found: string[] = [];
  const between: string[] = [];
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const textsOf = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text);
    else if (ts.isTemplateExpression(node))
      found.push(node.head.text + node.templateSpans.map(({ literal }) => literal.text).join(''));
    else if (ts.isJsxExpression(node) && node.expression) textsOf(node.expression);
    else if (ts.isConditionalExpression(node)) for (const side of [node.whenTrue, node.whenFalse]) textsOf(side);
    else if (ts.isParenthesizedExpression(node)) textsOf(node.expression);
    else if (ts.isBinaryExpression(node)) textsOf(node.right);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJsxText(node)) between.push(node.text);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) textsOf(node);
    else if (ts.isJsxAttribute(node) && node.initializer && seen.has(node.name.getText())) textsOf(node.initializer);
    else if (ts.isPropertyAssignment(node) && seen.has(node.name.getText())) textsOf(node.initializer);
    else if (ts.isCallExpression(node) && /^(?:toast|confirm|refusal)$/.test(node.expression.getText())) {
      for (const one of node.arguments) textsOf(one);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return [...between, ...found.filter((text) => !isName(text))]
    .map((text) => text.replace(/\s+/g, ' ').trim())
    .filter((text) => /\p{L}{2}/u.test(text) && !same.test(text));
}

describe('sentences of the dashboard', () => {
  it('are found outside of the languages', () => {
    const source = `
      const a = { label: 'Total', saved: b ? 'Saved now.' : t.saved, key: 'No one sees this' };
      const c = <p class="Not seen">Not {d} here {e && 'Now'} <b>Bold</b> {/* Nor this */}</p>;
      const f = <Field label="Name" to="Not this" hint={t.x} what="orders" />;
      toast(\`Order \${n} done.\`);`;
    const between = ['Not', 'here', 'Bold'];
    const named = ['Total', 'Saved now.', 'Now', 'Name', 'Order done.'];
    expect(sentencesIn('a.tsx', source)).toEqual([...between, ...named]);
  });

  it.each(sourcesIn(src).filter((file) => screens.test(relative(src, file))))('are not in %s', (file) => {
    expect(sentencesIn(file, readFileSync(file, 'utf8'))).toEqual([]);
  });
});
