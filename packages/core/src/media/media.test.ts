import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import {
  type Context,
  createMedia,
  createProduct,
  deleteMedia,
  getMedia,
  getMediaJson,
  getProduct,
  listMedia,
  listMediaJson,
  type Media,
  type MediaFiles,
  type MediaUpload,
  openCommerce,
  openMediaFile,
  updateMedia,
} from '@commerce/core';
import { formats, picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { auditOf, emittedBy, eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied, invalid, snapshot } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { describe, expect, it } from 'vitest';
import type { Storage } from '../storage/storage.ts';
import { fakeClock } from '../testing/index.ts';

forEachStorage('media', (database) => {
  const place = folderPlace();
  const clock = fakeClock();
  let cdn = 'https://cdn.example.com/shop';
  let broken: Partial<MediaFiles> = {};
  const files: MediaFiles = {
    staging: place.files().staging,
    put: (...args) => (broken.put ?? place.files().put)(...args),
    open: (name) => place.files().open(name),
    remove: (names) => (broken.remove ?? place.files().remove)(names),
    list: (storeId) => place.files().list(storeId),
  };
  const commerce = useCommerce(database, { clock, media: { files, url: () => cdn } });

  async function newImage(shop: Context, format = formats[0] ?? 'jpeg'): Promise<Media> {
    const [media] = await createMedia(shop, [uploadOf(format, await picture(format))]);
    if (!media) throw new Error('no media');
    return media;
  }

  /** Expects no change in any table or file. */
  async function expectRefused(
    shop: Context,
    work: () => Promise<unknown>,
    denial: Parameters<typeof expectDenied>[2],
  ) {
    const before = await place.kept(shop.store.id);
    await expectDenied(commerce(), work, denial);
    expect(await place.kept(shop.store.id)).toEqual(before);
    expect(await place.staged()).toEqual([]);
  }

  describe('uploading', () => {
    it.each(formats)('stores a %s, and answers its facts', async (format) => {
      const shop = await newShop(commerce());
      const content = await picture(format, { width: 64, height: 48 });
      const [media] = await createMedia(shop, [uploadOf(format, content)]);
      const extension = format === 'jpeg' ? 'jpg' : format;
      const now = new Date(clock.now()).toISOString();
      expect(media).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
        storeId: shop.store.id,
        url: `https://cdn.example.com/shop/${shop.store.id}/${media?.id}.${extension}`,
        mimeType: `image/${format}`,
        width: 64,
        height: 48,
        fileSize: content.length,
        altText: null,
        createdAt: now,
        updatedAt: now,
      });
      expect(await place.kept(shop.store.id)).toEqual([`${shop.store.id}/${media?.id}.${extension}`]);
      expect(await place.staged()).toEqual([]);
      const served = await openMediaFile(commerce().engine, shop.store.id, `${media?.id}.${extension}`);
      expect(served.mimeType).toBe(`image/${format}`);
      expect(content.equals(await buffer(await served.read()))).toBe(true);
      expect(await getMedia(shop, media?.id ?? '')).toEqual(media);
    });

    it('stores several at once, in their order, with an event and an audit entry each', async () => {
      const shop = await newShop(commerce());
      const created = await createMedia(
        shop,
        await Promise.all(formats.map(async (format) => uploadOf(format, await picture(format)))),
      );
      expect(created.map((media) => media.mimeType)).toEqual(formats.map((format) => `image/${format}`));
      const events = await eventsOf(shop);
      expect(events.map(({ type, data }) => ({ type, data }))).toEqual(
        created.map((data) => ({ type: 'media.created', data })),
      );
      const entries = (await auditOf(shop)).filter((entry) => entry.resource_type === 'media');
      expect(entries.map((entry) => [entry.action, entry.resource_id])).toEqual(
        created.map((media) => ['media.created', media.id]),
      );
    });

    it('reads the uploads one after the other, as they come', async () => {
      const shop = await newShop(commerce());
      const content = await picture('png');
      const order: string[] = [];
      async function* pieces(name: string) {
        for (const [i, piece] of [content.subarray(0, 50), content.subarray(50)].entries()) {
          order.push(`${name} ${i}`);
          yield piece;
        }
      }
      async function* uploads(): AsyncGenerator<MediaUpload> {
        for (const name of ['a', 'b']) yield { fileName: name, mimeType: 'image/png', content: pieces(name) };
      }
      expect(await createMedia(shop, uploads())).toHaveLength(2);
      expect(order).toEqual(['a 0', 'a 1', 'b 0', 'b 1']);
    });

    it('leaves nothing behind when the client breaks off', async () => {
      const shop = await newShop(commerce());
      const content = await picture('png', { width: 200, height: 200, noise: true });
      async function* half(): AsyncGenerator<Buffer> {
        yield content.subarray(0, 10_000);
        throw new Error('the client left');
      }
      const before = await place.kept(shop.store.id);
      const uploads = [uploadOf('png', content), { fileName: 'b', mimeType: 'image/png', content: half() }];
      await expect(createMedia(shop, uploads)).rejects.toThrow('the client left');
      expect(await place.kept(shop.store.id)).toEqual(before);
      expect(await place.staged()).toEqual([]);
      expect((await listMedia(shop)).total).toBe(0);
      expect(await eventsOf(shop)).toEqual([]);
    });

    it('removes every file when one of them cannot be stored', async () => {
      const shop = await newShop(commerce());
      let puts = 0;
      broken = {
        put(name, path) {
          if (++puts === 3) throw new Error('the disk is full');
          return place.files().put(name, path);
        },
      };
      const content = await picture('gif');
      const uploads = [1, 2, 3, 4].map(() => uploadOf('gif', content));
      await expect(createMedia(shop, uploads).finally(() => (broken = {}))).rejects.toThrow('the disk is full');
      expect(puts).toBe(3);
      expect(await place.kept(shop.store.id)).toEqual([]);
      expect(await place.staged()).toEqual([]);
      expect((await listMedia(shop)).total).toBe(0);
      expect(await eventsOf(shop)).toEqual([]);
    });

    it('removes every file when the rows cannot be written', async () => {
      const shop = await newShop(commerce());
      await newImage(shop);
      const [event] = await eventsOf(shop);
      // The media's ids are new; the id of the first event already exists.
      const given = [randomUUID(), randomUUID(), event?.id ?? ''];
      const { engine } = shop;
      const ids = { next: (now: number) => given.shift() ?? engine.ids.next(now) };
      const before = [await place.kept(shop.store.id), await snapshot(commerce())];
      const content = await picture('gif');
      const uploads = [uploadOf('gif', content), uploadOf('gif', content)];
      await expect(createMedia({ ...shop, engine: { ...engine, ids } }, uploads)).rejects.toThrow(/unique/i);
      expect(given).toEqual([]);
      expect([await place.kept(shop.store.id), await snapshot(commerce())]).toEqual(before);
      expect(await place.staged()).toEqual([]);
    });

    it('keeps the files when the rows were written and only the answer of the database was lost', async () => {
      const shop = await newShop(commerce());
      const { engine } = shop;
      const storage = { ...engine.storage, begin: losingAnswers(engine.storage) };
      const work = createMedia({ ...shop, engine: { ...engine, storage } }, [uploadOf('png', await picture('png'))]);
      await expect(work).rejects.toThrow('the connection broke');
      const { items } = await listMedia(shop);
      expect(items).toHaveLength(1);
      expect(await place.kept(shop.store.id)).toEqual([`${shop.store.id}/${items[0]?.id}.png`]);
    });

    it('is impossible without a storage of files; everything else is possible', async () => {
      const shop = await newShop(commerce());
      const media = await newImage(shop);
      const bare = await openCommerce({ storage: database.open(), clock });
      const ctx = await bare.store(shop.store.id);
      const denial = { kind: 'unavailable', message: /no storage of media files/ } as const;
      await expectRefused(shop, async () => createMedia(ctx, [uploadOf('png', await picture('png'))]), denial);
      const url = `/media/${shop.store.id}/${media.id}.jpg`;
      expect(await getMedia(ctx, media.id)).toEqual({ ...media, url });
      expect((await updateMedia(ctx, media.id, { altText: 'A mug' })).altText).toBe('A mug');
      expect((await listMedia(ctx)).total).toBe(1);
      await expect(openMediaFile(bare.engine, shop.store.id, `${media.id}.jpg`)).rejects.toMatchObject({
        kind: 'notFound',
      });
      await deleteMedia(ctx, media.id);
      expect((await listMedia(ctx)).total).toBe(0);
      await bare.close();
    });
  });

  it('answers the images with given ids, known ones alone', async () => {
    const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    const images: Media[] = [];
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      clock.advance(1000);
      images.push(await newImage(shop, format));
    }
    const [first, second, third] = images.map(({ id }) => id) as [string, string, string];
    const theirs = await newImage(other);
    const found = async (query: object, ctx = shop) => {
      const { items, total } = await listMedia(ctx, query);
      expect(total).toBe(items.length);
      return items;
    };
    expect(await found({ ids: `${first},${third}` })).toEqual([images[2], images[0]]);
    expect(await found({ ids: ` ${second} ,,x,${theirs.id},${second}`, limit: 1, offset: 1 })).toEqual([images[1]]);
    expect(await found({ ids: [first, second, third], mimeType: 'image/p' })).toEqual([images[1]]);
    for (const ids of ['', 'x\u0001', theirs.id]) expect(await found({ ids })).toEqual([]);
    const seen = await commerce().store(shop.store.id, { type: 'embedder', id: null, isPublic: true });
    await createProduct(shop, { title: 'Mug', slug: 'mug', price: '1', status: 'published', mediaIds: [second] });
    expect(await found({ ids: [first, second] }, seen)).toEqual([images[1]]);
    for (const ids of [Array.from({ length: 201 }, (_, i) => String(i)), 'x'.repeat(14_000), 5])
      await expectDenied(commerce(), () => listMedia(shop, { ids: ids as string }), invalid('ids'));
  });

  describe('the address of a file', () => {
    it('follows the setting, in answers, lists and events alike', async () => {
      const shop = await newShop(commerce());
      const media = await newImage(shop);
      const path = `${shop.store.id}/${media.id}.jpg`;
      cdn = 'https://other.example.com/$&/"quoted"';
      try {
        const url = `${cdn}/${path}`;
        expect(await getMedia(shop, media.id)).toEqual({ ...media, url });
        expect(await listMedia(shop)).toEqual({ items: [{ ...media, url }], total: 1 });
        expect((await updateMedia(shop, media.id, { altText: 'x' })).url).toBe(url);
        await deleteMedia(shop, media.id);
        expect((await eventsOf(shop)).map((event) => (event.data as Media).url)).toEqual([
          `https://cdn.example.com/shop/${path}`,
          url,
          url,
        ]);
      } finally {
        cdn = 'https://cdn.example.com/shop';
      }
    });

    it('is never put into a text of a client, whatever it contains', async () => {
      const shop = await newShop(commerce());
      const nasty = [
        '"url":"{cdn_url}/x',
        '","url":"{cdn_url}/x","a":"',
        '\\","url":"{cdn_url}/x',
        '{cdn_url}/',
        '\\"url\\":\\"{cdn_url}/',
        '$& $1 $` $cdn_url',
      ];
      const created = new Map<string, Media>();
      for (const altText of nasty) {
        const media = await newImage(shop);
        const changed = await updateMedia(shop, media.id, { altText });
        expect(changed).toEqual({ ...media, altText, updatedAt: changed.updatedAt });
        expect(await getMedia(shop, media.id)).toEqual(changed);
        created.set(media.id, changed);
      }
      const { items } = await listMedia(shop);
      expect(items).toEqual([...created.values()].reverse());
      // Column and text agree, and the row contains no address.
      const rows = await shop.engine.storage.db
        .selectFrom('media')
        .selectAll()
        .where('store_id', '=', shop.store.id)
        .execute();
      for (const row of rows) {
        const stored = JSON.parse(row.json) as Media;
        const url = `{cdn_url}/${shop.store.id}/${row.id}.jpg`;
        expect(stored).toEqual({ ...created.get(row.id), url });
        expect([stored.mimeType, Date.parse(stored.createdAt)]).toEqual([row.mime_type, row.created_at]);
      }
    });
  });

  describe('reading', () => {
    it('finds the media of its own store alone', async () => {
      const [shop, other] = [await newShop(commerce()), await newShop(commerce())];
      const media = await newImage(shop);
      expect(JSON.parse(await getMediaJson(shop, media.id))).toEqual(media);
      const message = /no media .* in this store/;
      for (const id of [randomUUID(), 'no-id', '', media.id.toUpperCase()]) {
        await expectRefused(shop, () => getMedia(shop, id), { kind: 'notFound', message });
      }
      await expectRefused(other, () => getMedia(other, media.id), { kind: 'notFound', message });
      await expectRefused(other, () => updateMedia(other, media.id, { altText: 'x' }), { kind: 'notFound', message });
      await expectRefused(other, () => deleteMedia(other, media.id), { kind: 'notFound', message });
    });

    it('lists newest first, by pages, with exact totals, also by the beginning of a type', async () => {
      const shop = await newShop(commerce());
      expect(await listMedia(shop)).toEqual({ items: [], total: 0 });
      const created: Media[] = [];
      for (const format of [...formats, ...formats, 'jpeg'] as const) {
        clock.advance(1);
        created.unshift(await newImage(shop, format));
      }
      expect(await listMedia(shop)).toEqual({ items: created, total: 9 });
      expect(await listMedia(shop, { limit: 2, offset: 3 })).toEqual({ items: created.slice(3, 5), total: 9 });
      const ofType = (prefix: string) => created.filter((media) => media.mimeType.startsWith(prefix));
      for (const mimeType of ['image/', 'image/jpeg', 'image/p', 'image/webp', 'image/gif', 'image/jp', 'i']) {
        const items = ofType(mimeType);
        expect(await listMedia(shop, { mimeType })).toEqual({ items, total: items.length });
        expect(await listMedia(shop, { mimeType, limit: 1, offset: 1 })).toEqual({
          items: items.slice(1, 2),
          total: items.length,
        });
      }
      expect((await listMedia(shop, { mimeType: 'IMAGE/PNG' })).total).toBe(2);
      for (const mimeType of ['mage/', 'image/%', 'image/jpegs', '%', '_mage', "' or 1=1 --"]) {
        expect(await listMedia(shop, { mimeType })).toEqual({ items: [], total: 0 });
      }
      await deleteMedia(shop, created[0]?.id ?? '');
      expect((await listMedia(shop, { mimeType: 'image/jpeg' })).total).toBe(2);
      expect((await listMedia(shop)).total).toBe(8);
      expect(JSON.parse(await listMediaJson(await newShop(commerce())))).toEqual({ items: [], total: 0 });
    });

    it.each([
      [{ limit: 0 }, ['limit']],
      [{ limit: 201 }, ['limit']],
      [{ offset: -1 }, ['offset']],
      [{ limit: 'many' as unknown as number }, ['limit']],
      [{ mimeType: 'x'.repeat(256) }, ['mimeType']],
      [{ mimeType: 'a\0b' }, ['mimeType']],
    ])('refuses the window or filter %j', async (query, fields) => {
      const shop = await newShop(commerce());
      await expectRefused(shop, () => listMedia(shop, query), invalid(...fields));
    });
  });

  describe('changing', () => {
    it('sets and clears the alternative text, with an event', async () => {
      const shop = await newShop(commerce());
      const media = await newImage(shop);
      clock.advance(1000);
      const changed = await updateMedia(shop, media.id, { altText: 'A blue mug' });
      expect(changed).toEqual({ ...media, altText: 'A blue mug', updatedAt: new Date(clock.now()).toISOString() });
      expect((await eventsOf(shop)).at(-1)).toMatchObject({ type: 'media.updated', data: changed });
      const entry = (await auditOf(shop)).at(-1);
      expect(entry?.action).toBe('media.updated');
      expect(JSON.parse(entry?.changes ?? '')).toEqual({ altText: { from: null, to: 'A blue mug' } });
      expect((await updateMedia(shop, media.id, { altText: null })).altText).toBeNull();
      expect((await updateMedia(shop, media.id, { altText: '' })).altText).toBe('');
      const long = '𝄞'.repeat(1000);
      expect((await updateMedia(shop, media.id, { altText: long })).altText).toBe(long);
    });

    it('changes and emits nothing when nothing differs', async () => {
      const shop = await newShop(commerce());
      const media = await newImage(shop);
      const named = await updateMedia(shop, media.id, { altText: 'A mug' });
      clock.advance(1000);
      for (const changes of [{}, { altText: 'A mug' }, { ...named, url: 'https://evil.example.com', width: 1 }]) {
        expect(await emittedBy(shop, () => updateMedia(shop, media.id, changes))).toEqual([]);
        expect(await getMedia(shop, media.id)).toEqual(named);
      }
    });

    it.each([
      [{ altText: 'x'.repeat(1001) }],
      [{ altText: 7 as unknown as string }],
      [{ altText: 'a\0b' }],
      [{ altText: '\ud800' }],
    ])('refuses %j', async (changes) => {
      const shop = await newShop(commerce());
      const media = await newImage(shop);
      await expectRefused(shop, () => updateMedia(shop, media.id, changes), invalid('altText'));
    });
  });

  describe('deleting', () => {
    it('removes the row, the file and its variants, and leaves the ids in products', async () => {
      const shop = await newShop(commerce());
      const { engine } = commerce();
      const [media, other] = [await newImage(shop), await newImage(shop)];
      const product = await createProduct(shop, {
        title: 'Mug',
        slug: 'mug',
        price: '5',
        mediaIds: [media.id, other.id],
        primaryMediaId: media.id,
      });
      for (const query of [{ w: '64' }, { format: 'webp' }, { w: '320', format: 'png' }] as const) {
        await openMediaFile(engine, shop.store.id, `${media.id}.jpg`, query);
      }
      expect((await place.kept(shop.store.id)).filter((name) => name.includes(media.id))).toHaveLength(4);
      expect(await emittedBy(shop, () => deleteMedia(shop, media.id))).toEqual(['media.deleted']);
      expect((await eventsOf(shop)).at(-1)).toMatchObject({ resourceId: media.id, data: media });
      expect((await auditOf(shop)).at(-1)).toMatchObject({ action: 'media.deleted', resource_id: media.id });
      expect(await place.kept(shop.store.id)).toEqual([`${shop.store.id}/${other.id}.jpg`]);
      expect(await listMedia(shop)).toEqual({ items: [other], total: 1 });
      expect(await getProduct(shop, product.id)).toEqual(product);
      await expectRefused(shop, () => deleteMedia(shop, media.id), { kind: 'notFound' });
      await expect(openMediaFile(engine, shop.store.id, `${media.id}.jpg`)).rejects.toMatchObject({ kind: 'notFound' });
    });

    it('succeeds once the row is deleted: a file that cannot be removed is no longer served', async () => {
      const shop = await newShop(commerce());
      const media = await newImage(shop);
      broken = { remove: () => Promise.reject(new Error('the bucket is down')) };
      await deleteMedia(shop, media.id).finally(() => (broken = {}));
      expect(await place.kept(shop.store.id)).toEqual([`${shop.store.id}/${media.id}.jpg`]);
      for (const query of [{}, { w: '64' }] as const) {
        await expect(openMediaFile(commerce().engine, shop.store.id, `${media.id}.jpg`, query)).rejects.toMatchObject({
          kind: 'notFound',
        });
      }
    });

    it('of several at once, deletes once', async () => {
      const shop = await newShop(commerce());
      const media = await newImage(shop);
      const results = await Promise.allSettled([1, 2, 3, 4].map(() => deleteMedia(shop, media.id)));
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect(await listMedia(shop)).toEqual({ items: [], total: 0 });
      expect((await eventsOf(shop)).filter((event) => event.type === 'media.deleted')).toHaveLength(1);
    });
  });
});

/** Transactions that are committed, but whose answer is lost. */
function losingAnswers({ begin }: Storage): Storage['begin'] {
  return async () => {
    const transaction = await begin();
    const commit = async () => {
      await transaction.commit();
      throw new Error('the connection broke');
    };
    return { ...transaction, commit, rollback: async () => {} };
  };
}
