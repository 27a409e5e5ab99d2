import { eventTypes } from '@commerce/core';
import type { JsonSchema as Json } from '@commerce/core/schemas';
import { schemas } from '@commerce/core/schemas';
import { expectDocumented } from '@commerce/test-support/harness/contract';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { statusOf } from '../../errors.ts';
import { allRoutes } from '../../routes/table.ts';
import { openApiDocument } from '../openapi.ts';
import { exampleOf } from './examples.ts';

const document = await openApiDocument();
const source = JSON.stringify(document);

/** Violations of the recommended rules for OpenAPI documents. */
async function problemsOf(text: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, severity, message, location }) =>
    [severity, ruleId, message, location[0]?.pointer].join(' '),
  );
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...JSON.parse(source) });

/** The violations of a media type's schema by its example. */
function errorsOf(schema: Json, example: unknown): string[] {
  // References are relative to the whole document.
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));
  const validate = ajv.compile(absolute);
  return validate(example) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

interface Found {
  at: string;
  schema: Json;
  example: unknown;
}

/** Every example of a body or an answer, with its schema. */
function examplesIn(part: unknown, at = ''): Found[] {
  if (part === null || typeof part !== 'object') return [];
  const { schema, example, examples } = part as Json;
  const many = Object.values((examples ?? {}) as Record<string, { value?: unknown }>);
  const own = schema && at.includes('/content/') ? [example, ...many.map(({ value }) => value)] : [];
  return [
    ...own.filter((one) => one !== undefined).map((one) => ({ at, schema: schema as Json, example: one })),
    ...Object.entries(part).flatMap(([name, value]) => examplesIn(value, `${at}/${name}`)),
  ];
}

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

describe('the document', () => {
  it('keeps every rule that is recommended for OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0');
    // Returning buyers are redirected: that path has no other answer.
    const redirects = /^warn operation-2xx-response .*~1checkout~1return~1\{checkoutId\}/;
    expect((await problemsOf(source)).filter((problem) => !redirects.test(problem))).toEqual([]);
  });

  it('would not, with one wrong example or one path parameter too few', async () => {
    expect(await problemsOf(source.replace('"price":"12.50"', '"price":12.5'))).not.toEqual([]);
    expect(
      await problemsOf(source.replaceAll('#/components/parameters/StoreId', '#/components/parameters/IfMatch')),
    ).not.toEqual([]);
  });

  it('has an operation for every line of the route table, with its name and scope, and no other below a store', () => {
    const lines = allRoutes({ ordersApi: true, uploads: true, dashboard: true }).flatMap((line) => {
      const route = 'open' in line ? line.open : line;
      const path = `/stores/{storeId}${route.path}`;
      const scope = route.scope ?? '';
      const put = `${route.method.toLowerCase()} ${path} ${route.name} ${scope}`;
      return route.method === 'PUT' ? [put, `patch ${path} ${route.name.replace(/^[a-z]+/, 'patch')} ${scope}`] : [put];
    });
    const documented = operations
      .filter(({ path }) => path.startsWith('/stores/'))
      .map(({ path, method, operation }) =>
        [method, path, operation.operationId, operation['x-required-scope']].join(' '),
      );
    expect(documented.sort()).toEqual(lines.sort());
  });

  it('says which ways are closed, and how they would be opened', async () => {
    const { paths } = await openApiDocument({ ordersApi: false, uploads: false });
    for (const path of ['/orders', '/media']) {
      const operation = paths[`/stores/{storeId}${path}`]?.post as Json;
      expect(operation.description).toMatch(/Disabled on this service/);
      expect(Object.keys(operation.responses as Json)).toContain('405');
    }
    expect(JSON.stringify(document.paths)).not.toContain('Disabled on this service');
  });

  it('names the refusals that every operation of a store may meet, each with an example of that status', () => {
    for (const { path, operation } of operations) {
      const responses = operation.responses as Record<string, Json>;
      if (path.startsWith('/stores/')) {
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403', '429', '500', '503']));
      }
    }
    for (const [name, answer] of Object.entries(document.components.responses ?? {})) {
      const examples = (answer as { content: Record<string, { examples: Json }> }).content['application/json']
        ?.examples;
      const statuses = Object.keys(examples ?? {}).map((kind) => statusOf[kind as keyof typeof statusOf]);
      expect(new Set(statuses).size, name).toBe(1);
    }
  });

  it('has examples that are what their schemas say', () => {
    const found = examplesIn(document.paths).concat(examplesIn(document.components.responses, '/content/'));
    expect(found.length).toBeGreaterThan(60);
    for (const { at, schema, example } of found) expect(errorsOf(schema, example), at).toEqual([]);
  });

  it('has examples of bodies that the operations take', () => {
    const bodies = Object.entries(schemas).filter(([name]) => /Input$|Changes$/.test(name));
    expect(bodies.length).toBeGreaterThan(10);
    for (const [name, schema] of bodies) {
      const [example] = (document.components.schemas?.[name]?.examples ?? []) as unknown[];
      expect(example, name).toBeDefined();
      expect(schema.safeParse(example), name).toMatchObject({ success: true });
    }
  });

  it('describes every field', () => {
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
      for (const [field, own] of Object.entries((schema.properties ?? {}) as Record<string, Json>)) {
        // The envelope of errors has its text around it.
        if (name !== 'ErrorEnvelope') expect(own.description, `${name}.${field}`).toMatch(/\S/);
      }
    }
  });

  it('has every event, with a delivery that is what it says', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes].sort());
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      expect((post as Json).description, type).toMatch(/^An? [a-z]+ (?:was|has|came) [a-z]/);
      const [found, ...more] = examplesIn(post);
      expect(more).toEqual([]);
      expect(found?.example).toMatchObject({
        type,
        event: type,
        data: { [type === 'refund.failed' ? 'refundId' : 'id']: expect.any(String) },
      });
      expect(errorsOf(found?.schema ?? {}, found?.example), type).toEqual([]);
      expect(errorsOf(found?.schema ?? {}, { ...(found?.example as Json), type: 'order.eaten' })).not.toEqual([]);
    }
  });

  it('tells of the deprecated scope, which guards the changes of orders all the same', () => {
    expect(document.info.description).toMatch(/`order\.write` \(deprecated/);
    const guarded = operations.filter(({ operation }) => operation['x-required-scope'] === 'order.write');
    expect(guarded.map(({ operation }) => operation.operationId).sort()).toEqual([
      'createFulfilment',
      'createOrder',
      'deleteFulfilment',
      'issueInvoice',
      'patchFulfilment',
      'patchOrder',
      'refundOrder',
      'updateFulfilment',
      'updateOrder',
    ]);
  });
});

