import type { Detail } from '../../api/errors.ts';
import { reasonOf } from '../../api/explain.ts';
import { t } from '../../words/words.ts';

const { errors, place } = t.mails.texts;

/** Languages that have a built-in wording. */
export const builtInLanguages: readonly string[] = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pl'];

/** The languages to choose from: the built-in ones, then those of texts and of the shop that are none of these. */
export function languagesOf(further: readonly string[]): readonly string[] {
  return [...new Set([...builtInLanguages, ...[...further].sort()])];
}

/** Where a text cannot be read: line and column, from 1. */
export interface Spot {
  line: number;
  column: number;
}

/** The place that the sentence of a refusal names. */
export function spotOf(reason: string): Spot | undefined {
  const [, line, column] = /line:?\s*(\d+),?\s*col(?:umn)?:?\s*(\d+)/i.exec(reason) ?? [];
  return line === undefined ? undefined : { line: Number(line), column: Number(column) };
}

/** The position of a place in a text, in characters. */
export function positionOf(text: string, { line, column }: Spot): number {
  const lines = text.split('\n');
  const before = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  return Math.min(text.length, before + Math.min(column - 1, lines[line - 1]?.length ?? 0));
}

/** What is wrong with a text, in words, with the place. */
export function wrongWith(detail: Detail): string {
  const { reason, code } = detail;
  const spot = spotOf(reason);
  if (!spot) return code && code !== 'OTHER' ? reasonOf(detail) : errors.failed;
  const [, name] = /there is no "([^"\s]+)"|undefined filter: (\S+)/.exec(reason)?.filter(Boolean) ?? [];
  return place(spot.line, spot.column) + (name === undefined ? errors.syntax : errors.unknown(name));
}

/** A refusal of `template.text` is one of `text`; each is said in words. */
export function atFields(details: readonly Detail[]): Detail[] {
  return details.map((detail) => ({
    ...detail,
    field: detail.field.replace(/^template\./, ''),
    said: wrongWith(detail),
  }));
}
