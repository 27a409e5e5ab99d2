import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Engine } from '../context.ts';
import { CommerceError, quote } from '../errors.ts';
import { isId } from '../ids.ts';
import { preparedColumn } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { KeptFile, MediaFiles } from './files.ts';
import { type ImageType, typeOf, typeOfExtension } from './formats.ts';
import { makeVariant } from './image.ts';
import { withStagedFile } from './staging.ts';
import { originalName, parseVariant, type Variant, type VariantInput, variantName } from './variants.ts';

/** A file to hand to a browser. */
export interface ServedFile extends KeptFile {
  /** From what the file was found to be when it was uploaded, never from a client. */
  mimeType: ImageType;
  /** A strong entity tag, with its quotation marks. */
  etag: string;
}

const typeOfMedia = preparedColumn<{ storeId: string; id: string }, string>((db, p) =>
  db.selectFrom('media').select('mime_type').where('store_id', '=', p('storeId')).where('id', '=', p('id')),
);

/**
 * The file of a media, or a variant of it, which is made the first time it is asked for. What has no row is not served, so a
 * deleted image is gone everywhere at once.
 * @param fileName the last part of the media's url
 * @throws CommerceError `validation` for a variant that is not made, `notFound`, `unavailable` when too many wait.
 */
export async function openMediaFile(
  engine: Engine,
  storeId: string,
  fileName: string,
  query: VariantInput = {},
): Promise<ServedFile> {
  const { files } = engine.media;
  const [id = '', extension = ''] = fileName.split('.');
  const type = typeOfExtension(extension);
  const gone = () => new CommerceError('notFound', `there is no file ${quote(fileName)}`);
  if (!files || !type || !isId(storeId) || !isId(id) || fileName !== `${id}.${extension}`) throw gone();
  const variant = parseVariant(query, type);
  const [stored] = await reading(engine.storage, (db) => typeOfMedia(db, { storeId, id }));
  if (stored !== type) throw gone();
  const original = originalName(storeId, id, type);
  const name = variant ? variantName(storeId, id, variant) : original;
  let file = await files.open(name);
  if (!file && variant) {
    await makeOnce(files, original, name, variant);
    file = await files.open(name);
  }
  if (!file) throw gone();
  const part = name.slice(storeId.length + 1);
  return { ...file, mimeType: variant ? typeOf(variant.format) : type, etag: `"${part}-${file.size.toString(36)}"` };
}

/** How many variants may be under way, two of them being made and the others waiting; the next is told to come again. */
const maxUnderWay = 32;

const underWay = new WeakMap<MediaFiles, Map<string, Promise<void>>>();

/** Makes a variant, or waits for whoever is making the same one. */
function makeOnce(files: MediaFiles, original: string, name: string, variant: Variant): Promise<void> {
  const making = underWay.get(files) ?? new Map<string, Promise<void>>();
  underWay.set(files, making);
  const already = making.get(name);
  if (already) return already;
  if (making.size >= maxUnderWay)
    throw new CommerceError('unavailable', 'too many pictures are being made at present; try again');
  const made = make(files, original, name, variant).finally(() => making.delete(name));
  making.set(name, made);
  return made;
}

async function make(files: MediaFiles, original: string, name: string, variant: Variant): Promise<void> {
  await withStagedFile(files, async (copy) => {
    const source = await files.open(original);
    if (!source) return;
    await pipeline(await source.read(), createWriteStream(copy, { flags: 'wx', mode: 0o600 }));
    await withStagedFile(files, async (path) => {
      await makeVariant(copy, path, variant);
      await files.put(name, path);
    });
  });
  // The image may have been deleted meanwhile, and its variants with it before this one was there.
  if (!(await files.open(original))) await files.remove([name]);
}
