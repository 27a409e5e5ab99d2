import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chaptersOf, markdown } from '../../../docs/site/book.ts';
import { root } from './processes.ts';

export { headingsOf, linksOf } from '../../../docs/site/book.ts';

/** A fenced block of a document. */
export interface Block {
  /** Path of the document below the root of the project: `docs/start.md`. */
  document: string;
  /** Line of the opening fence, from 1. */
  line: number;
  /** Word after the fence, in lower case: `sh`, `json`; empty without one. */
  language: string;
  text: string;
  /** Words of the comments right above the block: `<!-- not run: needs Docker -->` is `['not run', 'needs Docker']`. */
  notes: Map<string, string>;
}

/** Every chapter of the book, in its order. */
export function chapters(): string[] {
  return chaptersOf(root);
}

/** The text of a document, by its path below the root of the project. */
export function readDocument(document: string): string {
  return readFileSync(join(root, document), 'utf8');
}

/** Every fenced block of a document, with the comments right above it. */
export function blocksOf(document: string, text = readDocument(document)): Block[] {
  const tokens = markdown.parse(text, {});
  return tokens.flatMap((token, i) => {
    if (token.type !== 'fence') return [];
    const notes = new Map<string, string>();
    for (let before = i - 1; tokens[before]?.type === 'html_block'; before -= 1) {
      for (const [, word = '', said = ''] of (tokens[before]?.content ?? '').matchAll(
        /<!--\s*([a-z ]+?)(?::\s*(.*?))?\s*-->/gs,
      )) {
        notes.set(word, said);
      }
    }
    const line = (token.map?.[0] ?? 0) + 1;
    return [
      { document, line, language: token.info.trim().split(/\s/)[0]?.toLowerCase() ?? '', text: token.content, notes },
    ];
  });
}

/**
 * The text with actual values instead of the shown ones. They are replaced in one pass, because an inserted value can look like a shown
 * one, such as a port with the same first digits.
 */
export function filledIn(text: string, values: readonly (readonly [shown: RegExp, actual: () => string])[]): string {
  const any = new RegExp(values.map(([shown]) => `(${shown.source})`).join('|'), 'g');
  return text.replace(any, (found: string, ...groups: unknown[]) => {
    const [, actual] = values[groups.indexOf(found)] ?? [];
    return actual === undefined ? found : actual();
  });
}
