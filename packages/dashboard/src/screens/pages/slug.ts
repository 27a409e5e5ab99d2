/** The part of an address that a title suggests: "Über uns" is `uber-uns`; empty where nothing of it can stand in one. */
export function slugOf(title: string): string {
  return title
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 255)
    .replace(/-$/, '');
}
