/** The header by which an answer says that its request was read strictly. */
export const strictApplied = { 'Preference-Applied': 'handling=strict' } as const;

/**
 * True if a request prefers `handling=strict` (RFC 7240): what it does not know is then refused instead of ignored. Of a preference that is
 * given twice, the first one counts.
 */
export function prefersStrict(header: string | string[] | undefined): boolean {
  if (header === undefined) return false;
  for (const preference of partsOf(Array.isArray(header) ? header.join() : header, ',')) {
    // Parameters after a semicolon say nothing about `handling`.
    const [own = ''] = partsOf(preference, ';');
    const [name = '', ...value] = partsOf(own, '=');
    if (name.trim().toLowerCase() === 'handling') return unquoted(value.join('=').trim()).toLowerCase() === 'strict';
  }
  return false;
}

/** The parts of a text between separators, which count only outside of quotes. */
function partsOf(text: string, separator: ',' | ';' | '='): string[] {
  const parts: string[] = [];
  let from = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i++) {
    if (isQuoted && text[i] === '\\') i++;
    else if (text[i] === '"') isQuoted = !isQuoted;
    else if (text[i] === separator && !isQuoted) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

function unquoted(word: string): string {
  const isQuoted = word.length > 1 && word.startsWith('"') && word.endsWith('"');
  return isQuoted ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word;
}
