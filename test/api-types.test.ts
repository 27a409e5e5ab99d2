import { openApiDocument } from '@commerce/server';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { expect, it } from 'vitest';

const head = `// Made from the OpenAPI document by \`npm run api-types\`; the test of the typed client is written against it.
// biome-ignore-all format: it is as the generator prints it
// biome-ignore-all lint: it is as the generator prints it

`;

/** The document without its sentences: the types are for the compiler, and a better wording does not change them. */
function withoutProse(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withoutProse);
  if (part === null || typeof part !== 'object') return part;
  const kept = Object.entries(part).filter(
    ([name, value]) => !['description', 'summary', 'example'].includes(name) || typeof value !== 'string',
  );
  return Object.fromEntries(kept.map(([name, value]) => [name, withoutProse(value)]));
}

it('the types of the client are those of the document (`npm run api-types` makes them anew)', async () => {
  const document = withoutProse(await openApiDocument()) as OpenAPI3;
  // A client may leave out what has a default.
  const types = astToString(await openapiTS(document, { defaultNonNullable: false }));
  await expect(`${head}${types}`).toMatchFileSnapshot('support/api.d.ts');
});
