import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Encoding, ImportOptions } from '@commerce/core';
import { CommerceError, type Import, type ImportedResource, type ImportSource, importFile } from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../context.ts';
import type { DatabaseOptions } from '../database.ts';
import { withCommerce } from '../database.ts';
import { isSameFile, refuseDatabase } from '../database-files.ts';
import type { MediaAddressOptions } from '../media-address.ts';
import { mediaAddress } from '../media-address.ts';
import { openMediaFiles } from '../media-files.ts';
import type { MediaFileOptions } from '../media-options.ts';
import { pairs, print, shown } from '../output/print.ts';
import { openProgress } from '../progress.ts';
import { UsageError } from '../usage-error.ts';
import { formatOf } from './format.ts';
import { ImportReport } from './import-report.ts';

/** Options of `import`. */
export interface ImportCommandOptions extends DatabaseOptions, MediaFileOptions, MediaAddressOptions {
  json?: boolean;
  store?: string;
  format?: 'csv' | 'jsonl';
  encoding?: Encoding;
  excel?: string;
  map: string[];
  match?: ImportOptions['match'];
  onError: 'stop' | 'skip';
  report?: string;
  dryRun?: boolean;
  events: boolean;
  images?: boolean;
  imagesAllow?: string[];
  overwriteStock?: boolean;
  repeatedSku?: ImportOptions['repeatedSku'];
  descriptions?: ImportOptions['descriptions'];
  quiet?: boolean;
}

/** Runs `import`. A separate module: the group is loaded with every other command of a resource, this only for an import. */
export async function runImport(
  resource: ImportedResource,
  file: string,
  options: ImportCommandOptions,
  command: Command,
): Promise<void> {
  // Processed rows are garbage: a heap that grows by half at a time saves a fifth of the memory.
  setFlagsFromString('--heap-growing-percent=50');
  refuseReport(options, file);
  const map = await readMap(options.map);
  const source = await openSource(file);
  const media = options.images ? { files: openMediaFiles(options, command), url: mediaAddress(options) } : undefined;
  const more = { ...(media ? { media } : {}), ...(options.imagesAllow ? { webhookAllow: options.imagesAllow } : {}) };
  await withCommerce(
    options,
    async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      const report = options.report === undefined ? undefined : new ImportReport(options.report);
      await report?.check();
      const progress = await openProgress({ size: source.size, quiet: options.quiet });
      const stop = new AbortController();
      const interrupt = () => {
        // A second Ctrl-C ends it at once.
        if (stop.signal.aborted) process.exit(130);
        stop.abort();
      };
      process.on('SIGINT', interrupt);
      // A service on this machine takes precedence.
      setPriority(5);
      let done: Import;
      let known: Import | undefined;
      try {
        done = await importFile(
          shop,
          resource,
          source,
          {
            format: options.format ?? formatOf(file),
            encoding: options.encoding,
            excel: options.excel,
            map,
            match: options.match,
            onError: options.onError,
            dryRun: options.dryRun,
            events: options.events,
            images: options.images,
            overwriteStock: options.overwriteStock,
            repeatedSku: options.repeatedSku,
            descriptions: options.descriptions,
          },
          {
            signal: stop.signal,
            onProgress: (state) => {
              // Copied: a batch is counted in the state before it fails.
              known = { ...state };
              progress.update(state.rows, state.readBytes);
            },
            onProblems: (problems, kind) => report?.write(problems, kind),
            onStart: () => report?.start(),
            onResume: async (state, lastLine) => {
              if (!options.quiet) process.stderr.write(`continuing after line ${lastLine}: ${inWords(state)}\n`);
              await report?.resume(lastLine, state.warnings);
            },
          },
        );
      } catch (error) {
        throw known && source.digest !== undefined && !options.dryRun ? cutOff(error, known) : error;
      } finally {
        process.off('SIGINT', interrupt);
        // A read of it may still be pending.
        if (file === '-') process.stdin.destroy();
        progress.end();
        await report?.close();
      }
      print(options, { item: done }, () => summary(done, options));
      if (done.status === 'interrupted') {
        process.stderr.write('interrupted; run the same command again to continue\n');
        process.exitCode = 130;
      } else if (done.status === 'stopped' && done.error !== null) {
        process.stderr.write(`error: ${shown(done.error)}; run the same command again to continue\n`);
        process.exitCode = 1;
      } else if (done.status === 'stopped') {
        const [first] = done.problems;
        const where = first
          ? `line ${first.line}${first.column ? `, ${shown(first.column)}` : ''}: ${shown(first.reason)}`
          : '';
        process.stderr.write(`error: stopped at a rejected row: ${where}; use --on-error skip to skip such rows\n`);
        process.exitCode = 1;
      }
    },
    more,
  );
}