describe('the check of every answer against the document', () => {
  const item = exampleOf({ $ref: '#/components/schemas/Product' }, document.components.schemas ?? {}) as Json;
  const path = '/api/stores/s/products/1?x=y';
  const check = (method: string, url: string, status: number, body: unknown, headers = {}) =>
    expectDocumented(method, url, status, { ETag: '"1"', ...headers }, body === '' ? '' : JSON.stringify(body));
  const error = { error: { code: 'NOT_FOUND', message: 'no' } };

  it('lets what is documented pass', async () => {
    await check('GET', path, 200, { item });
    await check('HEAD', path, 200, '');
    await check('GET', path, 304, '');
    await check('PATCH', path, 200, { item });
    await check('GET', path, 404, error);
    await check('DELETE', path, 204, '');
    await check('GET', '/stores/s/nothing', 404, error);
    await check('OPTIONS', path, 204, '');
  });

  it.each<[string, Parameters<typeof check>]>([
    ['a field too many', ['GET', path, 200, { item: { ...item, color: 'blue' } }]],
    ['a field too few', ['GET', path, 200, { item: { ...item, price: undefined } }]],
    ['a field of another type', ['GET', path, 200, { item: { ...item, price: 12.5 } }]],
    ['a wrapping of another kind', ['GET', path, 200, item]],
    ['a status', ['GET', path, 201, { item }]],
    ['a path', ['GET', '/stores/s/nothing', 200, {}]],
    ['a method', ['POST', path, 201, { item }]],
    ['a media type', ['GET', path, 200, { item }, { 'Content-Type': 'text/html' }]],
    ['a body', ['DELETE', path, 204, {}]],
    ['an error of another shape', ['GET', path, 404, { message: 'no' }]],
  ])('refuses %s that the document does not have', async (_, given) => {
    await expect(check(...given)).rejects.toThrow(/document|header/);
  });

  it('refuses an answer without a header that it has to have', async () => {
    await expect(expectDocumented('GET', path, 200, {}, JSON.stringify({ item }))).rejects.toThrow(/etag/);
  });
});
