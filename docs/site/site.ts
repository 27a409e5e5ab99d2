import { existsSync, statSync } from 'node:fs';
import { copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { chaptersOf, headingsOf, linksOf, markdown, partsOf } from './book.ts';

/** A page of the site, made of a document of the project. */
interface Page {
  document: string;
  /** Path below the folder of the site. */
  path: string;
  title: string;
  text: string;
}

/** A section of a page, as the search knows it: its address, the page's title, its own, its words. */
type Section = [address: string, page: string, heading: string, words: string];

/**
 * Builds the book into a folder: the chapters in their order, and whatever of the project they link to.
 * @param root folder of the project
 * @param out folder of the site, which is emptied first
 * @returns paths of the pages below it
 */
export async function buildSite(root: string, out: string): Promise<string[]> {
  const chapters = chaptersOf(root);
  const { pages, files } = await collect(root, chapters);
  const parts = partsOf(root);
  const book = chapters.flatMap((document) => pages.find((page) => page.document === document) ?? []);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const sections: Section[] = [];
  for (const page of pages) {
    sections.push(...sectionsOf(page));
    await write(join(out, page.path), printed(page, book, parts, root));
  }
  for (const file of files) {
    await mkdir(dirname(join(out, pathOf(file))), { recursive: true });
    await copyFile(join(root, file), join(out, pathOf(file)));
  }
  await cp(join(root, 'docs/pictures'), join(out, 'pictures'), { recursive: true });
  await write(join(out, 'search-index.js'), `'use strict';\nconst sections = ${JSON.stringify(sections)};\n`);
  for (const name of ['page.css', 'search.js']) await copyFile(join(root, 'docs/site', name), join(out, name));
  return pages.map(({ path }) => path);
}

/** The chapters, every other document that one of them leads to, and files that are no documents. */
async function collect(root: string, chapters: readonly string[]): Promise<{ pages: Page[]; files: string[] }> {
  const waiting = [...chapters];
  const seen = new Set(waiting);
  const pages: Page[] = [];
  const files: string[] = [];
  for (let document = waiting.shift(); document !== undefined; document = waiting.shift()) {
    if (!document.endsWith('.md')) {
      files.push(document);
      continue;
    }
    const text = await readFile(join(root, document), 'utf8');
    pages.push({ document, path: pathOf(document), title: headingsOf(text)[0]?.text ?? document, text });
    for (const { target } of linksOf(text)) {
      const file = fileOf(document, target);
      if (file === undefined || seen.has(file) || !existsSync(join(root, file))) continue;
      if (statSync(join(root, file)).isDirectory()) continue;
      seen.add(file);
      waiting.push(file);
    }
  }
  return { pages, files };
}

/** The file of the project that a link of a document leads to; undefined for other places and for the document itself. */
function fileOf(document: string, target: string): string | undefined {
  const [path = ''] = target.split('#');
  return path === '' || /^[a-z]+:/.test(target) ? undefined : posix.join(posix.dirname(document), path);
}

/** Path on the site of a file of the project: chapters lie as in docs/, other documents in project/, anything else in files/. */
function pathOf(file: string): string {
  if (/^docs\/.*\.(?:webp|png|svg)$/.test(file)) return file.slice('docs/'.length);
  if (!file.endsWith('.md')) return `files/${file}.txt`;
  const below = file.startsWith('docs/') ? file.slice('docs/'.length) : `project/${file}`;
  return below.replace(/(^|\/)README\.md$/, '$1index.md').replace(/\.md$/, '.html');
}

function addressOf(page: Page, file: string): string {
  return posix.relative(posix.dirname(page.path), pathOf(file));
}

const escaped = (text: string) => markdown.utils.escapeHtml(text);

/** The document as HTML, with anchors at its headings and links that lead to pages of the site. */
function contentOf(page: Page, root: string): string {
  const tokens = markdown.parse(page.text, {});
  const headings = headingsOf(page.text);
  for (const [i, token] of tokens.entries()) {
    if (token.type === 'heading_open')
      token.attrSet('id', headings.find((one) => one.line === (token.map?.[0] ?? 0) + 1)?.anchor ?? '');
    // Comments are for the tests.
    if (token.type === 'html_block') token.content = token.content.replace(/<!--.*?-->\s*/gs, '');
    if (tokens[i - 1]?.type === 'heading_open') continue;
    for (const child of token.children ?? []) {
      const target = child.type === 'link_open' ? decodeURI(String(child.attrGet('href'))) : undefined;
      const file = target === undefined ? undefined : fileOf(page.document, target);
      if (target === undefined || file === undefined) continue;
      const [, anchor] = target.split('#');
      const isFolder = existsSync(join(root, file)) && statSync(join(root, file)).isDirectory();
      const leadsTo = isFolder ? 'docs/README.md' : file;
      child.attrSet('href', `${addressOf(page, leadsTo)}${anchor === undefined ? '' : `#${anchor}`}`);
    }
  }
  return markdown.renderer.render(tokens, markdown.options, {});
}

/** The list of chapters under the names of their parts; chapters in a folder are listed below their own index. */
function navigationOf(page: Page, book: readonly Page[], parts: ReadonlyMap<string, string>): string {
  const isIndex = ({ path }: Page) => path.endsWith('/index.html');
  const items = book.flatMap((one) => {
    const folder = posix.dirname(one.path);
    if (folder !== '.' && !isIndex(one) && posix.dirname(page.path) !== folder) return [];
    const here = one === page ? ' aria-current="page"' : '';
    const depth = folder !== '.' && !isIndex(one) ? ' class="part"' : '';
    const part = parts.get(one.document);
    const heading = part === undefined ? [] : [`<li class="heading">${escaped(part)}</li>`];
    return [...heading, `<li${depth}><a href="${addressOf(page, one.document)}"${here}>${escaped(one.title)}</a></li>`];
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

function neighboursOf(page: Page, book: readonly Page[]): string {
  const at = book.indexOf(page);
  if (at === -1) return '';
  const link = (one: Page | undefined, rel: string, before: string, after: string) =>
    one
      ? `<a rel="${rel}" href="${addressOf(page, one.document)}">${before}${escaped(one.title)}${after}</a>`
      : '<span></span>';
  return `<nav class="neighbours" aria-label="Neighbours">${link(book[at - 1], 'prev', '← ', '')}${link(book[at + 1], 'next', '', ' →')}</nav>`;
}

function printed(page: Page, book: readonly Page[], parts: ReadonlyMap<string, string>, root: string): string {
  const up = posix.relative(posix.dirname(page.path), '.') || '.';
  return `<!doctype html>
<html lang="en" data-root="${up}/">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(page.title)} · Commerce</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${up}/page.css">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="brand" href="${up}/index.html">Commerce</a>
<input type="search" id="search" placeholder="Search the book" aria-label="Search the book" autocomplete="off">
</header>
<div id="found" hidden aria-live="polite"></div>
<div class="columns">
<nav aria-label="Chapters">
<details open>
<summary>Chapters</summary>
${navigationOf(page, book, parts)}
</details>
</nav>
<main id="content">
${contentOf(page, root)}
${neighboursOf(page, book)}
</main>
</div>
<script src="${up}/search-index.js"></script>
<script src="${up}/search.js"></script>
</body>
</html>
`;
}

/** A page cut at its headings, for the search. */
function sectionsOf(page: Page): Section[] {
  const lines = page.text.split('\n');
  const headings = headingsOf(page.text);
  return headings.map(({ text, anchor, line }, i) => {
    const words = lines
      .slice(line, (headings[i + 1]?.line ?? lines.length + 1) - 1)
      .join(' ')
      .replace(/<[^>]*>|[`*|#]|\]\([^)]*\)|\[|-{3,}/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return [`${page.path}#${anchor}`, page.title, text, words];
  });
}

async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}
