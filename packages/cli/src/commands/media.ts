import { type Commerce, sweepMedia } from '@commerce/core';
import { Command } from 'commander';
import { type DatabaseOptions, withCommerce } from '../database.ts';
import { openMediaFiles } from '../media-files.ts';
import { type MediaFileOptions, withMediaFileOptions } from '../media-options.ts';
import { newCommand } from '../options.ts';
import { print } from '../print.ts';

type SweepOptions = DatabaseOptions & MediaFileOptions & { dryRun?: boolean; json?: boolean };

export function mediaCommand(): Command {
  const sweep = newCommand('sweep', 'remove files without an image that a crash left behind, once they are an hour old')
    .option('--dry-run', 'list the files and remove none')
    .action(runSweep);
  return new Command('media').description('look after the files of images').addCommand(withMediaFileOptions(sweep));
}

function runSweep(options: SweepOptions, command: Command): Promise<void> {
  const { dryRun = false } = options;
  // A sweep prints no addresses.
  const media = { files: openMediaFiles(options, command), url: '/media' };
  const work = async ({ engine }: Commerce) => {
    const swept = await sweepMedia(engine, { dryRun });
    print(options, { dryRun, ...swept }, () => {
      const count = swept.files.length === 1 ? '1 file' : `${swept.files.length} files`;
      return [...swept.files, `${dryRun ? 'would remove' : 'removed'} ${count}, ${swept.bytes} bytes`].join('\n');
    });
  };
  return withCommerce(options, work, false, { media });
}
