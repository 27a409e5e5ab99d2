import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The files of the page at `/docs`, with their names in a build. */
export const referenceFiles = {
  page: 'reference.html',
  script: 'reference.js',
  redoc: 'redoc.js',
  licences: 'redoc.licences.txt',
} as const;

export type ReferenceFile = keyof typeof referenceFiles;

const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const noLogo = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/%3E";

/**
 * The files when running from source. Redoc comes from its package, a development dependency, without the parts that it loads from
 * elsewhere; the licences cover its content.
 */
export async function referenceOfSources(): Promise<Record<ReferenceFile, string>> {
  const ofSources = (name: string) => readFile(new URL(`./reference/${name}`, import.meta.url), 'utf8');
  const bundle = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  // Only its licence requires its full text; the others are in Redoc's licence file.
  const purify = createRequire(bundle).resolve('dompurify');
  const [page, script, text, own, parts, apache] = await Promise.all([
    ofSources('page.html'),
    ofSources('page.js'),
    readFile(bundle, 'utf8'),
    readFile(join(dirname(bundle), '..', 'LICENSE'), 'utf8'),
    readFile(`${bundle}.LICENSE.txt`, 'utf8'),
    readFile(join(dirname(purify), '..', 'LICENSE'), 'utf8'),
  ]);
  if (!text.includes(logo)) throw new Error(`Redoc no longer loads its logo from ${logo}`);
  return {
    page,
    script,
    redoc: text
      .replace(logo, noLogo)
      .replace('redoc.standalone.js.LICENSE.txt', 'licences.txt')
      .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'),
    licences: [`Redoc\n\n${own}`, `What Redoc contains\n\n${parts}`, `DOMPurify\n\n${apache}`].join(
      `\n\n${'-'.repeat(80)}\n\n`,
    ),
  };
}

/** Puts the files into a build, so that an installation does not need Redoc. */
export async function writeReference(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const texts = Object.entries(await referenceOfSources()) as [ReferenceFile, string][];
  await Promise.all(texts.map(([file, text]) => writeFile(join(folder, referenceFiles[file]), text)));
}
