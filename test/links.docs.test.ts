import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { chapters, headingsOf, linksOf, readDocument } from '@commerce/test-support/harness/documents';
import { root, run } from '@commerce/test-support/harness/processes';
import { describe, expect, it } from 'vitest';

/** Broken links of a document: missing files, and anchors without a heading. */
function faultsOf(document: string, text: string): string[] {
  return linksOf(text).flatMap(({ target, line }) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = '', anchor = ''] = target.split('#');
    const file = path === '' ? document : join(dirname(document), path);
    const at = `${document}:${line}: ${target}`;
    if (path !== '' && !existsSync(join(root, file))) return [`${at}: there is no such file`];
    if (anchor === '') return [];
    const headings = headingsOf(path === '' ? text : readFileSync(join(root, file), 'utf8'));
    return headings.some((one) => one.anchor === anchor) ? [] : [`${at}: no heading has this anchor`];
  });
}

describe('Links of the documentation', async () => {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md']);
  const documents = stdout.split('\n').filter((one) => one !== '' && existsSync(join(root, one)));

  it.each(documents)('of %s lead to files and headings that are there', (document) => {
    expect(faultsOf(document, readDocument(document))).toEqual([]);
  });

  it('are found wrong where they are', () => {
    const text =
      '# A\n\n[a](#a) [b](#b) [c](no.md) ![d](pictures/no.webp)\n\n[e](http.md#no) <img src="no.png"> [f](https://no.example)\n';
    expect(faultsOf('docs/a.md', text)).toEqual([
      'docs/a.md:3: #b: no heading has this anchor',
      'docs/a.md:3: no.md: there is no such file',
      'docs/a.md:3: pictures/no.webp: there is no such file',
      'docs/a.md:5: http.md#no: no heading has this anchor',
      'docs/a.md:5: no.png: there is no such file',
    ]);
  });

  it('of the table of contents name every chapter', () => {
    const listed = chapters();
    const indexes = listed.filter((one) => one.endsWith('README.md'));
    const named = indexes.flatMap((index) =>
      linksOf(readDocument(index)).map(({ target }) => join(dirname(index), target)),
    );
    expect(listed.filter((one) => !named.includes(one))).toEqual(['docs/README.md']);
  });

  it('begin with the chapter for shopkeepers, and end with the appendix that most shops never need', () => {
    const listed = chapters();
    expect(listed.slice(0, 2)).toEqual(['docs/README.md', 'docs/shopkeepers.md']);
    expect(listed.slice(-3)).toEqual(['docs/replicas.md', 'docs/sharding.md', 'docs/compatibility.md']);
  });

  it('show pictures that are there, with words for those who do not see them', () => {
    for (const document of chapters()) {
      for (const [, alt] of readDocument(document).matchAll(/<img\s(?![^>]*src="https?:)([^>]*)>/g))
        expect(alt).toMatch(/alt="[^"]+"/);
    }
    expect(statSync(join(root, 'docs/pictures')).isDirectory()).toBe(true);
  });
});
