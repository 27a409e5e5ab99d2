import { randomUUID } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Context, createMedia, openCommerce, openMediaFile, sweepMedia } from '@commerce/core';
import { picture, uploadOf } from '@commerce/test-support/fixtures/media-images';
import { folderPlace } from '@commerce/test-support/fixtures/media-places';
import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';

const hour = 3_600_000;

forEachStorage('the sweep', (database) => {
  const place = folderPlace();
  const commerce = useCommerce(database, { media: { files: place.files(), url: '/media' } });
  const old = (file: string) => utimes(join(place.directory, file), new Date(), new Date(Date.now() - hour - 60_000));

  /** A file of that age in the folder. */
  async function leave(name: string, age: 'old' | 'young', content = 'left over'): Promise<string> {
    const path = join(place.directory, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, content);
    if (age === 'old') await old(name);
    return name;
  }

  async function shopWithImage(): Promise<{ shop: Context; kept: string[] }> {
    const shop = await newShop(commerce());
    const [media] = await createMedia(shop, [uploadOf('jpeg', await picture('jpeg'))]);
    await openMediaFile(commerce().engine, shop.store.id, `${media?.id}.jpg`, { w: '64' });
    const kept = await place.kept(shop.store.id);
    expect(kept).toHaveLength(2);
    for (const name of kept) await old(name);
    return { shop, kept };
  }

  it('removes old files without an image, in every store, and remains of uploads', async () => {
    const [one, two] = [await shopWithImage(), await shopWithImage()];
    const orphans = [
      await leave(`${one.shop.store.id}/${randomUUID()}.png`, 'old'),
      await leave(`${two.shop.store.id}/${randomUUID()}.jpg`, 'old'),
      await leave(`${two.shop.store.id}/${randomUUID()}-64.webp`, 'old'),
      await leave(`.staging/${randomUUID()}`, 'old'),
    ].sort();
    const young = await leave(`${one.shop.store.id}/${randomUUID()}.png`, 'young');
    const staged = await leave(`.staging/${randomUUID()}`, 'young');

    const dry = await sweepMedia(commerce().engine, { dryRun: true });
    expect({ ...dry, files: dry.files.sort() }).toEqual({ files: orphans, bytes: 9 * orphans.length });
    expect(await place.kept(two.shop.store.id)).toHaveLength(4);

    const swept = await sweepMedia(commerce().engine);
    expect({ ...swept, files: swept.files.sort() }).toEqual(dry);
    expect(await place.kept(one.shop.store.id)).toEqual([...one.kept, young].sort());
    expect(await place.kept(two.shop.store.id)).toEqual(two.kept);
    expect((await place.staged()).map((name) => `.staging/${name}`)).toEqual([staged]);
    expect(await sweepMedia(commerce().engine)).toEqual({ files: [], bytes: 0 });
  });

  it('leaves files of others alone', async () => {
    const { shop } = await shopWithImage();
    const foreign = [
      await leave(`${randomUUID()}/${randomUUID()}.png`, 'old'),
      await leave(`${shop.store.id}/readme.txt`, 'old'),
      await leave('index.html', 'old'),
    ];
    expect((await sweepMedia(commerce().engine)).files).toEqual([]);
    for (const name of foreign) await old(name);
  });

  it('handles more files than one query asks about', async () => {
    const { shop, kept } = await shopWithImage();
    const orphans = Array.from({ length: 1100 }, () => `${shop.store.id}/${randomUUID()}.gif`);
    for (const name of orphans) await leave(name, 'old');
    const { files } = await sweepMedia(commerce().engine);
    expect(files.sort()).toEqual(orphans.sort());
    expect(await place.kept(shop.store.id)).toEqual(kept);
  });

  it('is unavailable without a storage of files', async () => {
    const bare = await openCommerce({ storage: database.open() });
    await expect(sweepMedia(bare.engine)).rejects.toMatchObject({ kind: 'unavailable' });
    await bare.close();
  });
});
