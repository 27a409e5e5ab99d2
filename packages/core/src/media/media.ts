import { sql } from 'kysely';
import { changedFields } from '../audit/audit.ts';
import { audit } from '../audit/entry.ts';
import { itemsOf, readNewest } from '../collection/items.ts';
import type { Context, TxContext } from '../engine/context.ts';
import type { MediaFiles } from '../engine/media-files.ts';
import { refuseInUnit, transact } from '../engine/transaction.ts';
import { emit } from '../events/emit.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError } from '../kernel/errors.ts';
import { storingFiles } from '../kernel/files/file-obstacles.ts';
import { isId } from '../kernel/ids.ts';
import { fromJson, type Json, type List, parsed, toJson } from '../kernel/json.ts';
import { definedOnly, parse } from '../kernel/parse.ts';
import { countUpTo } from '../resources/bounded.ts';
import { listCounts, pendingCounts } from '../resources/counts.ts';
import { readShown } from '../resources/public-view.ts';
import { rememberedTotal } from '../resources/remembered-totals.ts';
import { preparedInsert, preparedPerLength } from '../storage/prepared.ts';
import { readingOf, snapshotOrScan } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { MediaTable } from '../storage/tables/media.ts';
import {
  type Media,
  type MediaChanges,
  MediaQuery,
  type MediaQueryInput,
  type MediaUpload,
  mediaEntity,
} from './fields.ts';
import { typeOf } from './formats.ts';
import { type StagedImage, withStagedImages } from './staging.ts';
import { storedUrl, withUrls } from './url.ts';
import { invalidateShownMedia, isUsed } from './uses.ts';
import { originalName, variantNames } from './variants.ts';

const asSeen = <T extends Media | List<Media>>(json: Json<T>) =>
  readShown(mediaEntity, json as Json<Media>).print() as Json<T>;

// Inside transactions, a media has its stored url, without the address that `withUrls` adds to answers.
const mediaItems = itemsOf<Media>('media', 'media', false, {
  answered: withUrls,
  entity: mediaEntity,
  publicView: {
    among: (media, storeId) => media.where(isUsed(storeId, sql.ref<string>('media.id'))),
    text: (_, json) => asSeen(json),
  },
});
const insertMedia = preparedInsert<MediaTable>('media');

/**
 * Stores uploaded images, all of them or none: JPEG, PNG, WebP or GIF, by their bytes and their declared type, within `uploadLimits`. Files
 * are stored before their rows. Emits `media.created` for each.
 * @param inTransaction called in the transaction of the images' rows
 * @throws CommerceError `validation` on `files` with one detail for each refused file; `unavailable` if no file storage is configured, if
 * it does not answer, or if its disk is full or cannot be written
 */
export async function createMedia(
  ctx: Context,
  uploads: AsyncIterable<MediaUpload> | Iterable<MediaUpload>,
  inTransaction?: (tx: TxContext, media: readonly Media[]) => Promise<void>,
): Promise<Media[]> {
  refuseInUnit(ctx.engine, 'createMedia writes files');
  const { files } = ctx.engine.media;
  if (!files) {
    throw new CommerceError(
      'unavailable',
      'no storage of media files is configured: give `openCommerce` a `media` option',
    );
  }
  return withStagedImages(files, uploads, async (images) => {
    const now = ctx.engine.clock.now();
    const named = images.map((image) => {
      const id = ctx.engine.ids.next(now);
      return { ...image, id, name: originalName(ctx.store.id, id, typeOf(image.format)) };
    });
    const written: string[] = [];
    try {
      for (const image of named) {
        written.push(image.name);
        await storingFiles('images', () => files.put(image.name, image.path));
      }
      return await transact(ctx, async (tx) => {
        const media = await insertImages(tx, named);
        await inTransaction?.(tx, media);
        return media;
      });
    } catch (error) {
      await removeUnlessStored(ctx, files, named, written);
      throw error;
    }
  });
}

type NamedImage = StagedImage & { id: string; name: string };

