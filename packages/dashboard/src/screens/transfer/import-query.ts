import type { Import } from './resources.ts';

/** Options of an import, as in the form. */
export type ImportValues = {
  resource: Import['resource'];
  onError: 'stop' | 'skip';
  match: string;
  format: string;
  encoding: string;
  dryRun: boolean;
  events: boolean;
  images: boolean;
  overwriteStock: boolean;
  repeatedSku: string;
  descriptions: string;
  map: string;
};

/** Fields that match a row to an item, the usual one first. */
export const matches: Record<Import['resource'], readonly ('slug' | 'sku' | 'id' | 'email')[]> = {
  products: ['slug', 'sku', 'id'],
  categories: ['slug', 'id'],
  customers: ['email', 'id'],
  pages: ['slug', 'id'],
};

/** The options for the interface; defaults are left out. */
export function queryOf(values: ImportValues): Record<string, string> {
  const {
    resource,
    onError,
    match,
    format,
    encoding,
    dryRun,
    events,
    images,
    overwriteStock,
    repeatedSku,
    descriptions,
    map,
  } = values;
  const columns = map
    .split('\n')
    .map((line) => /^(.*?)\s*=\s*([^=]*)$/.exec(line.trim()))
    .flatMap((found) => (found ? [[found[1], found[2]?.trim()] as const] : []));
  const isProducts = resource === 'products';
  return {
    resource,
    onError,
    ...(matches[resource].some((one) => one === match) ? { match } : {}),
    ...(format ? { format } : {}),
    ...(encoding ? { encoding } : {}),
    ...(dryRun ? { dryRun: 'true' } : {}),
    ...(events ? {} : { events: 'false' }),
    ...(images && isProducts ? { images: 'true' } : {}),
    ...(overwriteStock && isProducts ? { overwriteStock: 'true' } : {}),
    ...(repeatedSku && isProducts ? { repeatedSku } : {}),
    ...(descriptions && isProducts ? { descriptions } : {}),
    ...(columns.length > 0 ? { map: JSON.stringify(Object.fromEntries(columns)) } : {}),
  };
}

/** Type of the body: by the chosen format, else by the file extension, else absent. */
export function typeOf({ name }: { name: string }, format: string): string {
  if (format === 'csv' || (format === '' && /\.(csv|tsv|txt)$/i.test(name))) return 'text/csv';
  if (format === 'jsonl' || (format === '' && /\.(jsonl|ndjson)$/i.test(name))) return 'application/x-ndjson';
  return 'application/octet-stream';
}
