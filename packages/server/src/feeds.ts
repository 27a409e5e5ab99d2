import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { type Commerce, CommerceError, type FeedFormat, networkOf, openFeed, openSitemap } from '@commerce/core';
import { isFresh, tagOf, weakTag } from './etag.ts';
import type { Answer, AppRequest, Area, Call, RequestFacts } from './http.ts';
import { onlyAllows } from './methods.ts';
import { AddressLimit } from './request/address-limits.ts';
import { codingFor } from './request/encodings.ts';
import { clientAddress, originOf } from './request/origin.ts';

const feedPath = /^\/feeds\/([^/]+)\/([^/]+)\/products\.(tsv|xml)$/;
const sitemapPath = /^\/feeds\/([^/]+)\/sitemap(?:-([^/]+))?\.xml$/;
const fileNumber = /^[1-9]\d{0,5}$/;

/** Requests a minute of one network address, and those with a wrong address among them. */
const perMinute = 120;
const wrongPerMinute = 10;

/**
 * Feeds of a store that are sent at once, by one process, and sitemaps of a store to one network address: each reads every published product.
 * Anyone can read sitemaps, and so keeps nobody from reading feeds or other sitemaps.
 */
const maxAtOnce = 2;
const retryAfter = 30;

/** Milliseconds for which a client can read nothing, and for which it can read one feed: it holds one of the two places. */
const maxIdle = 60_000;
const maxTime = 60 * 60 * 1000;

const types: Record<FeedFormat, string> = {
  tsv: 'text/tab-separated-values; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
};

/** What is known of an answer before its text is made. */
interface Opened {
  tag: string;
  text(): AsyncGenerator<string>;
}

/** Answers product feeds, whose address has a token, and sitemaps, which anyone can read. */
export class Feeds implements Area {
  readonly #commerce: Commerce;
  readonly #trustProxy: boolean;
  readonly #onError: (error: unknown, requestId: string) => void;
  readonly #requests = new AddressLimit(perMinute);
  readonly #wrong = new AddressLimit(wrongPerMinute);
  /** Feeds that are being sent, by store, and sitemaps, by store and network address. */
  readonly #sending = new Map<string, number>();

  constructor(commerce: Commerce, trustProxy: boolean, onError: (error: unknown, requestId: string) => void) {
    this.#commerce = commerce;
    this.#trustProxy = trustProxy;
    this.#onError = onError;
  }

  owns(path: string): boolean {
    return feedPath.test(path) || sitemapPath.test(path);
  }

