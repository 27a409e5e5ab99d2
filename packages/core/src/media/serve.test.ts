import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import {
  type Context,
  createMedia,
  deleteMedia,
  type Media,
  type MediaFiles,
  openMediaFile,
  type VariantInput,
} from '@commerce/core';
import { type Format, picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { forEachMediaPlace } from '@commerce/test-support/fixtures/media-places';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { openStorage } from '@commerce/test-support/harness/storages';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

forEachMediaPlace('the files that are served', (place) => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const address = join(folder, 'commerce.db');
  /** Files stored and opened, in order. */
  const done: string[] = [];
  let before: (did: string) => Promise<void> = async () => {};
  const files: MediaFiles = {
    get staging() {
      return place.files().staging;
    },
    async put(name, path) {
      await before(`put ${name}`);
      done.push(name);
      await place.files().put(name, path);
    },
    open: (name) => place.files().open(name),
    remove: (names) => place.files().remove(names),
    list: (storeId) => place.files().list(storeId),
  };
  const commerce = useCommerce({ address, open: () => openStorage(address) }, { media: { files, url: '/media' } });
  let shop: Context;
  beforeAll(async () => {
    shop = await newShop(commerce());
  });

  async function newImage(format: Format, content: Buffer): Promise<Media> {
    const [media] = await createMedia(shop, [uploadOf(format, content)]);
    if (!media) throw new Error('no media');
    return media;
  }
  const nameOf = (media: Media) => media.url.split('/').at(-1) ?? '';
  const open = (media: Media, query?: VariantInput) =>
    openMediaFile(commerce().engine, shop.store.id, nameOf(media), query);
  async function variant(media: Media, query: VariantInput) {
    const file = await open(media, query);
    const content = await buffer(await file.read());
    expect(content.length).toBe(file.size);
    return { file, content, facts: await sharp(content).metadata() };
  }

  it('are those with a row, by their exact name', async () => {
    const media = await newImage('png', await picture('png'));
    const served = await open(media);
    expect(served).toMatchObject({ mimeType: 'image/png', size: media.fileSize });
    expect(served.etag).toMatch(/^"[\w.-]+"$/);
    const other = await newShop(commerce());
    const { engine } = commerce();
    const { id } = media;
    const names = [
      `${id}.jpg`,
      `${id}.PNG`,
      `${id}.png.png`,
      `${id}`,
      `${id}.`,
      `${id.toUpperCase()}.png`,
      `${id}.png/`,
    ];
    for (const name of [...names, `./${id}.png`, `${randomUUID()}.png`, '', '..', `${id}-64.png`]) {
      await expect(openMediaFile(engine, shop.store.id, name)).rejects.toMatchObject({ kind: 'notFound' });
    }
    for (const store of [other.store.id, randomUUID(), '', '..', '%']) {
      await expect(openMediaFile(engine, store, `${id}.png`)).rejects.toMatchObject({ kind: 'notFound' });
    }
  });

  describe('variants', () => {
    it('have the requested width and format', async () => {
      const media = await newImage('jpeg', await picture('jpeg', { width: 1000, height: 500 }));
      const cases: [VariantInput, string, number, number][] = [
        [{ w: '64' }, 'jpeg', 64, 32],
        [{ w: '320', format: 'webp' }, 'webp', 320, 160],
        [{ w: '640', format: 'png' }, 'png', 640, 320],
        [{ format: 'webp' }, 'webp', 1000, 500],
        // Never enlarged.
        [{ w: '1920' }, 'jpeg', 1000, 500],
      ];
      for (const [query, format, width, height] of cases) {
        const { file, facts } = await variant(media, query);
        expect({ ...facts }).toMatchObject({ format, width, height });
        expect(file.mimeType).toBe(`image/${format}`);
      }
    });

    it('are upright and without metadata of the camera', async () => {
      const media = await newImage('jpeg', await picture('jpeg', { width: 200, height: 100, orientation: 6 }));
      const { facts } = await variant(media, { w: '64', format: 'jpeg' });
      expect(facts).toMatchObject({ width: 64, height: 128 });
      expect([facts.exif, facts.orientation]).toEqual([undefined, undefined]);
    });

    it('of an animation show its first frame', async () => {
      for (const format of ['gif', 'webp'] as const) {
        const media = await newImage(format, await picture(format, { width: 100, height: 50, frames: 4 }));
        const { file, facts } = await variant(media, { w: '64' });
        expect(file.mimeType).toBe(format === 'gif' ? 'image/png' : 'image/webp');
        expect(facts).toMatchObject({ width: 64, height: 32 });
        expect(facts.pages ?? 1).toBe(1);
      }
    });

    it('without transparency are white in its place', async () => {
      const clear = sharp({
        create: { width: 100, height: 100, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
      });
      const media = await newImage('png', await clear.png().toBuffer());
      const { content } = await variant(media, { w: '64', format: 'jpeg' });
      const [red = 0] = await sharp(content).raw().toBuffer();
      expect(red).toBeGreaterThan(250);
    });

    it('have no side above 4096 pixels, so that every format can hold them', async () => {
      const long = sharp({ create: { width: 30, height: 20_000, channels: 3, background: '#123' } });
      const media = await newImage('png', await long.png().toBuffer());
      const { facts } = await variant(media, { format: 'webp' });
      expect(facts).toMatchObject({ width: 6, height: 4096 });
    });

    it.each<[VariantInput | Record<string, string>, string[]]>([
      [{ w: '100' }, ['w']],
      [{ w: '' }, ['w']],
      [{ w: '64.0' }, ['w']],
      [{ w: '-64' }, ['w']],
      [{ w: '1e9' }, ['w']],
      [{ format: 'avif' }, ['format']],
      [{ format: 'svg', w: '7' }, ['w', 'format']],
    ])('refuse %j', async (query, fields) => {
      const media = await newImage('gif', await picture('gif'));
      const created = await place.kept(shop.store.id);
      const error = await open(media, query as VariantInput).catch((thrown) => thrown);
      expect(error).toMatchObject({ kind: 'validation' });
      expect(error.details.map((detail: { field: string }) => detail.field)).toEqual(fields);
      expect(error.message).toMatch(/must be one of (64, 160, 320, 640, 960, 1280, 1920|webp, jpeg, png)/);
      expect(await place.kept(shop.store.id)).toEqual(created);
    });

    it('are created once and stored, however many requests come at the same time', async () => {
      const media = await newImage('png', await picture('png', { width: 800, height: 600, noise: true }));
      done.length = 0;
      const served = await Promise.all(Array.from({ length: 20 }, () => open(media, { w: '320', format: 'webp' })));
      expect(done).toEqual([`${shop.store.id}/${media.id}-320.webp`]);
      expect(new Set(served.map((file) => file.etag)).size).toBe(1);
      await open(media, { w: '320', format: 'webp' });
      expect(done).toHaveLength(1);
      expect(await place.staged()).toEqual([]);
      expect(served[0]?.etag).not.toBe((await open(media)).etag);
    });

    it('are refused for now when too many are waiting', async () => {
      const content = await picture('png', { width: 1500, height: 1000, noise: true });
      const images = await Promise.all(Array.from({ length: 8 }, () => newImage('png', content)));
      const asked = images.flatMap((media) =>
        (['64', '160', '320', '640', '960', '1280'] as const).map((w) => open(media, { w, format: 'webp' })),
      );
      const results = await Promise.allSettled(asked);
      const refused = results.filter((result) => result.status === 'rejected');
      // As many as can wait, and a few more if the first ended before the last arrived.
      expect(results.length - refused.length).toBeGreaterThanOrEqual(32);
      expect(refused.length).toBeGreaterThan(0);
      for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'unavailable' });
      expect(await place.staged()).toEqual([]);
      // No request hangs.
      for (const media of images) await open(media, { w: '64', format: 'webp' });
    });

    it('do not outlive their image, whichever is faster', async () => {
      const media = await newImage('png', await picture('png', { width: 400, height: 300 }));
      // The image is deleted between the creation of the variant and its storage.
      before = async (did) => {
        if (!did.includes(`${media.id}-`)) return;
        before = async () => {};
        await deleteMedia(shop, media.id);
      };
      await expect(open(media, { w: '64' })).rejects.toMatchObject({ kind: 'notFound' });
      expect((await place.kept(shop.store.id)).filter((name) => name.includes(media.id))).toEqual([]);
      expect(await place.staged()).toEqual([]);
    });

    it('leave nothing behind when they cannot be created', async () => {
      const media = await newImage('png', await picture('png'));
      before = async (did) => {
        if (did.includes('-')) throw new Error('the disk is full');
      };
      await expect(open(media, { w: '64' })).rejects.toThrow('the disk is full');
      before = async () => {};
      expect(await place.staged()).toEqual([]);
      expect((await open(media, { w: '64' })).mimeType).toBe('image/png');
    });
  });
});
