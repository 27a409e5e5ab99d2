import { routeTable } from '../app.ts';
import type { OpenApiDocument } from './openapi/document.ts';

/**
 * The OpenAPI 3.1 document of the interface, as `GET /openapi.json` answers it.
 * @param options what the service is told to open; where it is closed, the document says so
 */
export async function openApiDocument(
  options: { ordersApi: boolean; uploads: boolean } = { ordersApi: true, uploads: true },
): Promise<OpenApiDocument> {
  // Loaded when it is asked for: a service that nobody asks keeps neither the schemas nor the sentences in memory.
  const { documentOf } = await import('./openapi/document.ts');
  return documentOf(routeTable(options));
}
