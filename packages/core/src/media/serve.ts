import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '../engine/context.ts';
import type { KeptFile, MediaFiles } from '../engine/media-files.ts';
import { refuseInUnit } from '../engine/transaction.ts';
import { CommerceError, quote } from '../kernel/errors.ts';
import { storingFiles } from '../kernel/files/file-obstacles.ts';
import { isId } from '../kernel/ids.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import { type ImageType, typeOf, typeOfExtension } from './formats.ts';
import { writeVariant } from './image.ts';
import { withStagedFile } from './staging.ts';
import { originalName, parseVariant, type Variant, type VariantInput, variantName } from './variants.ts';

/** A file for a browser. */
export interface ServedFile extends KeptFile {
  /** Determined from the bytes at upload, never stated by a client. */
  mimeType: ImageType;
  /** A strong entity tag, with its quotation marks. */
  etag: string;
}

const typeOfMedia = preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
  db.selectFrom('media').select('mime_type').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/**
 * The file of a media, or a variant of it, which is created on its first request. Files without a row are not served, so a deleted image
 * disappears everywhere at once.
 * @param fileName the last part of the media's url
 * @throws CommerceError `validation` for an unsupported variant, `notFound`; `unavailable` if too many variants wait, or if the disk has no
 * room for one
 */
export async function openMediaFile(
  engine: Engine,
  storeId: string,
  fileName: string,
  query: VariantInput = {},
): Promise<ServedFile> {
  refuseInUnit(engine, 'openMediaFile reads and writes files');
  const { files } = engine.media;
  const [id = '', extension = ''] = fileName.split('.');
  const type = typeOfExtension(extension);
  const gone = () => new CommerceError('notFound', `no file ${quote(fileName)} in this store`);
  if (!files || !type || !isId(storeId) || !isId(id) || fileName !== `${id}.${extension}`) throw gone();
  const variant = parseVariant(query, type);
  const [stored] = await reading(engine.storage, (db) => typeOfMedia(db, { storeId, id }));
  if (stored !== type) throw gone();
  const original = originalName(storeId, id, type);
  const name = variant ? variantName(storeId, id, variant) : original;
  let file = await files.open(name);
  if (!file && variant) {
    await createOnce(files, original, name, variant);
    file = await files.open(name);
  }
  if (!file) throw gone();
  const part = name.slice(storeId.length + 1);
  return { ...file, mimeType: variant ? typeOf(variant.format) : type, etag: `"${part}-${file.size.toString(36)}"` };
}

/** Maximum number of variants in progress, two being created and the others waiting; further requests are refused as `unavailable`. */
const maxUnderWay = 32;

const underWay = new WeakMap<MediaFiles, Map<string, Promise<void>>>();

/** Creates a variant, or waits for the request that is creating the same one. */
function createOnce(files: MediaFiles, original: string, name: string, variant: Variant): Promise<void> {
  const variants = underWay.get(files) ?? new Map<string, Promise<void>>();
  underWay.set(files, variants);
  const known = variants.get(name);
  if (known) return known;
  if (variants.size >= maxUnderWay)
    throw new CommerceError('unavailable', 'too many variants of images are being created; try again later');
  const creation = storingFiles('variants of images', () => create(files, original, name, variant)).finally(() =>
    variants.delete(name),
  );
  variants.set(name, creation);
  return creation;
}

async function create(files: MediaFiles, original: string, name: string, variant: Variant): Promise<void> {
  await withStagedFile(files, async (copy) => {
    const source = await files.open(original);
    if (!source) return;
    await pipeline(await source.read(), createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    await withStagedFile(files, async (path) => {
      await writeVariant(copy, path, variant);
      await files.put(name, path);
    });
  });
  // The image could have been deleted with its variants before this variant existed.
  if (!(await files.open(original))) await files.remove([name]);
}
