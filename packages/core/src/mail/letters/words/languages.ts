import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';
import { nl } from './nl.ts';
import { pl } from './pl.ts';
import type { Words } from './words.ts';

export const languages = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pl'] as const;
export type Language = (typeof languages)[number];

const wordsOf = { en, de, fr, nl, es, it, pl } satisfies Record<Language, Words>;

/** The wording of a letter. */
export interface Wording {
  language: Language;
  /** Language and region in which amounts and times are written, such as `de-AT`. */
  locale: string;
  words: Words;
}

/** The wording for a tag of BCP 47; English if its language has none. */
export function wordingFor(tag: string): Wording {
  const { language, locale } = localeOf(tag);
  return { language, locale, words: wordsOf[language] };
}

function localeOf(tag: string): Pick<Wording, 'language' | 'locale'> {
  const english = { language: 'en', locale: 'en' } as const;
  try {
    // Without extensions: buyers choose the tag, and `de-u-ca-buddhist` would write another year.
    const locale = new Intl.Locale(tag);
    const language = languages.find((one) => one === locale.language);
    if (!language) return english;
    return { language, locale: locale.region ? `${language}-${locale.region}` : language };
  } catch {
    return english;
  }
}
