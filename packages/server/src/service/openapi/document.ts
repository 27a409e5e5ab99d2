import { eventTypes } from '@commerce/core';
import { type JsonSchema as Json, jsonSchemas } from '@commerce/core/schemas';
import type { ClosedRoute, Route } from '../../routes/router.ts';
import { version } from '../../version.ts';
import { deliveryParameters, eventOperation } from './events.ts';
import { answerHeaders } from './headers.ts';
import { parameters } from './parameters.ts';
import { description, securitySchemes, tags } from './prose.ts';
import { servicePaths } from './service-paths.ts';
import { storeOperations } from './store-operations.ts';

export interface OpenApiDocument {
  openapi: string;
  info: Json;
  servers: Json[];
  tags: Json[];
  security: Json[];
  /** By path, then by method in lower case. */
  paths: Record<string, Record<string, Json>>;
  webhooks: Record<string, Record<string, Json>>;
  components: Record<string, Record<string, Json>>;
}

/** The document of these routes and of the service's own paths. */
export function documentOf(routes: readonly (Route | ClosedRoute)[]): OpenApiDocument {
  const schemas: Record<string, Json> = jsonSchemas();
  const responses: Record<string, Json> = {};
  const paths: OpenApiDocument['paths'] = {};
  for (const line of routes) {
    const path = `/stores/{storeId}${line.path}`;
    paths[path] = { ...paths[path], ...storeOperations(line, schemas, responses) };
  }
  return withoutUnused({
    openapi: '3.1.0',
    info: {
      title: 'Commerce',
      version,
      summary: 'A headless commerce backend.',
      description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'The service that served this document.' }],
    tags,
    security: [{ bearer: [] }, { apiKey: [] }],
    paths: { ...paths, ...servicePaths(schemas) },
    webhooks: Object.fromEntries(eventTypes.map((type) => [type, { post: eventOperation(type, schemas) }])),
    components: {
      schemas,
      responses,
      parameters: { ...parameters, ...deliveryParameters },
      headers: answerHeaders,
      securitySchemes,
    },
  });
}

/** The document without unused components. */
function withoutUnused(document: OpenApiDocument): OpenApiDocument {
  const { components, ...rest } = document;
  const used = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, kind = '', name = ''] of JSON.stringify(part).matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)) {
      const key = `${kind}/${name}`;
      if (used.has(key)) continue;
      used.add(key);
      follow(components[kind]?.[name]);
    }
  };
  follow(rest);
  const kept = Object.entries(components).map(([kind, parts]) => [
    kind,
    Object.fromEntries(
      Object.entries(parts)
        .filter(([name]) => kind === 'securitySchemes' || used.has(`${kind}/${name}`))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  ]);
  return { ...rest, components: Object.fromEntries(kept) };
}
