import { chmodSync, chownSync, mkdirSync, mkdtempSync, statSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { picture } from '@commerce/test-support/fixtures/media-images';
import { afterAll, describe, expect, it } from 'vitest';
import { openMediaBucket } from './bucket.ts';
import { openMediaFolder } from './folder.ts';
import { withStagedFile, withStagedImages } from './staging.ts';

const hasModes = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;

describe('the directory where uploads are collected', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-staging-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const bucket = (staging: string) =>
    openMediaBucket({
      endpoint: 'http://127.0.0.1:1',
      bucket: 'shop',
      region: 'eu',
      accessKeyId: 'k',
      secretAccessKey: 's',
      staging,
    });
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  const upload = async () => ({
    fileName: 'a.png',
    mimeType: 'image/png',
    content: (async function* (bytes: Buffer) {
      yield bytes;
    })(await picture('png')),
  });

  it.runIf(hasModes)('is accessible to this user alone, and so are stored files', async () => {
    const root = join(folder, 'media');
    const files = openMediaFolder({ directory: root });
    await withStagedImages(files, [await upload()], async ([image]) => {
      expect([modeOf(files.staging), modeOf(image?.path ?? '')]).toEqual(['700', '600']);
      await files.put('store/a.png', image?.path ?? '');
    });
    expect([root, join(root, 'store'), join(root, 'store/a.png')].map(modeOf)).toEqual(['700', '700', '600']);
  });

  it.runIf(hasModes)('is restricted when it was open to others', async () => {
    const staging = join(folder, 'open');
    mkdirSync(staging);
    chmodSync(staging, 0o777);
    await withStagedFile(bucket(staging), async () => {});
    expect(modeOf(staging)).toBe('700');
  });

  it.runIf(hasModes && isRoot)("is not another user's directory", async () => {
    const staging = join(folder, 'theirs');
    mkdirSync(staging);
    chownSync(staging, 12_345, 12_345);
    const refused = { kind: 'unavailable', message: expect.stringContaining('belongs to another user') };
    await expect(withStagedFile(bucket(staging), async () => {})).rejects.toMatchObject(refused);
    await expect(withStagedImages(bucket(staging), [await upload()], async () => {})).rejects.toMatchObject(refused);
  });

  it.runIf(hasModes)('is not what a link points to', async () => {
    const [target, staging] = [join(folder, 'target'), join(folder, 'link')];
    mkdirSync(target);
    symlinkSync(target, staging);
    await expect(withStagedFile(bucket(staging), async () => {})).rejects.toMatchObject({ kind: 'unavailable' });
  });
});
