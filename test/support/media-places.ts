import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MediaFiles, openMediaBucket, openMediaFolder } from '@commerce/core';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe } from 'vitest';

/** The keys that the S3 server of the tests knows. */
export const s3Keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' };
export const s3Bucket = 'media-of-tests';

export interface S3Server {
  endpoint: string;
  /** The headers of the requests that were let in. */
  seen: IncomingHttpHeaders[];
  stop(): Promise<void>;
}

/** A server that speaks S3, on this machine. The package looks at no signature of today, so that is done here. */
export async function startS3(): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'commerce-s3-'));
  const s3 = new S3rver({ silent: true, directory, configureBuckets: [{ name: s3Bucket, configs: [] }] });
  await s3.configureBuckets();
  const answer = s3.callback();
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    if (request.headers.authorization === authorization(request)) {
      seen.push(request.headers);
      answer(request, response);
    } else {
      request.resume();
      response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    seen,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** The header that signs this request: Signature Version 4 after the description, sharing no line with who signs. */
function authorization({ method = '', url = '', headers }: IncomingMessage): string {
  const [path = '', query = ''] = url.split('?');
  const parameters = [...new URLSearchParams(query)]
    .map((pair) => pair.map((part) => encodeURIComponent(part)).join('='))
    .sort();
  const date = String(headers['x-amz-date']);
  const scope = `${date.slice(0, 8)}/us-east-1/s3/aws4_request`;
  const names = ['host', ...Object.keys(headers).filter((name) => name.startsWith('x-amz-'))];
  const signed = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? names;
  // What must be signed is; what is signed beside it counts as well.
  if (names.some((name) => !signed.includes(name))) return 'not all is signed';
  const canonical = [
    method,
    path,
    parameters.join('&'),
    ...signed.map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    signed.join(';'),
    headers['x-amz-content-sha256'],
  ].join('\n');
  const key = scope.split('/').reduce<string | Buffer>(hmac, `AWS4${s3Keys.secretAccessKey}`);
  const signature = hmac(key, ['AWS4-HMAC-SHA256', date, scope, sha256(canonical)].join('\n')).toString('hex');
  const credential = `${s3Keys.accessKeyId}/${scope}`;
  return `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${signed.join(';')}, Signature=${signature}`;
}

/** Somewhere to keep files, for one suite. */
export interface TestPlace {
  files(): MediaFiles;
  /** The names of every file that is kept for a store. */
  kept(storeId: string): Promise<string[]>;
  /** What lies in the staging directory. */
  staged(): Promise<string[]>;
}

export function placeOf(files: () => MediaFiles): TestPlace {
  return {
    files,
    async kept(storeId) {
      const names: string[] = [];
      for await (const { name } of files().list(storeId)) names.push(name);
      return names.sort();
    },
    staged: () => readdir(files().staging).catch(() => []),
  };
}

/** A folder of its own, removed after the suite. */
export function folderPlace(): TestPlace & { directory: string } {
  const parent = mkdtempSync(join(tmpdir(), 'commerce-media-'));
  afterAll(() => rm(parent, { recursive: true, force: true }));
  const directory = join(parent, 'media');
  const files = openMediaFolder({ directory });
  return { ...placeOf(() => files), directory };
}

/** Runs a suite on a folder and on a bucket. */
export function forEachMediaPlace(name: string, suite: (place: TestPlace, kind: 'folder' | 'bucket') => void): void {
  describe(`${name} (folder)`, () => suite(folderPlace(), 'folder'));
  describe(`${name} (S3)`, () => {
    let server: S3Server | undefined;
    let files: MediaFiles | undefined;
    const staging = mkdtempSync(join(tmpdir(), 'commerce-staging-'));
    beforeAll(async () => {
      server = await startS3();
      const { endpoint } = server;
      files = openMediaBucket({ endpoint, bucket: s3Bucket, region: 'us-east-1', prefix: 'shop/', staging, ...s3Keys });
    });
    afterAll(async () => {
      await server?.stop();
      await rm(staging, { recursive: true, force: true });
    });
    const place = placeOf(() => {
      if (!files) throw new Error('the bucket is opened before the first test, not before');
      return files;
    });
    suite(place, 'bucket');
  });
}
