/** Codes of regions and organisations that are not shipped to. */
const others = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN', 'XA', 'XB', 'ZZ']);
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/**
 * Countries that a shop ships to, by their names in its language; all that the browser knows if it ships everywhere.
 * @param {readonly string[] | null} served null for everywhere
 * @param {string} locale
 */
export function countries(served, locale) {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const everywhere = served === null;
  const codes = served ?? letters.flatMap((a) => letters.map((b) => a + b)).filter((code) => !others.has(code));
  // Codes of former countries have the name of the present one, which is listed once.
  /** @type {Map<string, string>} */
  const byName = new Map();
  for (const code of codes) {
    const [canonical = code] = Intl.getCanonicalLocales(`und-${code}`).map((tag) => tag.slice(4));
    const name = names.of(code) ?? (everywhere ? undefined : code);
    if (name && canonical === code) byName.set(name, code);
  }
  return [...byName].map(([name, code]) => ({ code, name })).sort((a, b) => a.name.localeCompare(b.name, locale));
}
