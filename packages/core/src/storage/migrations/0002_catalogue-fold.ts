const separator = '\u001f';

/** Several texts folded for searching, as when this migration was written: composed, lower case, final sigma levelled. */
export function foldTexts(...texts: (string | null)[]): string {
  return texts
    .map((text) => (text ?? '').normalize('NFC').toLowerCase().replaceAll('ς', 'σ').replaceAll(separator, '\ufdd0'))
    .join(separator);
}
