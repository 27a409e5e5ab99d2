import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The browser's part of the reference page: a script, and the licences of what is in it. */
export interface RedocBundle {
  script: string;
  licences: string;
}

/** The names that a build gives the two files. */
export const redocFiles = { script: 'redoc.js', licences: 'redoc.licences.txt' } as const;

const logo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
const noLogo = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/%3E";

/** Takes the script from the package of Redoc, which is there for development alone, without what it loads from elsewhere. */
export async function redocOfPackage(): Promise<RedocBundle> {
  const script = createRequire(import.meta.url).resolve('redoc/bundles/redoc.standalone.js');
  // Its licence is the one that asks for its whole text; the others are in the list of what Redoc contains.
  const purify = createRequire(script).resolve('dompurify');
  const [text, own, parts, apache] = await Promise.all([
    readFile(script, 'utf8'),
    readFile(join(dirname(script), '..', 'LICENSE'), 'utf8'),
    readFile(`${script}.LICENSE.txt`, 'utf8'),
    readFile(join(dirname(purify), '..', 'LICENSE'), 'utf8'),
  ]);
  if (!text.includes(logo)) throw new Error(`Redoc loads its logo from elsewhere than ${logo} by now`);
  return {
    script: text
      .replace(logo, noLogo)
      .replace('redoc.standalone.js.LICENSE.txt', 'licences.txt')
      .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n'),
    licences: [`Redoc\n\n${own}`, `What Redoc contains\n\n${parts}`, `DOMPurify\n\n${apache}`].join(
      `\n\n${'-'.repeat(80)}\n\n`,
    ),
  };
}

/** Puts the two files into a build, so that whoever installs it needs no Redoc. */
export async function writeRedoc(folder: string): Promise<void> {
  const { script, licences } = await redocOfPackage();
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, redocFiles.script), script);
  await writeFile(join(folder, redocFiles.licences), licences);
}