async function insertImages(tx: TxContext, images: readonly NamedImage[]): Promise<Media[]> {
  const now = toTimestamp(tx.now);
  const rows: MediaTable[] = [];
  const answers: Media[] = [];
  for (const image of images) {
    const media = mediaEntity.of({
      id: image.id,
      storeId: tx.store.id,
      url: storedUrl(image.name),
      mimeType: typeOf(image.format),
      width: image.width,
      height: image.height,
      fileSize: image.size,
      altText: null,
      createdAt: now,
      updatedAt: now,
    });
    const json = toJson(media);
    rows.push({
      store_id: tx.store.id,
      id: media.id,
      mime_type: media.mimeType,
      created_at: tx.now,
      json,
      shape: mediaEntity.shapeNumber,
    });
    const answer = withUrls(tx.engine, json);
    answers.push(fromJson(answer));
    pendingCounts(tx).move('media.mimeType', undefined, media.mimeType);
    emit(tx, 'media.created', media.id, answer);
    audit(tx, { action: 'media.created', resourceType: 'media', resourceId: media.id });
  }
  await insertMedia(tx.db, rows);
  return answers;
}

/**
 * Removes the files of a failed upload. A transaction whose connection broke might still have committed, so the database is asked first. If
 * it cannot answer, the files are left to the sweep, because a row without its file would be worse.
 */
async function removeUnlessStored(ctx: Context, files: MediaFiles, images: readonly NamedImage[], written: string[]) {
  const ids = images.map((image) => image.id);
  try {
    const stored = await ctx.engine.storage.db
      .selectFrom('media')
      .select('id')
      .where('store_id', '=', ctx.store.id)
      .where('id', 'in', ids)
      .execute();
    if (stored.length === 0) await files.remove(written);
  } catch {
    // The caller throws the upload's own error; remaining files are left to the sweep.
  }
}

/**
 * Changes the alternative text of an image; null clears it. Emits `media.updated`, unless nothing changes.
 * @throws CommerceError `validation`, `notFound`.
 */
export async function updateMedia(ctx: Context, id: string, input: MediaChanges): Promise<Media> {
  const given = parse(mediaEntity.inputs().update, input);
  return transact(ctx, async (tx) => {
    const before = await mediaItems.lock(tx, id);
    const merged = mediaEntity.of({ ...before, ...definedOnly(given) });
    const changes = changedFields(before, merged);
    if (Object.keys(changes).length === 0) return fromJson(withUrls(tx.engine, toJson(before)));
    const json = toJson(mediaEntity.of({ ...merged, updatedAt: toTimestamp(tx.now) }));
    await tx.db
      .updateTable('media')
      .set({ json, shape: mediaEntity.shapeNumber })
      .where('store_id', '=', tx.store.id)
      .where('id', '=', id)
      .execute();
    const answer = withUrls(tx.engine, json);
    emit(tx, 'media.updated', id, answer);
    audit(tx, { action: 'media.updated', resourceType: 'media', resourceId: id, changes });
    return fromJson(answer);
  });
}

/**
 * Deletes an image for good, with its file and variants. Products that name it keep the dangling id. Emits `media.deleted`
 * with its last state.
 * @throws CommerceError `notFound`
 */
export async function deleteMedia(ctx: Context, id: string): Promise<void> {
  refuseInUnit(ctx.engine, 'deleteMedia removes files');
  const { mimeType } = await transact(ctx, async (tx) => {
    const media = await mediaItems.lock(tx, id);
    await tx.db.deleteFrom('media').where('store_id', '=', tx.store.id).where('id', '=', id).execute();
    pendingCounts(tx).move('media.mimeType', media.mimeType, undefined);
    invalidateShownMedia(tx);
    emit(tx, 'media.deleted', id, withUrls(tx.engine, toJson(media)));
    audit(tx, { action: 'media.deleted', resourceType: 'media', resourceId: id });
    return media;
  });
  const { files } = ctx.engine.media;
  if (!files) return;
  try {
    // The original first: a request that is just creating a variant checks whether the original still exists.
    await files.remove([originalName(ctx.store.id, id, mimeType)]);
    await files.remove(variantNames(ctx.store.id, id));
  } catch {
    // Without its row, no file is served any more; remaining files are left to the sweep.
  }
}

/** @throws CommerceError `notFound`, also for a malformed id and for the id of another store's media */
export async function getMediaJson(ctx: Context, id: string): Promise<Json<Media>> {
  return withUrls(ctx.engine, await mediaItems.read(ctx, id));
}

