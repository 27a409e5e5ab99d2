import { standardClass } from '../../../../core/src/engine/settings/tax-rows.ts';
import { t } from '../../words/words.ts';

// Classes of goods for tax are small words in the interface; the usual ones have a name in each language.

export { standardClass };

const names: Readonly<Record<string, string>> = t.settings.tax.classes;

/** A class as people read it. */
export const classText = (name: string): string => (Object.hasOwn(names, name) ? (names[name] ?? name) : name);

/** The class that a text means: its name in the language, or the text in small letters. An empty one is the standard class. */
export function classOf(typed: string): string {
  const text = typed.trim();
  if (text === '') return standardClass;
  const known = Object.entries(names).find(([, name]) => name.toLowerCase() === text.toLowerCase());
  if (known) return known[0];
  const plain = text.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '');
  // A text of other letters stays as it is, so that the service refuses it.
  return (
    plain
      .replace(/[^a-z0-9_]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || text
  );
}

/** Names to choose from: the usual classes, and those in use. */
export function classNames(used: readonly string[]): string[] {
  return [...new Set([...Object.keys(names), ...used])].map(classText);
}
