import { once } from 'node:events';
import { createWriteStream, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { CommerceError, type Context, type ExportedResource, type ExportFilters, exportText } from '@commerce/core';
import { storeContext } from '../context.ts';
import type { DatabaseOptions } from '../database.ts';
import { withCommerce } from '../database.ts';
import { linkedFile, partialName, refuseDatabase } from '../database-files.ts';
import type { MediaAddressOptions } from '../media-address.ts';
import { mediaAddress } from '../media-address.ts';
import { openProgress } from '../progress.ts';
import { formatOf } from './format.ts';

/** Options of `export`. */
export interface ExportCommandOptions extends DatabaseOptions, MediaAddressOptions {
  json?: boolean;
  store?: string;
  format?: 'csv' | 'jsonl';
  excel?: boolean | string;
  quiet?: boolean;
  filter?: Record<string, string>;
}

/** Runs `export`. A separate module: the group is loaded with every other command of a resource, this only for an export. */
export async function runExport(
  resource: ExportedResource,
  file: string,
  options: ExportCommandOptions,
  filtersIn: (shop: Context) => Promise<ExportFilters>,
): Promise<void> {
  const { format = formatOf(file) ?? 'csv', excel, quiet } = options;
  if (file !== '-') refuseDatabase(file, options.db, 'the export');
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
    async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      const filters = await filtersIn(shop);
      return work(exportText(shop, resource, { format, excel, filters }));
    },
    // An export stores nothing: it needs only the addresses of images.
    { media: { files: undefined as never, url: mediaAddress(options) } },
  );
}

async function writeOut(texts: AsyncIterable<string>): Promise<void> {
  try {
    for await (const text of texts) {
      if (!process.stdout.write(text)) await once(process.stdout, 'drain');
    }
  } catch (error) {
    // A reader that has read enough, such as `head`, is not an error.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/**
 * Writes to a temporary name first, so that the name never holds half a file. A device or a pipe, such as /dev/stdout, is written to
 * directly.
 */
export async function writeFile(
  name: string,
  texts: AsyncIterable<string | Uint8Array> | Iterable<string>,
): Promise<void> {
  const there = statSync(name, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw new CommerceError('validation', `cannot write ${name}: it is a folder`);
  const isOther = there !== undefined && !there.isFile();
  // Writes behind a link: the link stays.
  const file = isOther ? name : linkedFile(name);
  const part = isOther ? file : partialName(file);
  try {
    // Only this user may read customers and orders.
    await pipeline(texts, createWriteStream(part, isOther ? {} : { flags: 'wx', mode: 0o600 }));
    if (!isOther) await rename(part, file);
  } catch (error) {
    if (!isOther) await rm(part, { force: true }).catch(() => {});
    if (error instanceof CommerceError) throw error;
    throw new CommerceError('validation', `cannot write ${file}: ${(error as Error).message}`, { cause: error });
  }
}
