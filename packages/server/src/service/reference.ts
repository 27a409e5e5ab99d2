import { readFile } from 'node:fs/promises';
import { isSource, ownFile } from '@commerce/core';
import type { Answer, AppRequest } from '../http.ts';
import { type ReferenceFile, referenceFiles, referenceOfSources } from './reference-files.ts';
import { SharedText } from './shared-text.ts';

/**
 * Content security policy of the page. Redoc adds styles and creates a worker for searching, and the panel calls this service; the browser
 * refuses everything else.
 */
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

/** The page and its files by path. Every address in them is relative, so that they work below the prefix of a proxy. */
const assets: Record<string, { type: string; headers?: Record<string, string>; file: ReferenceFile }> = {
  '/docs': { type: 'text/html', headers: { 'Content-Security-Policy': policy }, file: 'page' },
  '/docs/redoc.js': { type: 'text/javascript', file: 'redoc' },
  '/docs/page.js': { type: 'text/javascript', file: 'script' },
  '/docs/licences.txt': { type: 'text/plain', file: 'licences' },
};

const made = new Map<string, Promise<SharedText>>();

/** Answers the page or one of its files. Each is read and compressed once, then answered from memory. */
export async function answerReference(request: AppRequest, path: string): Promise<Answer> {
  const asset = assets[path];
  if (!asset) throw new Error(`the reference does not have a page ${path}`);
  let text = made.get(path);
  if (!text) {
    text = read(asset.file).then((content) => SharedText.of(content));
    // A file that could not be read is tried again with the next request.
    text.catch(() => made.delete(path));
    made.set(path, text);
  }
  return (await text).answer(request, { 'Content-Type': `${asset.type}; charset=utf-8`, ...asset.headers });
}

/** Reads a file of the build; when running from source, from the sources and Redoc's package. */
async function read(file: ReferenceFile): Promise<string> {
  if (isSource(import.meta.url)) return (await referenceOfSources())[file];
  return readFile(ownFile({ name: referenceFiles[file], beside: import.meta.url, of: '@commerce/server' }), 'utf8');
}
