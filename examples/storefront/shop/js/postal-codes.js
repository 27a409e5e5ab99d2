/** A value that no address has. */
const mark = '\u0001';

/**
 * Tells of a country, by its code, whether its addresses have a postal code. The store requires one by the same library, which is loaded
 * when an address is filled in. Without the library next to this file the answer is undefined for every country: then the store says what
 * is missing.
 * @returns {Promise<(country: string) => boolean | undefined>}
 */
export async function openPostalCodes() {
  try {
    const { formatAddress } = await import('./libraries/address-format.js');
    return (postalCountry) => {
      const parts = { postalCountry, postalCode: mark, locality: '-', addressLines: ['-'] };
      return formatAddress(parts).some((line) => line.includes(mark));
    };
  } catch {
    return () => undefined;
  }
}
