import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { CommerceError, type Engine, isSource, ownFile, versionOf } from '@commerce/core';
import { isFresh, tagOf } from './etag.ts';
import type { Answer, Area, Call, SharedBody } from './http.ts';
import { onlyAllows } from './methods.ts';

/** Data about a build of the dashboard, in the `manifest.json` of its folder. */
interface Manifest {
  /** Files below `assets/`, whose names contain a hash of their content, with their types. */
  files: Record<string, { type: string }>;
}

interface Built {
  folder: URL;
  index: string;
  manifest: Manifest;
}

/** Placeholder in the page for the relative path from the requested address to the dashboard's folder. */
const rootMark = '%root%';

/** Headers of everything below `/dashboard`. */
const shared = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/**
 * Pages for the people who run a shop: static files that use only the public interface. Every path below `/dashboard` that is not a file is
 * a screen, and gets the same page.
 */
export class Dashboard implements Area {
  readonly #engine: Engine;
  #built: Promise<Built> | undefined;
  readonly #files = new Map<string, Promise<SharedBody>>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  owns(path: string): boolean {
    return path === '/dashboard' || path.startsWith('/dashboard/');
  }

  /** @throws CommerceError `notFound` for a file outside the build, and for everything if no build exists */
  async answer({ request, path, facts }: Call): Promise<Answer> {
    facts.route = '/dashboard';
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyAllows(request, facts, 'GET, HEAD');
    this.#built ??= readBuild().catch((error) => {
      this.#built = undefined;
      throw error;
    });
    const built = await this.#built;
    const name = path.slice('/dashboard/'.length);
    if (!name.startsWith('assets/')) return this.#page(built, path, request.headers);
    const file = Object.hasOwn(built.manifest.files, name) ? built.manifest.files[name] : undefined;
    if (!file) throw noFile(name);
    const headers = {
      ...shared,
      'Content-Type': file.type,
      // A file never changes under its name.
      'Cache-Control': 'public, max-age=31536000, immutable',
    };
    return { status: 200, headers, shared: await this.#file(built, name) };
  }

  /** The page, with addresses relative to the requested one, so that it works below the prefix of a proxy. */
  #page({ index }: Built, path: string, asked: Call['request']['headers']): Answer {
    const depth = path.split('/').length - 2;
    const body = index.replaceAll(rootMark, depth === 0 ? 'dashboard/' : depth === 1 ? './' : '../'.repeat(depth - 1));
    const etag = tagOf(versionOf(body));
    const headers = {
      ...shared,
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy(this.#engine.media.url()),
      ETag: etag,
    };
    return isFresh(asked, etag) ? { status: 304, headers } : { status: 200, headers, body };
  }

  /** A file in all of its forms: read once, then answered from memory. */
  #file({ folder }: Built, name: string): Promise<SharedBody> {
    let file = this.#files.get(name);
    if (!file) {
      const read = async (end: string) => [await readFile(new URL(name + end, folder))];
      file = Promise.all([read(''), read('.gz'), read('.br')]).then(
        ([plain, gzip, br]) => ({ plain, gzip, br }),
        (error) => {
          // Another build has replaced the one that was read.
          this.#built = undefined;
          this.#files.clear();
          throw isMissing(error) ? noFile(name) : error;
        },
      );
      this.#files.set(name, file);
    }
    return file;
  }
}

/**
 * Content security policy of the page: only its own content and images of the store's media, and no script made from text.
 * @param media base address of image files, which can be on another host
 */
function policy(media: string): string {
  const origin = URL.canParse(media) ? ` ${new URL(media).origin}` : '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' blob:${origin}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // DOMPurify, which makes descriptions safe to show.
    'trusted-types dompurify',
  ].join('; ');
}

/** The address of a file of the build, which is next to the server's, or in its own package when running from source. */
function placeOf(name: string): URL {
  const beside = import.meta.url;
  if (isSource(beside)) return new URL(`../../dashboard/dist/${name}`, beside);
  return pathToFileURL(ownFile({ name: `dashboard/${name}`, beside, of: '@commerce/server' }));
}

async function readBuild(): Promise<Built> {
  try {
    const index = placeOf('index.html');
    const folder = new URL('.', index);
    const texts = [index, new URL('manifest.json', folder)].map((file) => readFile(file, 'utf8'));
    const [page, manifest] = (await Promise.all(texts)) as [string, string];
    return { folder, manifest: JSON.parse(manifest) as Manifest, index: page };
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new CommerceError('notFound', 'the dashboard is not built: run `npm run build`');
  }
}

function noFile(name: string): CommerceError {
  return new CommerceError('notFound', `the dashboard file ${name} does not exist; reload the page`);
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
