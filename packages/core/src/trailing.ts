/** A text without the characters at its end that are this one. A regular expression such as `/0+$/` looks at each run of them many times. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end--;
  return text.slice(0, end);
}
