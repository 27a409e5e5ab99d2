/** What a number looks like: `INV-{year}-` with four digits in 2026 is `INV-2026-0001`. @param digits as they are typed */
export function numberLike(prefix: string, digits: string, year: string): string {
  const least = Math.min(Math.max(Number(digits) || 1, 1), 12);
  return `${prefix.trim().replaceAll('{year}', year)}${'1'.padStart(least, '0')}`;
}
