import { readFile } from 'node:fs/promises';
import { versionOf } from '@commerce/core';
import { isKnown } from './etag.ts';
import type { Answer, AppRequest } from './http.ts';
import { type RedocBundle, redocFiles, redocOfPackage } from './redoc-bundle.ts';

/**
 * A page to browse the document with: Redoc, from the service's own address and from nowhere else. Every address in it is
 * relative, so that it works below the prefix of a proxy too.
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

/** Redoc adds styles and searches in a worker of its own making; anything else from elsewhere is refused by the browser. */
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

/** The files of the page by the last part of their path. */
const assets: Record<string, { type: string; read(): Promise<string> }> = {
  'redoc.js': { type: 'text/javascript', read: async () => (await redoc()).script },
  'page.js': { type: 'text/javascript', read: async () => script },
  'licences.txt': { type: 'text/plain', read: async () => (await redoc()).licences },
};

/** The page itself. */
export function answerPage(): Answer {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, headers, body: page };
}

const tags = new Map<string, string>();

/** A file of the page. It is read when it is asked for: a megabyte that is wanted once a month is not worth keeping. */
export async function answerAsset(request: AppRequest, path: string): Promise<Answer> {
  const name = path.slice('/docs/'.length);
  const asset = assets[name];
  if (!asset) throw new Error(`the reference page has no file ${name}`);
  const known = tags.get(name);
  const again = known === undefined ? undefined : { ETag: known, 'Cache-Control': 'no-cache' };
  if (again && isKnown(request.headers['if-none-match'], again.ETag)) return { status: 304, headers: again };
  const body = await asset.read();
  const etag = known ?? `"${versionOf(body)}"`;
  tags.set(name, etag);
  const headers = {
    'Content-Type': `${asset.type}; charset=utf-8`,
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  return isKnown(request.headers['if-none-match'], etag) ? { status: 304, headers } : { status: 200, headers, body };
}

/** From beside the build; where the sources run, from the package. */
async function redoc(): Promise<RedocBundle> {
  const beside = (name: string) => readFile(new URL(`./${name}`, import.meta.url), 'utf8');
  try {
    return { script: await beside(redocFiles.script), licences: await beside(redocFiles.licences) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return redocOfPackage();
  }
}
