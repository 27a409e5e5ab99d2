import { createHash, randomUUID } from 'node:crypto';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type MediaFiles, openMediaBucket, openMediaFolder } from '@commerce/core';
import {
  folderPlace,
  forEachMediaPlace,
  type S3Server,
  s3Bucket,
  s3Keys,
  startS3,
} from '@commerce/test-support/fixtures/media-places';
import { inParallel } from '@commerce/test-support/harness/processes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

async function stage(files: MediaFiles, content: Buffer | string): Promise<string> {
  await mkdir(files.staging, { recursive: true });
  const path = join(files.staging, randomUUID());
  await writeFile(path, content);
  return path;
}

const bytes = async (stream: Readable) => (await buffer(stream)).toString();

forEachMediaPlace('a place for files', (place, kind) => {
  const store = randomUUID();
  const newName = (extension = 'png') => `${store}/${randomUUID()}.${extension}`;
  const put = async (name: string, content: Buffer | string) => {
    const path = await stage(place.files(), content);
    await place.files().put(name, path);
    return path;
  };

  it('stores a staged file, which then disappears from the staging directory', async () => {
    const name = newName();
    const before = Date.now();
    const path = await put(name, 'a picture');
    await expect(access(path)).rejects.toThrow(/ENOENT/);
    const kept = await place.files().open(name);
    expect(kept).toMatchObject({ size: 9, modifiedAt: expect.any(Number) });
    // S3 reports the time in whole seconds.
    expect(Math.abs((kept?.modifiedAt ?? 0) - before)).toBeLessThan(60_000);
    expect(await bytes((await kept?.read()) as Readable)).toBe('a picture');
  });

  it('reads a part of a file', async () => {
    const name = newName();
    await put(name, '0123456789');
    const kept = await place.files().open(name);
    const read = async (start: number, end: number) => bytes((await kept?.read({ start, end })) as Readable);
    expect(await Promise.all([read(0, 1), read(3, 6), read(9, 9), read(0, 9)])).toEqual([
      '01',
      '3456',
      '9',
      '0123456789',
    ]);
    // The S3 server of the tests ignores a range that ends with byte 0.
    if (kind === 'folder') expect(await read(0, 0)).toBe('0');
  });

  it('does not find a missing file, and removes it without an error', async () => {
    const name = newName();
    expect(await place.files().open(name)).toBeUndefined();
    await place.files().remove([name, newName()]);
    const never = randomUUID();
    expect(await place.kept(never)).toEqual([]);
  });

  it('removes only the named files', async () => {
    const [one, two, three] = [newName(), newName('gif'), newName('webp')];
    for (const name of [one, two, three]) await put(name, name);
    await place.files().remove([one, three]);
    expect(await place.files().open(one)).toBeUndefined();
    expect(await place.files().open(two)).toMatchObject({ size: two.length });
    expect(await place.files().open(three)).toBeUndefined();
  });

  it('reports a file that was removed before it was read', async () => {
    const name = newName();
    await put(name, 'short-lived');
    const kept = await place.files().open(name);
    await place.files().remove([name]);
    await expect(kept?.read()).rejects.toMatchObject({ kind: 'notFound' });
    await expect(kept?.read({ start: 0, end: 1 })).rejects.toMatchObject({ kind: 'notFound' });
  });

  it('lists the files of one store, each with its facts', async () => {
    const mine = randomUUID();
    const names = [`${mine}/${randomUUID()}.jpg`, `${mine}/${randomUUID()}-320.webp`];
    for (const name of names) await put(name, 'x'.repeat(7));
    await put(`${randomUUID()}/${randomUUID()}.jpg`, 'of another store');
    expect(await place.kept(mine)).toEqual([...names].sort());
    for await (const file of place.files().list(mine)) {
      expect(file).toEqual({ name: file.name, size: 7, modifiedAt: expect.any(Number) });
      expect(file.modifiedAt).toBeGreaterThan(Date.now() - 60_000);
    }
  });

  it('lists more files than fit into one answer', async () => {
    const many = randomUUID();
    const names = Array.from({ length: 1003 }, () => `${many}/${randomUUID()}.gif`);
    await inParallel(names, 8, (name) => put(name, 'x'));
    expect(await place.kept(many)).toEqual(names.sort());
  });

  it('replaces atomically: a name has either the old or the new content', async () => {
    const name = newName();
    await Promise.all(['a', 'b', 'c', 'd'].map((letter) => put(name, letter.repeat(100_000))));
    const kept = await place.files().open(name);
    expect(await bytes((await kept?.read()) as Readable)).toMatch(/^(a+|b+|c+|d+)$/);
    expect(kept?.size).toBe(100_000);
  });
});

