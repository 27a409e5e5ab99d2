import { Readable } from 'node:stream';
import {
  type Context,
  type ExportedResource,
  type ExportFilters,
  exportText,
  type FilteredExport,
  getImportJson,
  type ImportQueryInput,
  listImportsJson,
  nounNames,
  nounOf,
  nouns,
  type Scope,
  startImport,
  stopImport,
} from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import type { ImportBody } from '../bodies/import-body.ts';
import { accepted, item, list, nothing, streamed } from './answers.ts';
import { capitalised } from './crud.ts';
import { type Route, route } from './router.ts';

/** The scope of the resource that the query names. */
const scopeOf = (kind: 'read' | 'write') => (query: Record<string, string>) => {
  const noun = nounOf[(query.resource ?? 'products') as keyof typeof nounOf];
  return noun === undefined ? undefined : (`${noun}.${kind}` as const);
};

export const importRoutes: readonly Route[] = [
  route('POST', '/imports', 'product.write', {
    name: 'startImport',
    summary: 'Import a file of products, categories, customers or pages in the background',
    description:
      'The body is the file, CSV or JSON Lines, or a form with the file as `files`. Rows update matching items and create the others. Other resources than products require their own `write` scope; a file with new categories also requires `category.write`, and `images` requires `media.write`. The import ends as `stopped` when its key is revoked or expires.',
    query: 'ImportQuery',
    body: 'import',
    scopeOf: scopeOf('write'),
    errors: ['conflict'],
    answer: accepted('Import'),
    run: (ctx: Context, query: ImportQueryInput, { format, fileName, bytes }: ImportBody) =>
      startImport(ctx, { ...(format ? { format } : {}), ...query }, bytes, fileName),
  }),
  route('GET', '/imports', 'product.read', {
    name: 'listImports',
    summary: 'List the imports of a resource, newest first',
    description: 'Other resources than products require their own `read` scope. The last 200 imports are kept.',
    query: 'ImportListQuery',
    scopeOf: scopeOf('read'),
    answer: list('Import'),
    run: listImportsJson,
  }),
  route('GET', '/imports/{id}', 'product.read', {
    name: 'getImport',
    summary: 'Get an import with its progress and its first rejected rows',
    description: 'Other resources than products require their own `read` scope.',
    query: 'ImportResourceQuery',
    scopeOf: scopeOf('read'),
    answer: item('Import'),
    run: getImportJson,
  }),
  route('DELETE', '/imports/{id}', 'product.write', {
    name: 'stopImport',
    summary: 'Stop a waiting or running import',
    description:
      'It ends after the current batch with the status `stopped`. Rows already written are kept; an import that has ended is left unchanged. Other resources than products require their own `write` scope.',
    query: 'ImportResourceQuery',
    scopeOf: scopeOf('write'),
    answer: nothing,
    run: stopImport,
  }),
];

/** The filters of the exports that have some. */
const filters: Partial<Record<ExportedResource, SchemaName>> = {
  orders: 'OrderExportQuery',
  customers: 'CustomerExportQuery',
  products: 'ProductExportQuery',
} satisfies Record<FilteredExport, SchemaName>;

const exported: readonly (readonly [ExportedResource, Scope])[] = [
  ...nounNames.map((noun) => [nouns[noun].table, `${noun}.read`] as const),
  ['orders', 'order.read'],
];

export const exportRoutes: readonly Route[] = exported.flatMap(([resource, scope]) =>
  (['csv', 'jsonl'] as const).map((format) =>
    route('GET', `/exports/${resource}.${format}`, scope, {
      name: `export${capitalised(resource)}${format === 'csv' ? 'Csv' : 'JsonLines'}`,
      summary: `Download ${filters[resource] ? '' : 'all '}${resource} as ${format === 'csv' ? 'CSV' : 'JSON Lines'}, oldest first`,
      description:
        'The file is streamed. An item that changes during the download is included with its state at the time it is read.',
      ...(filters[resource] && { query: filters[resource] }),
      answer: streamed(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson', `${resource}.${format}`),
      run: async (ctx: Context, query: ExportFilters = {}) =>
        Readable.from(bytesOf(exportText(ctx, resource, { format, filters: query })), { objectMode: false }),
    }),
  ),
);

/** Reads a page only after the client has taken the previous one. */
async function* bytesOf(texts: AsyncIterable<{ text: string }>): AsyncGenerator<Buffer> {
  for await (const { text } of texts) yield Buffer.from(text);
}
