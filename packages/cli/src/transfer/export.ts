import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { CommerceError, type ExportedResource, exportText } from '@commerce/core';
import type { ExportCommandOptions } from '../commands/export.ts';
import { storeContext } from '../context.ts';
import { withCommerce } from '../database.ts';
import { mediaAddress } from '../media-address.ts';
import { openProgress } from '../progress.ts';
import { formatOf } from './format.ts';

/** Carries out `export`: its group is loaded with every other command of a resource, this when a file is exported. */
export function runExport(resource: ExportedResource, file: string, options: ExportCommandOptions): Promise<void> {
  const { format = formatOf(file) ?? 'csv', excel, quiet } = options;
  const work = async (texts: AsyncIterable<{ text: string; rows: number }>) => {
    const progress = await openProgress({ quiet });
    let rows = 0;
    const counted = async function* () {
      for await (const part of texts) {
        rows += part.rows;
        progress.update(rows);
        yield part.text;
      }
    };
    await (file === '-' ? writeOut(counted()) : writeFile(file, counted()));
    progress.end();
    if (file === '-') return;
    process.stdout.write(options.json ? `${JSON.stringify({ file, rows })}\n` : `${rows} ${resource} in ${file}\n`);
  };
  return withCommerce(
    options,
    async (commerce) => work(exportText(await storeContext(commerce, options.store), resource, { format, excel })),
    // Nothing is stored by an export: it needs the addresses of images alone.
    { media: { files: undefined as never, url: mediaAddress(options) } },
  );
}

async function writeOut(texts: AsyncIterable<string>): Promise<void> {
  try {
    for await (const text of texts) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    }
  } catch (error) {
    // A reader that has read enough, such as `head`, is no error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Writes a file beside its name first, so that a half one never stands there. */
async function writeFile(file: string, texts: AsyncIterable<string>): Promise<void> {
  const part = `${file}.part`;
  try {
    const stream = createWriteStream(part);
    await once(stream, 'open');
    for await (const text of texts) {
      if (!stream.write(text)) await once(stream, 'drain');
    }
    stream.end();
    await once(stream, 'close');
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true }).catch(() => {});
    if (error instanceof CommerceError) throw error;
    throw new CommerceError('validation', `cannot write ${file}: ${(error as Error).message}`, { cause: error });
  }
}
