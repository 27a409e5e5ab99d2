import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { type Block, blocksOf, chapters, filledIn } from '@commerce/test-support/harness/documents';
import { type Finished, root, run } from '@commerce/test-support/harness/processes';
import { ShellShop } from '@commerce/test-support/harness/shell-shop';
import { faultsOfTypes, typedLanguages } from '@commerce/test-support/harness/typed-blocks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const shellLanguages = ['sh', 'bash'];
const first = 'docs/start.md';
/** Documents that begin with an empty folder. */
const beginning = [first, 'README.md'];

/** Every document whose blocks are checked; the others begin with the files that start.md leaves behind. */
const documents = [first, ...chapters().filter((one) => one !== first), 'README.md', 'CONTRIBUTING.md'];

const shopifyExport = readFileSync(join(root, 'test/support/fixtures/transfer/shopify.csv'), 'utf8');

/** Files of the reader, in the folder of every document. */
const files: Record<string, () => Promise<string | Buffer>> = {
  'mug.jpg': () => picture('jpeg'),
  'detail.png': () => picture('png'),
  // Without its pictures, which are on other hosts.
  'products_export.csv': async () => shopifyExport.replace(/https:[^,"]*/g, ''),
};

const isExempt = ({ notes }: Block) => notes.has('not run');

/** How a block is checked; undefined if it is not checked. */
function wayOf(block: Block): 'exempt' | 'shell' | 'types' | 'json' | 'yaml' | 'settings' | 'nginx' | undefined {
  const { language } = block;
  if (isExempt(block)) return 'exempt';
  if (shellLanguages.includes(language)) return 'shell';
  if (typedLanguages[language]) return 'types';
  if (language === 'json') return 'json';
  if (language === 'yaml' || language === 'yml') return 'yaml';
  if (language === 'ini' || language === 'env') return 'settings';
  return language === 'nginx' ? 'nginx' : undefined;
}

/** Whether an answer has the shape that a document shows; `…` matches anything, ids and times match others of their kind. */
function differences(shown: unknown, actual: unknown, path = ''): string[] {
  const differs = () => [`${path || 'the answer'}: ${JSON.stringify(actual)} in the place of ${JSON.stringify(shown)}`];
  if (typeof shown === 'string' && typeof actual === 'string') {
    const kinds = [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, /^[0-9a-f]{8}-[0-9a-f-]{27}$/];
    if (kinds.some((kind) => kind.test(shown) && kind.test(actual))) return [];
    const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
    return new RegExp(`^${parts.join('.*')}$`, 's').test(actual) ? [] : differs();
  }
  if (shown === null || typeof shown !== 'object') return Object.is(shown, actual) ? [] : differs();
  if (actual === null || typeof actual !== 'object' || Array.isArray(shown) !== Array.isArray(actual)) return differs();
  return Object.entries(shown).flatMap(([name, value]) =>
    differences(value, (actual as Record<string, unknown>)[name], path === '' ? name : `${path}.${name}`),
  );
}

describe.skipIf(process.platform === 'win32')('Blocks of the documentation (skipped on Windows: no bash)', () => {
  const all = documents.flatMap((document) => blocksOf(document));
  let faults: ReturnType<typeof faultsOfTypes> | undefined;
  let begun: ShellShop;
  afterAll(() => begun?.close());

  it('are each run, compared or read, or say in a comment above why they are not', () => {
    const unchecked = all.filter((block) => wayOf(block) === undefined || block.notes.get('not run') === '');
    expect(
      unchecked.map(({ document, line, language }) => `${document}:${line} (${language || 'no language'})`),
    ).toEqual([]);
  });

  it('are filled in once, whatever the values look like', () => {
    const values = [
      [/http:\/\/a:3000/, () => 'http://a:42427'],
      [/http:\/\/a:4242/, () => 'http://a:3000'],
      [/(?<=\bKEY=)…/, () => '$& KEY=…'],
    ] as const;
    const shown = 'KEY=… http://a:3000/x http://a:4242 http://a:3000';
    expect(filledIn(shown, values)).toBe('KEY=$& KEY=… http://a:42427/x http://a:3000 http://a:42427');
  });

  const checked = all.filter((block) => ![undefined, 'exempt'].includes(wayOf(block)));
  describe.each([...new Set(checked.map((one) => one.document))])('%s', (document) => {
    const blocks = checked.filter((one) => one.document === document);
    const needsShop = blocks.some((one) => wayOf(one) === 'shell' || one.notes.has('request') || one.notes.has('run'));
    let shop: ShellShop;
    let last: Finished | undefined;
    beforeAll(async () => {
      if (!needsShop) return;
      shop = await ShellShop.open(beginning.includes(document) ? undefined : begun);
      for (const [name, content] of Object.entries(files)) writeFileSync(join(shop.folder, name), await content());
    });
    afterAll(async () => {
      if (!needsShop) return;
      await shop?.stop();
      if (document === first) begun = shop;
      else await shop?.close();
    });

    for (const block of blocks) {
      const way = wayOf(block);
      it(`line ${block.line}: ${block.language}`, async () => {
        if (way === 'types') {
          faults ??= faultsOfTypes(all.filter((one) => !isExempt(one)));
          expect(faults.get(`${document}:${block.line}`) ?? []).toEqual([]);
          if (block.notes.has('run')) await runProgram(block, shop);
        } else if (way === 'shell') {
          last = await shop.run(block.text);
          expect(last, last.stderr).toMatchObject({ code: 0 });
        } else if (way === 'json') {
          const shown: unknown = JSON.parse(block.text);
          if (block.notes.has('request')) last = await send(shop, block);
          if (block.notes.has('answer')) {
            expect(differences(shown, JSON.parse(last?.stdout.trim().split('\n').at(-1) ?? 'null'))).toEqual([]);
          }
        } else if (way === 'yaml') {
          expect(parse(block.text)).toBeTypeOf('object');
        } else if (way === 'settings') {
          expect(block.text.split('\n').filter((line) => !/^\s*$|^[#;[]|^[\w.-]+\s*=/.test(line))).toEqual([]);
        } else {
          expect(faultOfNginx(block.text)).toBeUndefined();
        }
      });
    }
  });
});

/** Sends the block to the path that its comment names, such as `POST /checkouts`, with the key of the shop. */
async function send(shop: ShellShop, block: Block): Promise<Finished> {
  const [method = '', path = ''] = block.notes.get('request')?.split(' ') ?? [];
  const response = await fetch(`${shop.url}/stores/${shop.storeId}${path}`, {
    method,
    headers: { authorization: `Bearer ${shop.key}`, 'content-type': 'application/json' },
    body: shop.filled(block.text),
  });
  const stdout = await response.text();
  expect(response.ok, stdout).toBe(true);
  return { code: 0, stdout, stderr: '' };
}

/** Runs a program of the documentation in the shop's folder. It has no type annotations, except in comments. */
async function runProgram(block: Block, shop: ShellShop): Promise<void> {
  // Inside the project, so that its imported packages are found.
  const folder = mkdtempSync(join(root, 'test/.program-'));
  try {
    writeFileSync(
      join(folder, 'program.mjs'),
      `process.chdir(${JSON.stringify(shop.folder)});\n${block.text}\nprocess.exit(0);\n`,
    );
    const { code, stderr } = await run(process.execPath, [join(folder, 'program.mjs')]);
    expect(code, stderr).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Errors in the syntax of nginx settings: unbalanced braces, or a line that ends in neither a brace nor a semicolon. */
function faultOfNginx(text: string): string | undefined {
  let depth = 0;
  for (const line of text.split('\n').map((one) => one.replace(/\s*#.*$/, '').trim())) {
    if (line === '') continue;
    if (!/[{};]$/.test(line)) return `ends in neither a brace nor a semicolon: ${line}`;
    depth += line.split('{').length - line.split('}').length;
    if (depth < 0) return `closes more than was opened: ${line}`;
  }
  return depth === 0 ? undefined : `${depth} braces are left open`;
}

describe('What checks the blocks', () => {
  it('finds an answer that differs from what is shown, and lets ids, times and … be', () => {
    const shown = { item: { id: '0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52', title: 'Mug', url: 'http…/mug', tags: ['a'] } };
    const actual = {
      item: { id: '01a20524-2096-72d8-8ef5-d26f6d7411e5', title: 'Mug', url: 'http://x/mug', tags: ['a'] },
    };
    expect(differences(shown, actual)).toEqual([]);
    expect(differences(shown, { item: { ...actual.item, title: 'Cup' } })).toEqual([
      'item.title: "Cup" in the place of "Mug"',
    ]);
    expect(differences(shown, { item: { ...actual.item, tags: {} } })).toHaveLength(1);
    expect(differences(shown, null)).toHaveLength(1);
  });

  it('finds a type that is wrong at its line, and takes what a comment says is given', () => {
    const text =
      '# A\n\n<!-- given: declare const n: number; -->\n\n```ts\nconst m: number = n;\nconst s: string = n;\n```\n';
    const found = faultsOfTypes(blocksOf('docs/a.md', text));
    expect([...found]).toEqual([['docs/a.md:5', [expect.stringMatching(/^line 7: Type 'number'/)]]]);
  });

  it('finds the reason in the comment above a block, and a block that nobody checks', () => {
    const [exempt, unknown] = blocksOf(
      'docs/a.md',
      '<!-- not run: needs Docker -->\n```sh\nx\n```\n\ntext\n\n```\ny\n```\n',
    );
    expect(exempt && wayOf(exempt)).toBe('exempt');
    expect(exempt?.notes.get('not run')).toBe('needs Docker');
    expect(unknown && wayOf(unknown)).toBeUndefined();
  });

  it('finds settings of nginx that are cut off', () => {
    expect(faultOfNginx('server {\n  listen 80; # all\n}\n')).toBeUndefined();
    expect(faultOfNginx('server {\n  listen 80\n}\n')).toMatch(/listen 80/);
    expect(faultOfNginx('server {\n')).toMatch(/left open/);
    expect(faultOfNginx('}\n')).toMatch(/more than/);
  });
});
