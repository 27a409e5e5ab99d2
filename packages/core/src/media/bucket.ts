import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileFacts, ListedFile, MediaFiles } from '../engine/media-files.ts';
import { CommerceError, quote } from '../kernel/errors.ts';
import { withoutTrailing } from '../kernel/trailing.ts';
import { type OutboundStream, type OutboundTransfer, openOutbound } from '../network/outbound.ts';
import { typeOfExtension } from './formats.ts';

export interface MediaBucketOptions {
  /** The service's address, such as `https://s3.eu-central-1.amazonaws.com`; the bucket follows in the path. */
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Prefix of every key, such as `shop/`; empty by default. */
  prefix?: string;
  /** Directory on this machine in which uploads are collected; inside the system's temporary directory by default. */
  staging?: string;
}

const attempts = 3;
const removedAtOnce = 25;

/** Media files in a bucket of any service that speaks S3. */
export function openMediaBucket(options: MediaBucketOptions): MediaFiles {
  const { bucket, prefix = '', staging = join(tmpdir(), `commerce-media-${process.getuid?.() ?? 'files'}`) } = options;
  // Only characters that are never escaped, so a key is the same in an address, a signature and a list.
  if (!/^[\w./-]*$/.test(prefix)) {
    throw new CommerceError('validation', `the prefix must be letters, digits and . _ - /, not ${quote(prefix)}`);
  }
  if (!/^[\w.-]+$/.test(bucket)) {
    throw new CommerceError('validation', `the bucket must be letters, digits and . _ -, not ${quote(bucket)}`);
  }
  const base = `${withoutTrailing(options.endpoint, '/')}/${bucket}`;
  const addressOf = (name: string) => `${base}/${prefix}${name}`;
  const send = (request: BucketRequest) => sendToBucket(options, request);

  const removeOne = async (name: string) => {
    const answer = await send({ method: 'DELETE', url: addressOf(name) });
    if (answer.status !== 204 && answer.status !== 200 && answer.status !== 404) {
      throw await refusal(answer, `DELETE of ${name}`);
    }
    discard(answer);
  };

  return {
    staging,
    async put(name, stagedFile) {
      const { size } = await stat(stagedFile);
      const answer = await send({
        method: 'PUT',
        url: addressOf(name),
        headers: {
          'content-length': String(size),
          'content-type': typeOfExtension(name.split('.').at(-1) ?? '') ?? 'application/octet-stream',
          'cache-control': 'public, max-age=31536000',
          // Signs the bytes, so they arrive unchanged or not at all, even over plain HTTP.
          'x-amz-content-sha256': await hashOf(stagedFile),
        },
        body: () => createReadStream(stagedFile),
      });
      if (answer.status !== 200) throw await refusal(answer, `PUT of ${name}`);
      discard(answer);
      await rm(stagedFile, { force: true });
    },
    async open(name) {
      const answer = await send({ method: 'HEAD', url: addressOf(name) });
      discard(answer);
      if (answer.status === 404) return undefined;
      if (answer.status !== 200) throw await refusal(answer, `HEAD of ${name}`);
      return {
        ...factsOf(answer),
        async read(range) {
          const headers = range ? { range: `bytes=${range.start}-${range.end}` } : {};
          const download = await send({ method: 'GET', url: addressOf(name), headers });
          if (download.status === 404) {
            discard(download);
            throw new CommerceError('notFound', `the file ${name} was removed`);
          }
          if (download.status !== (range ? 206 : 200)) throw await refusal(download, `GET of ${name}`);
          return download.body;
        },
      };
    },
    async remove(names) {
      for (let at = 0; at < names.length; at += removedAtOnce) {
        await Promise.all(names.slice(at, at + removedAtOnce).map(removeOne));
      }
    },
    async *list(storeId): AsyncGenerator<ListedFile> {
      // Version 1 of the list, which continues after a key: every service supports it, and it needs no token.
      let last: string | undefined = '';
      while (last !== undefined) {
        const url = new URL(base);
        url.searchParams.set('prefix', `${prefix}${storeId}/`);
        if (last !== '') url.searchParams.set('marker', last);
        const answer = await send({ method: 'GET', url: url.href });
        if (answer.status !== 200) throw await refusal(answer, 'the list of files');
        const page = await textOf(answer.body);
        last = undefined;
        for (const rest of page.split('<Contents>').slice(1)) {
          const entry = rest.split('</Contents>', 1)[0] ?? '';
          const key = element(entry, 'Key') ?? '';
          const modifiedAt = Date.parse(element(entry, 'LastModified') ?? '');
          yield { name: key.slice(prefix.length), size: Number(element(entry, 'Size')), modifiedAt };
          last = key;
        }
        if (element(page, 'IsTruncated') !== 'true') return;
      }
    },
  };
}

interface BucketRequest {
  method: OutboundTransfer['method'];
  url: string;
  headers?: Record<string, string>;
  /** Opened again for each attempt. */
  body?: () => Readable;
}

/** Signs and sends a request. Retries temporary faults, which is safe because every request can be repeated. */
async function sendToBucket(options: MediaBucketOptions, request: BucketRequest): Promise<OutboundStream> {
  const { AwsV4Signer } = await import('aws4fetch');
  const { accessKeyId, secretAccessKey, region } = options;
  for (let attempt = 1; ; attempt++) {
    const { method, url, headers = {} } = request;
    const signer = new AwsV4Signer({ method, url, headers, accessKeyId, secretAccessKey, region, service: 's3' });
    const signed = await signer.sign();
    const body = request.body?.();
    try {
      const answer = await openOutbound({
        method,
        url: signed.url.href,
        headers: Object.fromEntries(signed.headers),
        ...(body ? { body } : {}),
      });
      if (attempt === attempts || (answer.status < 500 && answer.status !== 429)) return answer;
      discard(answer);
    } catch (error) {
      body?.destroy();
      if (attempt === attempts) throw unanswered(error);
    }
    await sleep(100 * attempt);
  }
}

function unanswered(cause: unknown): CommerceError {
  const message = 'the storage of media files does not answer; try again later';
  return new CommerceError('unavailable', message, { cause });
}

/** The error for an unexpected answer. A wrong key or a missing bucket becomes a plain Error, because no client can repair it. */
async function refusal(answer: OutboundStream, what: string): Promise<Error> {
  const text = await textOf(answer.body).catch(() => '');
  const code = element(text, 'Code') ?? '';
  const error = new Error(`${what} in the media bucket failed with ${answer.status} ${code}`.trimEnd());
  return answer.status >= 500 || answer.status === 429 ? unanswered(error) : error;
}

/** Discards an answer's body, ignoring connection errors. */
function discard({ body }: OutboundStream): void {
  body.on('error', () => {}).resume();
}

function factsOf({ headers }: OutboundStream): FileFacts {
  return {
    size: Number(headers['content-length']),
    modifiedAt: Date.parse(String(headers['last-modified'])),
  };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** The unescaped text of the first element with that name. Our keys need no escapes, but keys of other programs can have some. */
function element(xml: string, name: string): string | undefined {
  const [, text] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? [];
  return text?.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

async function textOf(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
