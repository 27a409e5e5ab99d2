import { routeTable } from '../routes/table.ts';
import type { OpenApiDocument } from './openapi/document.ts';

/**
 * The OpenAPI 3.1 document of the interface, as `GET /openapi.json` answers it.
 * @param options optional routes that are open; the document names the closed ones as such
 */
export async function openApiDocument(
  options: { ordersApi: boolean; uploads: boolean } = { ordersApi: true, uploads: true },
): Promise<OpenApiDocument> {
  // Loaded on demand: a service that nobody asks for it keeps neither the schemas nor the sentences in memory.
  const { documentOf } = await import('./openapi/document.ts');
  return documentOf(routeTable(options));
}
