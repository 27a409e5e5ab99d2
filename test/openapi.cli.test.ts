import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@commerce/server';
import { commerce } from '@commerce/test-support/harness/processes';
import { afterAll, describe, expect, it } from 'vitest';

const dist = (part: string) => fileURLToPath(new URL(`../packages/${part}/dist/`, import.meta.url));

describe('commerce openapi', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-openapi-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('prints the document with everything open, and makes no database for it', async () => {
    const db = join(folder, 'shop.db');
    const { code, stdout, stderr } = await commerce(['openapi'], '', { COMMERCE_DB: db });
    expect([code, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(await openApiDocument())));
    expect(existsSync(db)).toBe(false);
  });

  it('writes it to a file, and says in one line why it cannot', async () => {
    const file = join(folder, 'openapi.json');
    expect(await commerce(['openapi', '--out', file])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse(readFileSync(file, 'utf8')).openapi).toBe('3.1.0');
    const { code, stderr } = await commerce(['openapi', '--out', join(folder, 'none', 'openapi.json')]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*ENOENT.*\n$/);
  });
});

describe('the build', () => {
  /** The files that load immediately with a file. */
  function loadedWith(folder: string, file: string, seen = new Set<string>()): Set<string> {
    if (seen.has(file)) return seen;
    seen.add(file);
    const text = readFileSync(join(folder, file), 'utf8');
    for (const [, other = ''] of text.matchAll(/(?:^|[;\n])(?:import|export)\b[^'"()]*["']\.\/([^"']+)["']/g)) {
      loadedWith(folder, other, seen);
    }
    return seen;
  }

  /** The text of everything that loads with a file; the build adds a hash to some names. */
  function textOf(part: string, name: string): string {
    const folder = dist(part);
    const files = readdirSync(folder).filter((file) => new RegExp(`^${name}(?:-\\w+)?\\.js$`).test(file));
    expect([name, files]).toEqual([name, [expect.any(String)]]);
    return [...loadedWith(folder, files[0] ?? '')].map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  }

  it('of the server has the document and its page in files of their own, which it does not load with itself', () => {
    const loaded = textOf('server', 'index');
    expect(loaded).toMatch(/import\(["']\.\/document-\w+\.js["']\)/);
    // A sentence of the document, one of the schemas, and the page.
    for (const text of ['Repeating and colliding', 'Pieces at hand. Below zero', '<!doctype html>']) {
      expect(loaded).not.toContain(text);
    }
  });

  it.each(['cli', 'server'])('of %s brings the script of the page, which loads nothing from elsewhere', (part) => {
    const script = readFileSync(join(dist(part), 'redoc.js'), 'utf8');
    expect(script).toContain('Redoc');
    expect(script).not.toMatch(/cdn\.redoc|fonts\.g(?:oogleapis|static)/);
    const licences = readFileSync(join(dist(part), 'redoc.licences.txt'), 'utf8');
    expect(licences).toMatch(/MIT/);
    expect(licences).toMatch(/Apache License/);
  });
});
