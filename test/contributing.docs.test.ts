import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type RunningServer, run, startServer } from '@commerce/test-support/harness/processes';
import { build, type Plugin } from 'esbuild';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The files that a chapter of CONTRIBUTING changes or adds, with their texts after the change. */
function changedFiles(chapter: string): Map<string, string> {
  const [, rest = ''] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(`\n## ${chapter}\n`);
  const diff = /```diff\n([\s\S]*?)```/.exec(rest)?.[1] ?? '';
  const files = new Map<string, string>();
  for (const part of diff.split(/^\+\+\+ /m).slice(1)) {
    const [name = '', ...lines] = part.trimEnd().split('\n');
    const file = join(root, name);
    let text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    for (const hunk of lines.join('\n').split(/^@@\n/m)) {
      const side = (marks: RegExp) =>
        hunk
          .trimEnd()
          .split('\n')
          .filter((line) => marks.test(line))
          .map((line) => line.slice(1))
          .join('\n');
      const [before, after] = [side(/^[ -]/), side(/^[ +]/)];
      // A text that occurs twice would not say which one is meant.
      if (text !== undefined) expect(text.split(before)).toHaveLength(2);
      text = text === undefined ? `${after}\n` : text.replace(before, () => after);
    }
    files.set(file, text ?? '');
  }
  expect(files.size).toBeGreaterThan(0);
  return files;
}

/** Builds the command line from sources with changed files. @returns its program */
async function buildWith(files: ReadonlyMap<string, string>, folder: string): Promise<string> {
  const isAdded = (directory: string) => !existsSync(directory);
  const changed: Plugin = {
    name: 'changed',
    setup({ onLoad, onResolve }) {
      // Packages of others are not copied; ours are built with the change.
      onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
        kind === 'entry-point' || path.startsWith('@commerce/') ? undefined : { path, external: true },
      );
      onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
        const file = join(resolveDir, path);
        // The folder of an added file does not exist.
        return files.has(file) || (isAdded(resolveDir) && existsSync(file)) ? { path: file } : undefined;
      });
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = files.get(path);
        return contents === undefined ? undefined : { contents, loader: 'ts' };
      });
    },
  };
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, 'packages/cli/package.json'), join(folder, 'package.json'));
  const main = join(folder, 'dist/main.js');
  await build({
    entryPoints: [
      join(root, 'packages/cli/src/main.ts'),
      join(root, 'packages/core/src/storage/sqlite/checkpointer.js'),
      join(root, 'packages/core/src/storage/sqlite/scanner.js'),
    ],
    entryNames: '[name]',
    outdir: dirname(main),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node22',
    conditions: ['source'],
    plugins: [changed],
    logLevel: 'error',
  });
  return main;
}

