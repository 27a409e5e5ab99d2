import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@commerce/server';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

// The types that the build generates from the document: `@commerce/server/api`.

describe('the types for clients', () => {
  it('are those of the document', async () => {
    const built = readFileSync(new URL('../packages/server/dist/api.d.ts', import.meta.url), 'utf8');
    const types = await openapiTS((await openApiDocument()) as unknown as OpenAPI3, { defaultNonNullable: false });
    // Both texts are half a megabyte: the first different line is more useful than the whole texts.
    const [made, wanted] = [built.split('\n').slice(2), astToString(types).trimEnd().split('\n')];
    const first = wanted.findIndex((line, n) => line !== made[n]);
    expect(made[first], '`npm run build` makes them anew').toBe(wanted[first]);
    // The types of webhooks follow.
    expect(made[wanted.length]).toBe('');
    expect(built.slice(-800).match(/^export .*$/gm)).toEqual([
      expect.stringMatching(/^export type WebhookEventType /),
      expect.stringMatching(/^export type WebhookEvent</),
    ]);
  });

  const start = `
    import createClient from 'openapi-fetch';
    import type { components, paths, WebhookEvent, WebhookEventType } from '@commerce/server/api';
    const shop = createClient<paths>({ baseUrl: 'http://127.0.0.1:3000' });
    const path = { storeId: 'store' };
    export const nothing: components['schemas']['Product'][] = [];
  `;

  const programs: [string, string, RegExp | undefined][] = [
    [
      'a list, and what is in it',
      `const { data } = await shop.GET('/stores/{storeId}/products', { params: { path, query: { limit: 20 } } });
       export const titles: string[] | undefined = data?.items.map(({ title }) => title);`,
      undefined,
    ],
    [
      'a new product without the fields that have a default',
      `await shop.POST('/stores/{storeId}/products', { params: { path }, body: { title: 'Mug', slug: 'mug', price: '5' } });`,
      undefined,
    ],
    [
      'the codes of refusals',
      `const { error } = await shop.GET('/stores/{storeId}/orders/{id}', { params: { path: { ...path, id: 'x' } } });
       export const code: string | undefined = error?.error.code;`,
      undefined,
    ],
    [
      'the events of webhooks, by their type',
      `const event = JSON.parse('') as WebhookEvent;
       if (event.type === 'order.paid') { const paid: WebhookEvent<'order.paid'> = event; console.log(paid.data.orderNumber); }
       else if (event.type === 'product.low_stock') { const left: number | null = event.data.stock; console.log(left); }
       export const types: WebhookEventType[] = ['order.paid', event.type];`,
      undefined,
    ],
    [
      'a field that the resource of an event does not have',
      `export const titleOf = (event: WebhookEvent<'order.paid'>) => event.data.slug;`,
      /'slug' does not exist/,
    ],
    [
      'an event that does not exist',
      `export const bought = (event: WebhookEvent) => event.type === 'order.bought';`,
      /"order.bought"/,
    ],
    ['a path that does not exist', `await shop.GET('/stores/{storeId}/nothing', { params: { path } });`, /nothing/],
    [
      'a product without a price',
      `await shop.POST('/stores/{storeId}/products', { params: { path }, body: { title: 'Mug', slug: 'mug' } });`,
      /'price' is missing/,
    ],
    [
      'a status that a client cannot set',
      `await shop.PUT('/stores/{storeId}/pages/{id}', { params: { path: { ...path, id: 'x' } }, body: { status: 'deleted' } });`,
      /"deleted"/,
    ],
    [
      'a field that an answer does not have',
      `const { data } = await shop.GET('/stores/{storeId}/products', { params: { path } });
       export const name = data?.items[0]?.name;`,
      /'name' does not exist/,
    ],
  ];

  /** The errors of each program, by its index. */
  let found: string[][] = [];
  beforeAll(() => {
    found = compiled(programs.map(([, text]) => start + text));
  });

  it.each(programs.map(([what, , refused], i) => [what, i, refused] as const))(
    'are found by a program of another project and check %s',
    (_, i, refused) => {
      expect(found[i]).toEqual(refused === undefined ? [] : [expect.stringMatching(refused)]);
    },
  );

  /**
   * The errors of programs that see the packages like installed ones. Compiled together, because each on its own would read all types
   * again.
   */
  function compiled(texts: string[]): string[][] {
    const files = new Map(
      texts.map((text, i) => [fileURLToPath(new URL(`./program-of-a-client-${i}.ts`, import.meta.url)), text]),
    );
    const options: ts.CompilerOptions = {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      types: [],
    };
    const host = ts.createCompilerHost(options);
    const { getSourceFile, fileExists, readFile } = host;
    host.getSourceFile = (name, ...rest) => {
      const text = files.get(name);
      return text === undefined
        ? getSourceFile.call(host, name, ...rest)
        : ts.createSourceFile(name, text, {
            languageVersion: ts.ScriptTarget.ES2022,
            impliedNodeFormat: ts.ModuleKind.ESNext,
          });
    };
    host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
    host.readFile = (name) => files.get(name) ?? readFile.call(host, name);
    const program = ts.createProgram([...files.keys()], options, host);
    return [...files.keys()].map((file) =>
      ts
        .getPreEmitDiagnostics(program, program.getSourceFile(file))
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    );
  }
});