/** Refuses a report that would overwrite the file that is read. */
function refuseReport({ report, db }: ImportCommandOptions, file: string): void {
  if (report === undefined) return;
  if (file !== '-' && isSameFile(report, file)) {
    throw new UsageError(`--report: ${report} is the imported file; use another one`);
  }
  refuseDatabase(report, db, 'the report');
}

/** Reports a database that failed during the import: the batches before the error are stored. */
function cutOff(error: unknown, known: Import): unknown {
  if (!(error instanceof CommerceError) || error.kind !== 'unavailable') return error;
  const message = `${error.message}; ${inWords(known)} so far; run the same command again to continue`;
  return new CommerceError('unavailable', message, { cause: error.cause });
}

/** Columns of `--map`, from the command line and from files. */
async function readMap(entries: readonly string[]): Promise<Record<string, string>> {
  const map: Record<string, string> = {};
  for (const entry of entries) {
    const at = entry.lastIndexOf('=');
    if (at > 0) map[entry.slice(0, at).trim()] = entry.slice(at + 1).trim();
    else Object.assign(map, await readMapFile(entry));
  }
  return map;
}

async function readMapFile(file: string): Promise<Record<string, string>> {
  const refuse = (reason: string, cause?: unknown) =>
    new CommerceError('validation', `cannot read the columns of --map from ${file}: ${reason}`, { cause });
  let read: unknown;
  try {
    read = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw refuse((error as Error).message, error);
  }
  const isMap =
    typeof read === 'object' && read !== null && Object.values(read).every((value) => typeof value === 'string');
  if (!isMap) throw refuse('it must be an object such as {"Nome": "title"}');
  return read as Record<string, string>;
}

async function openSource(file: string): Promise<ImportSource> {
  if (file === '-') {
    let isRead = false;
    const open = () => {
      if (isRead) {
        throw new CommerceError('validation', 'a WooCommerce file is read twice: give its name, not standard input');
      }
      isRead = true;
      return process.stdin;
    };
    return { open };
  }
  try {
    const facts = await stat(file);
    if (!facts.isFile()) throw new Error('it is not a file');
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(file)) hash.update(chunk);
    return { open: () => createReadStream(file), name: file, size: facts.size, digest: hash.digest('base64url') };
  } catch (error) {
    throw new CommerceError('validation', `cannot read ${file}: ${(error as Error).message}`, { cause: error });
  }
}

function inWords({ created, updated, unchanged, refused }: Import): string {
  return `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused`;
}

/** Whether a warning is about the header line, and so about the whole file. */
function isOfFile({ line, kind }: { line: number; kind: string }): boolean {
  return kind === 'warning' && line === 1;
}

/** The summary for a person. */
function summary(done: Import, options: ImportCommandOptions): string {
  const lines = [
    pairs({
      file: `${done.fileName ?? 'standard input'}${done.format ? ` (${done.format})` : ''}`,
      ...(done.dryRun ? { 'dry run': 'nothing was written' } : {}),
      created: done.created,
      updated: done.updated,
      unchanged: done.unchanged,
      refused: done.refused,
      ...(done.warnings > 0 ? { warnings: done.warnings } : {}),
      ...(done.images > 0 ? { images: done.images } : {}),
      ...(done.categories.length > 0 ? { 'new categories': done.categories.join(', ') } : {}),
      ...(done.unusedColumns.length > 0 ? { 'unused columns': done.unusedColumns.join(', ') } : {}),
    }),
  ];
  const told = [
    ...done.problems.map((one) => ({ ...one, kind: 'refused' })),
    ...done.warningsShown.map((one) => ({ ...one, kind: 'warning' })),
  ];
  // Problems of the whole file come before its rows, because there may be hundreds of rows.
  told.sort((a, b) => Number(isOfFile(b)) - Number(isOfFile(a)));
  told.splice(20);
  if (told.length > 0) lines.push('');
  for (const { line, column, value, reason, kind } of told) {
    const where = [column, value === null ? null : JSON.stringify(value)].filter((part) => part !== null).join(' ');
    lines.push(shown(`${kind}: line ${line}${where === '' ? '' : `, ${where}`}: ${reason}`));
  }
  const more = done.refused + done.warnings - told.length;
  if (more > 0 && told.length > 0)
    lines.push(`and ${more} more${options.report ? ` in ${options.report}` : '; use --report FILE to see all'}`);
  if (done.imagesLeft > 0 && !options.images) {
    const advice = done.resource === 'products' ? '; use --images to download them' : '';
    lines.push('', `${done.imagesLeft} images were not downloaded${advice}`);
  }
  return lines.join('\n');
}
