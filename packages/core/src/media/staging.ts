import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaFiles } from '../engine/media-files.ts';
import { CommerceError, type ErrorDetail, invalid, quote } from '../kernel/errors.ts';
import { storingFiles } from '../kernel/files/file-obstacles.ts';
import { openPrivateFolder } from '../kernel/files/private-folder.ts';
import { type MediaUpload, uploadLimits } from './fields.ts';
import { convertUpload, type ImageFacts, inspectImage, RefusedImage } from './image.ts';

/** An upload in the staging directory that was recognized as an image. */
export interface StagedImage extends ImageFacts {
  path: string;
  size: number;
}

function openStaging(directory: string): Promise<void> {
  return storingFiles('images', () => openPrivateFolder(directory, 'uploads'));
}

/** Runs work with the path for a new file, and removes the file afterwards if it still exists. */
export async function withStagedFile<T>(files: MediaFiles, work: (path: string) => Promise<T>): Promise<T> {
  await openStaging(files.staging);
  const path = join(files.staging, randomUUID());
  try {
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/**
 * Collects uploads in the staging directory one after another, as they arrive, and runs work if all are images within the limits. Always
 * removes them from the directory afterwards.
 * @throws CommerceError `validation` with one detail for each refused file; `unavailable` if the disk is full or cannot be written
 */
export async function withStagedImages<T>(
  files: MediaFiles,
  uploads: AsyncIterable<MediaUpload> | Iterable<MediaUpload>,
  work: (images: StagedImage[]) => Promise<T>,
): Promise<T> {
  await openStaging(files.staging);
  const received: ReceivedFile[] = [];
  try {
    for await (const upload of uploads) {
      if (received.length === uploadLimits.files)
        throw invalid('files', `must be at most ${uploadLimits.files} files at once`, {
          code: 'TOO_MANY',
          limits: { max: uploadLimits.files },
        });
      const file = { path: join(files.staging, randomUUID()), size: 0, upload };
      received.push(file);
      file.size = await storingFiles('images', () => receive(upload, file.path));
    }
    // For an empty file input, a browser sends an empty file without a name.
    const sent = received.filter(({ size, upload }) => size > 0 || upload.fileName !== '');
    if (sent.length === 0) throw invalid('files', 'must have at least one file', { code: 'REQUIRED' });
    return await work(await inspect(sent));
  } finally {
    await Promise.all(received.map(({ path }) => rm(path, { force: true })));
  }
}

interface ReceivedFile {
  path: string;
  size: number;
  upload: MediaUpload;
}

/** Inspects the files after all were received: decoding in between would use up the client's time for sending. */
async function inspect(received: readonly ReceivedFile[]): Promise<StagedImage[]> {
  const images: StagedImage[] = [];
  const refused: ErrorDetail[] = [];
  for (const { path, size, upload } of received) {
    try {
      if (size > uploadLimits.fileBytes) throw tooLarge(size);
      const type = await storingFiles('images', () => convertUpload(path, upload.mimeType));
      const image = await inspectImage(path, type);
      const stored = (await stat(path)).size;
      if (stored > uploadLimits.fileBytes) throw tooLarge(stored);
      images.push({ ...image, path, size: stored });
    } catch (error) {
      if (!(error instanceof RefusedImage)) throw error;
      refused.push({ field: 'files', reason: `${quote(upload.fileName)} ${error.message}` });
    }
  }
  const [first] = refused;
  if (!first) return images;
  const more = refused.length > 1 ? ` (and ${refused.length - 1} more)` : '';
  throw new CommerceError('validation', `files: ${first.reason}${more}`, { details: refused });
}

/** Writes an upload to a new file and returns its size. */
async function receive({ content }: MediaUpload, path: string): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const chunk of content) {
      size += chunk.length;
      // Reads a file that is too large to its end, so the files after it are inspected, too.
      if (size <= uploadLimits.fileBytes) await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return size;
}

function tooLarge(size: number): RefusedImage {
  const max = uploadLimits.fileBytes;
  return new RefusedImage(`has ${size} bytes; at most ${max} (${max / 1024 / 1024} MiB) are accepted`);
}
