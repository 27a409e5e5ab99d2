import { readFile } from 'node:fs/promises';
import type { Answer, AppRequest } from '../http.ts';
import { type RedocBundle, redocFiles, redocOfPackage } from './redoc-bundle.ts';
import { SharedText } from './shared-text.ts';

/**
 * Page to browse the document with: Redoc, served from here and loading nothing from elsewhere. Every address in it is relative,
 * so that it works below the prefix of a proxy, too.
 */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Commerce: HTTP interface</title>
<link rel="icon" href="data:,">
<link rel="alternate" type="application/json" href="openapi.json">
<style>
body { margin: 0; font-family: system-ui, sans-serif; color: #22272e; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; padding: .75rem 1rem; background: #22272e; color: #fff; }
header strong { font-size: 1.1rem; }
header a { color: #9ecbff; }
#reference { min-height: 80vh; }
#reference > p { padding: 1rem; }
</style>
</head>
<body>
<header><strong>Commerce</strong> <a href="openapi.json">openapi.json</a> <a href="docs/licences.txt">licences</a></header>
<main id="reference"><p>The reference is made by a script from <a href="openapi.json">openapi.json</a>.</p></main>
<script src="docs/redoc.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

const script = `'use strict';
const place = document.getElementById('reference');
const sans = 'system-ui, sans-serif';
const mono = 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace';
const options = {
  hideDownloadButtons: true,
  expandResponses: '200,201,202',
  nativeScrollbars: true,
  theme: {
    spacing: { sectionVertical: 20 },
    colors: { primary: { main: '#0b57a4' } },
    typography: { fontFamily: sans, headings: { fontFamily: sans }, code: { fontFamily: mono } },
  },
};
Redoc.init('openapi.json', options, place, (error) => {
  if (error) place.textContent = 'The document could not be shown: ' + error.message;
});
`;

/** Redoc adds styles and creates a worker to search in; the browser refuses everything else. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  'worker-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page and its files by their path. */
const assets: Record<string, { type: string; headers?: Record<string, string>; read(): Promise<string> }> = {
  '/docs': { type: 'text/html', headers: { 'Content-Security-Policy': policy }, read: async () => page },
  '/docs/redoc.js': { type: 'text/javascript', read: async () => (await redoc()).script },
  '/docs/page.js': { type: 'text/javascript', read: async () => script },
  '/docs/licences.txt': { type: 'text/plain', read: async () => (await redoc()).licences },
};

const made = new Map<string, Promise<SharedText>>();

/** Answers the page or one of its files. Each is read and compressed once, and then answered from memory. */
export async function answerReference(request: AppRequest, path: string): Promise<Answer> {
  const asset = assets[path];
  if (!asset) throw new Error(`the reference has no page ${path}`);
  let text = made.get(path);
  if (!text) {
    text = asset.read().then((read) => SharedText.of(read));
    // A file that could not be read is tried again with the next request.
    text.catch(() => made.delete(path));
    made.set(path, text);
  }
  return (await text).answer(request, { 'Content-Type': `${asset.type}; charset=utf-8`, ...asset.headers });
}

/** Redoc from beside the build; where the sources run, from its package. */
async function redoc(): Promise<RedocBundle> {
  const beside = (name: string) => readFile(new URL(`./${name}`, import.meta.url), 'utf8');
  try {
    return { script: await beside(redocFiles.script), licences: await beside(redocFiles.licences) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return redocOfPackage();
  }
}