/** The command line with the change of a chapter, and an empty shop. */
function useChanged(chapter: string, folderName: string) {
  const files = changedFiles(chapter);
  const folder = join(root, 'packages/cli/node_modules/.cache', folderName);
  const home = mkdtempSync(join(tmpdir(), 'commerce-changed-'));
  const db = join(home, 'shop.db');
  let main = '';
  let [key, storeId] = ['', ''];
  const commerce = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [main, ...args, '--db', db]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  beforeAll(async () => {
    main = await buildWith(files, folder);
    const made = JSON.parse(await commerce('init', '--name', 'Tea', '--currency', 'EUR', '--json'));
    [key, storeId] = [made.apiKey.key, made.store.id];
  });
  afterAll(() => {
    for (const one of [folder, home]) rmSync(one, { recursive: true, force: true });
  });
  const document = async () => {
    const { code, stdout, stderr } = await run(process.execPath, [main, 'openapi']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  return {
    files,
    commerce,
    document,
    serve: () => startServer(db, [], false, main),
    key: () => key,
    storeId: () => storeId,
  };
}

describe('the field that CONTRIBUTING adds', () => {
  const { files, commerce, document } = useChanged('To add a field', 'field');

  it('is one declaration', () => {
    const [[file, text] = ['', '']] = files;
    const lines = new Set(readFileSync(file, 'utf8').split('\n'));
    const added = text.split('\n').filter((line) => !lines.has(line));
    expect(files.size).toBe(1);
    expect(added.filter((line) => !/^\s*\/\*\*/.test(line))).toHaveLength(1);
  });

  it('is an option of the command line, an answer, a column of files and a property in the document', async () => {
    const given = ['--title', 'Mug', '--slug', 'mug', '--price', '5', '--origin', 'Porto'];
    const created = JSON.parse(await commerce('products', 'create', ...given, '--json'));
    expect(created.item).toMatchObject({ title: 'Mug', origin: 'Porto' });
    await commerce('products', 'update', 'mug', '--clear', 'origin', '--json');
    expect(JSON.parse(await commerce('products', 'show', 'mug', '--json')).item).toHaveProperty('origin', null);
    await commerce('products', 'update', 'mug', '--origin', 'Turin', '--json');
    const [header = '', row = ''] = (await commerce('products', 'export', '-')).split('\r\n').join('\n').split('\n');
    expect(row.split(',')[header.split(',').indexOf('origin')]).toBe('Turin');
    const { schemas } = (await document()).components;
    expect(schemas.Product.properties.origin).toMatchObject({
      type: ['string', 'null'],
      description: 'Where it was made.',
    });
    expect(schemas.Product.required).toContain('origin');
    for (const input of [schemas.ProductInput, schemas.ProductChanges]) {
      expect(input.properties.origin).toMatchObject({ maxLength: 255, description: 'Where it was made.' });
      expect(input.required ?? []).not.toContain('origin');
    }
  });
});

describe('the resource that CONTRIBUTING adds', () => {
  const { files, commerce, document, serve, key, storeId } = useChanged('To add a resource', 'resource');
  let server: RunningServer;
  let base = '';
  const ask = async (
    method: string,
    path: string,
    body?: object | string,
    asKey = key(),
    type = 'application/json',
  ) => {
    // Not the checked `fetch`: the document of the repository does not have the resource.
    const answer = await request(`${base}${path}`, {
      method: method as 'GET',
      headers: { authorization: `Bearer ${asKey}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    const answered = isJson ? JSON.parse(text) : text;
    return { status: answer.statusCode, body: answered?.item ?? answered };
  };
  beforeAll(async () => {
    server = await serve();
    base = `${server.url}/stores/${storeId()}`;
  });
  afterAll(() => server?.stop());

  it('is a folder, a line in each list, and a table', () => {
    const existing = [...files.keys()].filter((file) => existsSync(file));
    expect(existing.map((file) => file.slice(root.length))).toEqual([
      'packages/core/src/kernel/nouns.ts',
      'packages/core/src/collections.ts',
      'packages/core/src/storage/migrations/all.ts',
    ]);
  });

  it('is created, listed, found, changed and deleted, and seen by buyers once it is published', async () => {
    const created = await ask('POST', '/articles', { title: 'New mugs', slug: 'new-mugs', content: 'Blue ones' });
    expect(created).toMatchObject({ status: 201, body: { title: 'New mugs', status: 'draft', publishedAt: null } });
    expect((await ask('POST', '/articles', { title: 'Again', slug: 'new-mugs' })).status).toBe(409);
    expect((await ask('POST', '/articles', { slug: 'untitled' })).body.error.details).toMatchObject([
      { field: 'title' },
    ]);
    const { id } = created.body;
    const storefront = await ask('POST', '/api-keys', { name: 'Page', kind: 'storefront' });
    const page = storefront.body.key;
    expect((await ask('GET', `/articles/${id}`, undefined, page)).status).toBe(403);
    expect((await ask('PUT', `/articles/${id}`, { status: 'published' })).body.publishedAt).not.toBe(null);
    expect((await ask('GET', '/articles?search=BLUE&status=published')).body).toMatchObject({
      total: 1,
      items: [{ id }],
    });
    expect((await ask('DELETE', `/articles/${id}`)).status).toBe(204);
    expect((await ask('GET', `/articles/${id}`)).status).toBe(404);
    expect((await ask('GET', '/articles')).body).toEqual({ items: [], total: 0 });
  });

  it('has events, an audit log and scopes', async () => {
    const subscription = { url: 'https://example.com/', events: ['article.*'] };
    const { body: webhook } = await ask('POST', '/webhooks', subscription);
    expect(webhook.events).toEqual(['article.created', 'article.updated', 'article.deleted']);
    const { body: article } = await ask('POST', '/articles', { title: 'Tea', slug: 'tea' });
    const { body: log } = await ask('GET', `/audit-logs?resourceId=${article.id}`);
    expect(log.items).toMatchObject([{ action: 'article.created', resourceType: 'article' }]);
    const { body: deliveries } = await ask('GET', `/webhooks/${webhook.id}/deliveries`);
    expect(deliveries.items).toMatchObject([{ event: 'article.created' }]);
    const reader = await ask('POST', '/api-keys', { name: 'Reader', scopes: ['article.read'] });
    expect((await ask('GET', `/articles/${article.id}`, undefined, reader.body.key)).status).toBe(200);
    expect((await ask('DELETE', `/articles/${article.id}`, undefined, reader.body.key)).status).toBe(403);
    expect((await ask('DELETE', `/articles/${article.id}`)).status).toBe(204);
  });

  it('is imported and exported, counted right, and in the document', async () => {
    const file = 'title,slug,content\nOne,one,First\nTwo,,Second\n';
    const started = await ask('POST', '/imports?resource=articles', file, key(), 'text/csv');
    expect(started.status).toBe(202);
    await expect
      .poll(async () => (await ask('GET', `/imports/${started.body.id}?resource=articles`)).body)
      .toMatchObject({ status: 'completed', created: 2 });
    const { body: csv } = await ask('GET', '/exports/articles.csv');
    expect(csv.split(/\r?\n/).slice(0, 3)).toEqual([
      expect.stringMatching(/^id,title,slug,status,publishedAt,content/),
      expect.stringMatching(/,One,one,draft,,First,/),
      expect.stringMatching(/,Two,two,draft,,Second,/),
    ]);
    expect(JSON.parse(await commerce('doctor', '--json')).problems ?? []).toEqual([]);
    const { paths, components } = await document();
    expect(Object.keys(paths['/stores/{storeId}/articles'])).toEqual(expect.arrayContaining(['get', 'post']));
    expect(components.schemas.Article).toMatchObject({ description: 'A text of the blog.' });
  });
});