describe('a folder', () => {
  const place = folderPlace();

  it('is not created before it is needed', async () => {
    const directory = join(place.directory, 'later');
    const files = openMediaFolder({ directory });
    expect(await files.open(`${randomUUID()}/${randomUUID()}.png`)).toBeUndefined();
    await expect(access(directory)).rejects.toThrow(/ENOENT/);
  });

  it.each([
    '../secret.png',
    'a/../../b.png',
    '/etc/passwd',
    'a/b/c.png',
    'a\\b/c.png',
    '.staging/x.png',
    'a/.png',
    'a/b',
  ])('has no file by the name %j, whoever asks', async (name) => {
    await expect(place.files().open(name)).rejects.toThrow(/a media file must be named/);
    await expect(place.files().remove([name])).rejects.toThrow(/a media file must be named/);
    const path = await stage(place.files(), 'x');
    await expect(place.files().put(name, path)).rejects.toThrow(/a media file must be named/);
    expect(await readFile(path, 'utf8')).toBe('x');
  });
});

describe('a bucket', () => {
  let server: S3Server;
  const place = folderPlace();
  beforeAll(async () => {
    server = await startS3();
  });
  afterAll(() => server.stop());
  const bucket = (options: object = {}) =>
    openMediaBucket({
      endpoint: server.endpoint,
      bucket: s3Bucket,
      region: 'us-east-1',
      staging: join(place.directory, 'staging'),
      ...s3Keys,
      ...options,
    });
  const name = `${randomUUID()}/${randomUUID()}.png`;
  const everything = (files: MediaFiles) => ({
    put: async () => files.put(name, await stage(files, 'x')),
    open: () => files.open(name),
    remove: () => files.remove([name]),
    list: async () => {
      for await (const _ of files.list(randomUUID()));
    },
  });

  it.each([
    ['the wrong secret', { secretAccessKey: 'wrong' }, /failed with 403/],
    ['an unknown key', { accessKeyId: 'nobody' }, /failed with 403/],
  ])('with %s is a fault of the settings, told as such', async (_, options, message) => {
    for (const work of Object.values(everything(bucket(options)))) {
      const error = await work().catch((thrown: Error) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(message);
      expect((error as Error).name).not.toBe('CommerceError');
      expect((error as Error).message).not.toContain('wrong');
    }
  });

  it('receives each file with its type, for a CDN that reads from it, and with the hash of its bytes', async () => {
    await everything(bucket()).put();
    expect(server.seen.at(-1)).toMatchObject({
      'content-type': 'image/png',
      'content-length': '1',
      'cache-control': 'public, max-age=31536000',
      'x-amz-content-sha256': createHash('sha256').update('x').digest('hex'),
    });
  });

  it('that does not exist is reported as such', async () => {
    await expect(everything(bucket({ bucket: 'nowhere' })).put()).rejects.toThrow(/404 NoSuchBucket/);
    await expect(everything(bucket({ bucket: 'nowhere' })).list()).rejects.toThrow(/404 NoSuchBucket/);
  });

  it('that does not answer is unavailable', async () => {
    for (const work of Object.values(everything(bucket({ endpoint: 'http://127.0.0.1:9' })))) {
      await expect(work()).rejects.toMatchObject({
        kind: 'unavailable',
        cause: expect.objectContaining({ message: expect.stringMatching(/ECONNREFUSED/) }),
      });
    }
  });

  it('refuses a prefix and a bucket name that would need an escape', () => {
    expect(() => bucket({ prefix: 'a b/' })).toThrow(/prefix must be letters/);
    expect(() => bucket({ bucket: 'a/b' })).toThrow(/bucket must be letters/);
  });
});
