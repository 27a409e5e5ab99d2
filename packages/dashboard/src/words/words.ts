import { en, type Words } from './en.ts';

/** The languages of the dashboard: the name of each in itself, and its sentences. */
export const languages = {
  en: { name: 'English', load: async () => en },
  de: { name: 'Deutsch', load: async () => (await import('./de.ts')).de },
} satisfies Record<string, { name: string; load(): Promise<Words> }>;

export type Language = keyof typeof languages;

const kept = 'commerce.language';

const preferred: readonly string[] = typeof navigator === 'undefined' ? ['en'] : navigator.languages;

/** The sentences of the language in use. `loadWords` sets them before any screen is loaded, so that constants can use them. */
export let t: Words = en;

/** The language in use. */
export let language: Language = 'en';

/** Locales for `Intl`: those that the browser prefers in the language in use, such as `de-AT`. */
export let locales: string[] = localesOf('en');

/** Loads the language that was chosen on this device; otherwise the first that the browser prefers and that exists. */
export async function loadWords(): Promise<void> {
  language = chosen();
  t = await languages[language].load();
  locales = localesOf(language);
  document.documentElement.lang = language;
}

/** Stores the choice of a language. It takes effect when the page is loaded again. */
export function chooseLanguage(next: Language): void {
  localStorage.setItem(kept, next);
  location.reload();
}

function chosen(): Language {
  const wanted = [localStorage.getItem(kept) ?? '', ...preferred].map((one) => one.split('-')[0] ?? '');
  return wanted.find((one): one is Language => Object.hasOwn(languages, one)) ?? 'en';
}

function localesOf(of: Language): string[] {
  const own = preferred.filter((one) => one === of || one.startsWith(`${of}-`));
  return own.length > 0 ? [...own] : [of];
}
