import { createReadStream, createWriteStream } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream, WritableStream } from 'node:stream/web';
import { CommerceError } from '@commerce/core';
import { createTarDecoder, createTarPacker, type ParsedTarEntry } from 'modern-tar';

/** File for an archive. */
export interface ArchiveEntry {
  name: string;
  size: number;
  open(): Promise<Readable>;
}

/** Writes files into a new tar archive, in order. */
export async function writeArchive(file: string, entries: AsyncIterable<ArchiveEntry>): Promise<void> {
  const { readable, controller } = createTarPacker();
  const written = pipeline(
    Readable.fromWeb(readable as ReadableStream),
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  );
  const packed = async () => {
    try {
      for await (const { name, size, open } of entries) {
        const body = controller.add({ name, size, mode: 0o600 });
        await pipeline(await open(), Writable.fromWeb(body as WritableStream));
      }
      controller.finalize();
    } catch (error) {
      controller.error(error);
      throw error;
    }
  };
  await Promise.all([packed(), written]);
}

/**
 * Yields the files of a tar archive; read each one before the next.
 * @throws CommerceError `validation` if the archive is cut off or damaged
 */
export async function* readArchive(file: string): AsyncGenerator<{ name: string; body: Readable }> {
  const bytes = Readable.toWeb(createReadStream(file, { highWaterMark: 256 * 1024 }));
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }) as never) as ReadableStream<ParsedTarEntry>;
  const reader = entries.getReader();
  const read = () =>
    reader.read().catch((error) => {
      throw damaged(file, error);
    });
  for (let next = await read(); !next.done; next = await read()) {
    const { header, body } = next.value;
    const isFile = header.type === undefined || header.type === 'file';
    if (isFile) yield { name: header.name, body: Readable.fromWeb(body as ReadableStream) };
    else await body.cancel();
  }
}

/** The error to report for a damaged archive, or a damaged file in it; any other error is returned unchanged. */
export function damaged(file: string, error: unknown): unknown {
  // System errors name files, and a file can have any name.
  if (!(error instanceof Error) || 'syscall' in error || !/tar/i.test(error.message)) return error;
  return new CommerceError('validation', `${file} is incomplete or damaged: ${error.message}`, { cause: error });
}