  /** @throws CommerceError like `openFeed` and `openSitemap`; `rateLimited` */
  async answer(call: Call): Promise<Answer> {
    const { request, requestId, path, facts } = call;
    const feed = feedPath.exec(path);
    facts.route = feed
      ? `/feeds/{storeId}/{token}/products.${feed[3]}`
      : `/feeds/{storeId}/${sitemapPath.exec(path)?.[2] === undefined ? 'sitemap.xml' : 'sitemap-{n}.xml'}`;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyAllows(request, facts, 'GET, HEAD');
    const { engine } = this.#commerce;
    const address = clientAddress(request, this.#trustProxy);
    const now = engine.clock.now();
    const wait = Math.max(this.#requests.take(address, now), this.#wrong.wait(address, now));
    if (wait > 0) throw limited(facts, wait, 'too many requests for feeds and sitemaps came from this network address');
    try {
      const answer = await (feed
        ? this.#feed(feed, request, facts)
        : this.#sitemap(path, request, networkOf(address), facts));
      // Too late for another answer, because the headers are sent.
      answer.stream?.on('error', (error) => {
        if (isFault(error)) this.#onError(error, requestId);
      });
      return answer;
    } catch (error) {
      if (error instanceof CommerceError && error.kind === 'notFound') this.#wrong.take(address, now);
      throw error;
    }
  }

  async #feed([, storeId = '', token = '', format]: RegExpExecArray, request: AppRequest, facts: RequestFacts) {
    const opened = await openFeed(this.#commerce.engine, storeId, token, format as FeedFormat);
    facts.storeId = storeId;
    // The address is a secret: no cache of others keeps what is at it, and no page that it leads to sees it.
    const headers = {
      'Content-Type': types[format as FeedFormat],
      'Cache-Control': 'private, no-cache',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    };
    return answerOf(opened, headers, request, () => this.#place(storeId, facts));
  }

  async #sitemap(path: string, request: AppRequest, network: string, facts: RequestFacts): Promise<Answer> {
    const [, storeId = '', file] = sitemapPath.exec(path) ?? [];
    const { engine } = this.#commerce;
    const origin = engine.publicUrl?.() ?? originOf(request, this.#trustProxy) ?? '';
    const base = `${origin}/feeds/${storeId}`;
    // No file has the number NaN.
    const number = file === undefined ? undefined : fileNumber.test(file) ? Number(file) : Number.NaN;
    const opened = await openSitemap(engine, storeId, base, number);
    facts.storeId = storeId;
    const headers = { 'Content-Type': types.xml, 'Cache-Control': 'public, max-age=600' };
    return answerOf(opened, headers, request, () => this.#place(`${storeId} ${network}`, facts));
  }

  /** Takes one of the places of a store, or of an address. @returns gives it back @throws CommerceError `rateLimited` */
  #place(of: string, facts: RequestFacts): () => void {
    const sending = this.#sending.get(of) ?? 0;
    if (sending >= maxAtOnce) {
      throw limited(facts, retryAfter, `${maxAtOnce} feeds or sitemaps of this store are being read already`);
    }
    this.#sending.set(of, sending + 1);
    return () => {
      const left = (this.#sending.get(of) ?? 1) - 1;
      if (left > 0) this.#sending.set(of, left);
      else this.#sending.delete(of);
    };
  }
}

function answerOf(opened: Opened, given: Record<string, string>, request: AppRequest, place: () => () => void): Answer {
  const encodings = request.headers['accept-encoding'];
  const isCompressed = typeof encodings === 'string' && codingFor(encodings, ['gzip']) !== undefined;
  const tag = tagOf(opened.tag);
  const headers: Record<string, string> = {
    ...given,
    'X-Content-Type-Options': 'nosniff',
    // Two readings of one version can differ in the times of changes, and in what changed while they were sent.
    ETag: weakTag(tag),
    Vary: 'Accept-Encoding',
  };
  if (isFresh(request.headers, tag)) return { status: 304, headers };
  if (isCompressed) headers['Content-Encoding'] = 'gzip';
  if (request.method === 'HEAD') return { status: 200, headers };
  const giveBack = place();
  const text = Readable.from(bytesOf(opened.text()), { objectMode: false });
  text.once('close', giveBack);
  cutOff(text);
  const stream = isCompressed ? pipeline(text, createGzip({ level: 4 }), () => {}) : text;
  return { status: 200, headers, stream };
}

/** Makes a page only after the client has taken the previous one. */
async function* bytesOf(texts: AsyncGenerator<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}

/** Says that a client left its feed unread. */
class UnreadError extends Error {}

/** True for an error that is neither a client that leaves nor one that does not read. */
function isFault(error: NodeJS.ErrnoException): boolean {
  return !(error instanceof UnreadError) && error.name !== 'AbortError' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE';
}

/** Ends a stream that is not read, or not to its end. */
function cutOff(stream: Readable): void {
  const end = () => stream.destroy(new UnreadError('the client does not read'));
  const whole = setTimeout(end, maxTime).unref();
  let idle = setTimeout(end, maxIdle).unref();
  const read = stream._read.bind(stream);
  // Called when the client has taken enough that more is wanted.
  stream._read = (size) => {
    clearTimeout(idle);
    idle = setTimeout(end, maxIdle).unref();
    read(size);
  };
  stream.once('close', () => {
    clearTimeout(idle);
    clearTimeout(whole);
  });
}

function limited(facts: RequestFacts, wait: number, reason: string): CommerceError {
  facts.headers = { ...facts.headers, 'Retry-After': String(wait) };
  return new CommerceError('rateLimited', `${reason}; try again in ${wait} s`);
}
