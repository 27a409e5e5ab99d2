/** The whole number of a text; null of an empty one. Any other text stays, so that the service says what is wrong with it. */
export function numberOr(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return /^\d{1,15}$/.test(trimmed) ? Number(trimmed) : trimmed;
}
