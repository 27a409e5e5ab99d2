import { en, type Words } from './en.ts';
import { type Language, language, languageNames, preferred, setLanguage } from './locales.ts';

export { type Language, language, languageNames, locales } from './locales.ts';

/** Loads the sentences of each language. */
const sentences: Record<Language, () => Promise<Words>> = {
  en: async () => en,
  de: async () => (await import('./de.ts')).de,
};

const kept = 'commerce.language';

/** The sentences of the language in use. `loadWords` sets them before any screen is loaded, so that constants can use them. */
export let t: Words = en;

/** Loads the language that was chosen on this device; otherwise the first that the browser prefers and that exists. */
export async function loadWords(): Promise<void> {
  setLanguage(chosen());
  t = await sentences[language]();
  document.documentElement.lang = language;
}

/** Stores the choice of a language. It takes effect when the page is loaded again. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(kept, next);
  location.reload();
}

function chosen(): Language {
  const wanted = [localStorage.getItem(kept) ?? '', ...preferred].map((one) => one.split('-')[0] ?? '');
  return wanted.find((one): one is Language => Object.hasOwn(languageNames, one)) ?? 'en';
}