/** Like `getMediaJson`, for use inside an application. */
export const getMedia = parsed(getMediaJson);

/**
 * A page of the store's media, newest first, with the exact number of matching media. With `ids`, all of these that exist.
 * @throws CommerceError `validation` for a filter or a window out of range
 */
export async function listMediaJson(ctx: Context, query: MediaQueryInput = {}): Promise<Json<List<Media>>> {
  const { mimeType = '', ids, ...window } = parse(MediaQuery, query);
  const prefix = mimeType.toLowerCase();
  if (ids) return readNamed(ctx, ids, prefix);
  const list = await snapshotOrScan(ctx, async (db, maxRows) => {
    const counts = await listCounts(db, ctx.store.id, 'media.mimeType');
    const types = [...counts.keys()].filter((type) => type.startsWith(prefix));
    const total = types.reduce((sum, type) => sum + (counts.get(type) ?? 0), 0);
    if (total === 0) return toJson<List<Media>>({ items: [], total });
    const among = db.selectFrom('media').where('store_id', '=', ctx.store.id);
    const count = [...counts.values()].reduce((sum, n) => sum + n, 0);
    // Without a filter, the index is enough to find the page.
    const ofTypes = types.length === counts.size ? among : among.where('mime_type', 'in', types);
    if (!ctx.actor.isPublic)
      return readNewest<Media>(db, { among, count, matches: ofTypes, total }, window, maxRows, mediaEntity);
    const matches = ofTypes.where(isUsed(ctx.store.id, sql.ref<string>('media.id')));
    const countShown = async () => (await countUpTo(db, matches, Number.POSITIVE_INFINITY)) ?? 0;
    const named = ['media', ...types.sort()];
    const shown = await rememberedTotal(ctx, db, 'media.version', named, count > maxRows ? undefined : countShown);
    return shown && readNewest<Media>(db, { among, count, matches, total: shown.total }, window, maxRows, mediaEntity);
  });
  return withUrls(ctx.engine, ctx.actor.isPublic ? asSeen(list) : list);
}

const namedMedia = preparedPerLength<{ storeId: string }, NamedRow>((db, p, ids) => rowsNamed(db, p('storeId'), ids));

const namedPublicMedia = preparedPerLength<{ storeId: string }, NamedRow>((db, p, ids) =>
  rowsNamed(db, p('storeId'), ids).where(isUsed(p('storeId'), sql.ref<string>('media.id'))),
);

type NamedRow = Pick<MediaTable, 'id' | 'created_at' | 'mime_type' | 'json'>;

const rowsNamed = (db: Db, storeId: string, ids: string[]) =>
  db
    .selectFrom('media')
    .select(['id', 'created_at', 'mime_type', 'json'])
    .where('store_id', '=', storeId)
    .where('id', 'in', ids);

/** The media with these ids, newest first. */
async function readNamed(ctx: Context, ids: readonly string[], typePrefix: string): Promise<Json<List<Media>>> {
  const { isPublic } = ctx.actor;
  const known = ids.filter(isId);
  const read = isPublic ? namedPublicMedia : namedMedia;
  const rows = known.length === 0 ? [] : await readingOf(ctx, (db) => read(db, { storeId: ctx.store.id }, known));
  const items = rows
    .filter(({ mime_type }) => mime_type.startsWith(typePrefix))
    .sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? 1 : -1))
    .map(({ json }) => mediaEntity.read(json));
  const list = toJson<List<Media>>({ items, total: items.length });
  return withUrls(ctx.engine, isPublic ? asSeen(list) : list);
}

/** Like `listMediaJson`, for use inside an application. */
export const listMedia = parsed(listMediaJson);

/** Ids per statement. */
const maxIds = 500;

/** The media with these ids, as the actor sees them. Ids without one are left out. */
export async function mediaById(ctx: Context, ids: readonly string[]): Promise<Map<string, Media>> {
  const found = new Map<string, Media>();
  for (let i = 0; i < ids.length; i += maxIds) {
    const { items } = fromJson(await readNamed(ctx, ids.slice(i, i + maxIds), ''));
    for (const media of items) found.set(media.id, media);
  }
  return found;
}
