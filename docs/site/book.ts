import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import GithubSlugger from 'github-slugger';
import MarkdownIt, { type MarkdownIt as Markdown } from 'markdown-it';

/** A heading with the anchor that GitHub and the site give it. */
export interface Heading {
  level: number;
  /** Its words without marks. */
  text: string;
  anchor: string;
  line: number;
}

export const markdown: Markdown = new MarkdownIt({ html: true });

/** Chapters of the book in their order: that of docs/README.md and of the contents it names, then all that these leave out. */
export function chaptersOf(root: string): string[] {
  const listedBy = (index: string): string[] =>
    linksOf(readFileSync(join(root, index), 'utf8')).flatMap(({ target }) => {
      if (!/^[\w/-]+\.md$/.test(target)) return [];
      const chapter = join(dirname(index), target).replaceAll('\\', '/');
      return chapter.endsWith('/README.md') ? [chapter, ...listedBy(chapter)] : [chapter];
    });
  const listed = listedBy('docs/README.md');
  const there = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .sort();
  return [...new Set(['docs/README.md', ...listed.filter((one) => there.includes(one)), ...there])];
}

/** The first chapter of each part of the book, with the name of the part: the headings of docs/README.md. */
export function partsOf(root: string): Map<string, string> {
  const text = readFileSync(join(root, 'docs/README.md'), 'utf8');
  const links = linksOf(text).filter(({ target }) => target.endsWith('.md'));
  const parts = headingsOf(text).filter(({ level }) => level === 2);
  return new Map(
    parts.flatMap(({ text: name, line }) => {
      const first = links.find((link) => link.line > line);
      return first ? [[`docs/${first.target}`, name] as const] : [];
    }),
  );
}

/** Every heading of a document. */
export function headingsOf(text: string): Heading[] {
  const slugger = new GithubSlugger();
  const tokens = markdown.parse(text, {});
  return tokens.flatMap((token, i) => {
    if (token.type !== 'heading_open') return [];
    const words = (tokens[i + 1]?.children ?? []).filter(({ type }) => type === 'text' || type === 'code_inline');
    const said = words.map(({ content }) => content).join('');
    return [
      { level: Number(token.tag.slice(1)), text: said, anchor: slugger.slug(said), line: (token.map?.[0] ?? 0) + 1 },
    ];
  });
}

/** Every link and picture of a document with the line of its paragraph, those of HTML included. */
export function linksOf(text: string): { target: string; line: number }[] {
  return markdown.parse(text, {}).flatMap((token) => {
    const line = (token.map?.[0] ?? 0) + 1;
    const inHtml = (html: string) =>
      [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = '']) => ({ target, line }));
    if (token.type === 'html_block') return inHtml(token.content);
    return (token.children ?? []).flatMap((child) => {
      if (child.type === 'html_inline') return inHtml(child.content);
      const target = child.attrGet('href') ?? child.attrGet('src');
      return target === null ? [] : [{ target: decodeURI(String(target)), line }];
    });
  });
}
