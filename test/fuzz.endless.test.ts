import { openApiDocument } from '@commerce/server';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { shown } from '@commerce/test-support/suites/fuzz-compose';
import { handle } from '@commerce/test-support/suites/fuzz-driver';
import { useFuzzedService } from '@commerce/test-support/suites/fuzz-service';
import { expect, it } from 'vitest';

/** The depth or the number of entries of the values. */
interface Size {
  arrays: number;
  objects: number;
  entries: number;
  keys: number;
}

/** The maximum size of a body. */
const whole: Size = { arrays: 400_000, objects: 150_000, entries: 400_000, keys: 50_000 };
/** Far more than any stack or list accepts. Parsing whole bodies for each field took most of the test's time. */
const part: Size = { arrays: 50_000, objects: 50_000, entries: 50_000, keys: 5000 };

const endlessTexts = [
  JSON.stringify('x'.repeat(1_000_000)),
  JSON.stringify('-'.repeat(1_000_000)),
  JSON.stringify('a-'.repeat(500_000)),
  JSON.stringify('0'.repeat(1_000_000)),
  JSON.stringify(`https://${'a.'.repeat(500_000)}`),
];

function endless({ arrays, objects, entries, keys }: Size): string[] {
  return [
    `${'['.repeat(arrays)}${']'.repeat(arrays)}`,
    `${'{"a":'.repeat(objects)}1${'}'.repeat(objects)}`,
    `${'['.repeat(5000)}${']'.repeat(5000)}`,
    `[${Array(entries).fill('1').join(',')}]`,
    `[${Array(Math.min(entries, 90_000)).fill('{"a":"x"}').join(',')}]`,
    `{${Array.from({ length: keys }, (_, i) => `"k${i}":"v${i}"`).join(',')}}`,
    `{${Array.from({ length: keys }, (_, i) => `"k${i}":${i}`).join(',')}}`,
  ];
}

const endlessWhole = endless(whole);
const endlessPart = endless(part);
const scalars = new Set(['string', 'integer', 'number', 'boolean', 'null']);

/** The types that the document gives a field; `any` for a field that it lacks. */
const typesOf = (schema: { properties: Record<string, { type?: string | string[] }> }, field: string): string[] =>
  [schema.properties[field]?.type ?? 'any'].flat();

forEachStorage('a field that is nested without end, or has no end', (database, dialect) => {
  const service = useFuzzedService(database);

  // Refused before the database is used, so one database is enough.
  it.skipIf(dialect === 'postgres')('is refused in every body', { timeout: 300_000 }, async () => {
    const { app, shop, key, thrown } = service();
    const { paths, components } = await openApiDocument();
    const wrong: string[] = [];
    for (const [path, methods] of Object.entries(paths).filter(([path]) => path.startsWith('/stores/'))) {
      for (const method of ['post', 'put']) {
        // biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
        const schema = (methods[method] as any)?.requestBody?.content?.['application/json']?.schema;
        const name = schema?.$ref?.split('/').at(-1);
        // biome-ignore lint/suspicious/noExplicitAny: a document is walked by its names
        const given = name ? (components.schemas?.[name] as any) : schema;
        if (!given) continue;
        const answered = name?.replace(/Input|Changes/, '');
        const fields = new Set([
          ...Object.keys(given.properties),
          ...Object.keys(Object(components.schemas?.[answered]?.properties)),
        ]);
        const known = shop.pick(path.split('/')[3] ?? '', 0);
        const url = path.replace('{storeId}', shop.ctx.store.id).replaceAll(/\{\w+\}/g, known);
        // One field of each body has the maximum size of a body.
        const fullest = [...fields].find((field) => !typesOf(given, field).every((type) => scalars.has(type)));
        for (const field of fields) {
          const takesText = typesOf(given, field).some((type) => type === 'string' || !scalars.has(type));
          for (const value of [
            ...(field === fullest ? endlessWhole : endlessPart),
            ...(takesText ? endlessTexts : endlessTexts.slice(0, 1)),
          ]) {
            const body = Buffer.from(`{${JSON.stringify(field)}:${value}}`);
            const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
            const request = { method: method.toUpperCase(), url, headers, body };
            const got = await handle(app, request);
            for (const error of thrown.splice(0)) wrong.push(`${shown(request)}: ${error}`);
            if (got.status >= 500) wrong.push(`${shown(request)}: ${got.status}`);
            if (got.status >= 400 && got.text.length > 100_000) {
              wrong.push(`${shown(request)}: ${got.text.length} bytes`);
            }
          }
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});
