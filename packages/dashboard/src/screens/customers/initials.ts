const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first letters of the first and the last word of a name, or of the first part of an e-mail. */
export function initialsOf(name: string): string {
  const words = (name.includes('@') ? (name.split('@')[0] ?? '').split(/[._-]/) : name.split(/\s+/)).filter(Boolean);
  const [first = '', last = ''] = words.length > 1 ? [words[0], words.at(-1)] : words;
  const letter = (word: string) => [...letters.segment(word)][0]?.segment ?? '';
  return (letter(first) + letter(last)).toLocaleUpperCase();
}
