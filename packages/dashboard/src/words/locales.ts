/** The languages of the dashboard, each with its name in itself. */
export const languageNames = { en: 'English', de: 'Deutsch' } as const;

export type Language = keyof typeof languageNames;

/** The languages that the browser prefers, the first one most. */
export const preferred: readonly string[] = typeof navigator === 'undefined' ? ['en'] : navigator.languages;

/** The language in use. */
export let language: Language = 'en';

/** Locales for `Intl`: those that the browser prefers in the language in use, such as `de-AT`. */
export let locales: string[] = localesOf('en');

/** Sets the language in use, and the locales that follow from it. */
export function setLanguage(next: Language): void {
  language = next;
  locales = localesOf(next);
}

function localesOf(of: Language): string[] {
  const own = preferred.filter((one) => one === of || one.startsWith(`${of}-`));
  return own.length > 0 ? [...own] : [of];
}
