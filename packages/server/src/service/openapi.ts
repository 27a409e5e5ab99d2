import { allRoutes, type TableOptions } from '../routes/table.ts';
import type { OpenApiDocument } from './openapi/document.ts';

/**
 * The OpenAPI 3.1 document of the interface, as answered by `GET /openapi.json`.
 * @param options open optional routes; the document marks the closed ones
 */
export async function openApiDocument(
  options: TableOptions = { ordersApi: true, uploads: true, dashboard: true },
): Promise<OpenApiDocument> {
  // Loaded on demand, to keep the schemas and sentences out of memory until the document is requested.
  const { documentOf } = await import('./openapi/document.ts');
  return documentOf(allRoutes(options));
}
