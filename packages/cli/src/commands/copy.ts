import { type CopyReport, copyDatabase } from '@commerce/core';
import type { Command } from 'commander';
import { type DatabaseOptions, openStorage } from '../database.ts';
import { newCommand } from '../input/options.ts';
import { print, table } from '../output/print.ts';
import { openProgress, rowsOfCopy } from '../progress.ts';

interface CopyCommandOptions extends DatabaseOptions {
  to: string;
  keepMail?: boolean;
  quiet?: boolean;
  json?: boolean;
}

export function copyCommand(): Command {
  return newCommand('copy', 'copy all stores into an empty database and compare the two; image files are not copied', [
    'copy --to postgres://shop@localhost/shop',
    'copy --db postgres://shop@localhost/shop --to shop.db',
  ])
    .requiredOption('--to <file or postgres:// URL>', 'the database to copy into; a SQLite file is created')
    .option('--keep-mail', 'let the copy send the mails that wait; by default it cancels them')
    .option('--quiet', 'do not show progress')
    .action(copy);
}

async function copy(options: CopyCommandOptions): Promise<void> {
  const from = await openStorage(options);
  try {
    const to = await openStorage({ db: options.to }, true);
    try {
      const ending = new AbortController();
      const onSignal = () => ending.abort();
      process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
      const progress = await openProgress(options);
      try {
        const report = await copyDatabase(from, to, {
          signal: ending.signal,
          keepMail: options.keepMail === true,
          onProgress: rowsOfCopy(progress),
        });
        printReport(options, report, to.location);
      } catch (error) {
        if (!ending.signal.aborted) throw error;
        throw Object.assign(
          new Error(`the copy into ${to.location} was interrupted; run the same command again to continue`),
          {
            code: 'ABORTED',
          },
        );
      } finally {
        progress.end();
        process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
      }
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

function printReport(options: CopyCommandOptions, report: CopyReport, location: string): void {
  print(options, report, () =>
    [
      table(report.tables, {
        table: (row) => row.table,
        rows: (row) => row.rows,
        checksum: (row) => row.checksum,
      }),
      '',
      `${location} matches the original: every table has the same rows and checksum`,
    ].join('\n'),
  );
}
