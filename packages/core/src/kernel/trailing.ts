/**
 * Removes all copies of a character from the end of a text. A regular expression such as `/0+$/` would scan each run of them many times.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
