import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommerceError, type ErrorDetail, invalid, quote } from '../errors.ts';
import { type MediaUpload, uploadLimits } from './fields.ts';
import type { MediaFiles } from './files.ts';
import { type ImageFacts, inspectImage, RefusedImage } from './image.ts';

/** An upload that was found to be an image, waiting to be kept. */
export interface StagedImage extends ImageFacts {
  path: string;
  size: number;
}

/**
 * Makes the staging directory, for this user alone. The system's directory for temporary files is everybody's: what stands there under
 * our name may have been put there by somebody who wishes to see, or to choose, what is uploaded.
 * @throws CommerceError `unavailable` where it belongs to another user or is none
 */
async function openStaging(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const stats = await lstat(directory);
  const own = process.getuid?.() ?? stats.uid;
  if (!stats.isDirectory() || stats.uid !== own) {
    throw new CommerceError(
      'unavailable',
      `uploads cannot be collected in ${directory}: it is ${stats.isDirectory() ? "another user's" : 'no directory'}`,
    );
  }
  if ((stats.mode & 0o077) !== 0) await chmod(directory, 0o700);
}

/** Runs work with the path of a file yet to be written, and removes what is still there afterwards. */
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
 * Collects uploads in the staging directory one after the other, as they come, and runs work with them when every one of
 * them is an image within the limits. Whatever happens, nothing is left in the directory.
 * @throws CommerceError `validation` with one detail for each file that is refused.
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
      if (received.length === uploadLimits.files) throw invalid('files', `at most ${uploadLimits.files} files at once`);
      const file = { path: join(files.staging, randomUUID()), size: 0, upload };
      received.push(file);
      file.size = await receive(upload, file.path);
    }
    // A browser sends a nameless nothing for a file input that was left empty.
    const sent = received.filter(({ size, upload }) => size > 0 || upload.fileName !== '');
    if (sent.length === 0) throw invalid('files', 'upload with no files: send at least one');
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

/** After all are here: a client that waited for its pictures to be decoded would run out of the time it has to send them. */
async function inspect(received: readonly ReceivedFile[]): Promise<StagedImage[]> {
  const images: StagedImage[] = [];
  const refused: ErrorDetail[] = [];
  for (const { path, size, upload } of received) {
    try {
      if (size > uploadLimits.fileBytes) throw tooLarge(size);
      images.push({ ...(await inspectImage(path, upload.mimeType)), path, size });
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
      // One that is too large is read to its end all the same: the files behind it should be looked at too.
      if (size <= uploadLimits.fileBytes) await file.writeFile(chunk);
    }
  } finally {
    await file.close();
  }
  return size;
}

function tooLarge(size: number): RefusedImage {
  const most = uploadLimits.fileBytes;
  return new RefusedImage(`has ${size} bytes; at most ${most} (${most / 1024 / 1024} MiB) are taken`);
}
