import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import {
  type Commerce,
  createMedia,
  deleteMedia,
  getMedia,
  listMedia,
  type Media,
  type MediaUpload,
  sweepMedia,
  updateMedia,
  uploadLimits,
  uploadTypeOf,
} from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { type DatabaseOptions, withCommerce } from '../../database.ts';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { type MediaPlaceOptions, openMediaFiles, openMediaPlace, withMediaPlaceOptions } from '../../media-files.ts';
import { type MediaFileOptions, mediaPlaceGroup, withMediaFileOptions } from '../../media-options.ts';
import { print, table } from '../../output/print.ts';
import { type Options, type Resource, resourceCommand } from '../../resource/resource.ts';
import { UsageError } from '../../usage-error.ts';

const media: Resource<Media> = {
  kind: 'media',
  noun: 'image',
  names: 'its id',
  listing: {
    item: 'Media',
    filters: {
      mimeType: { flags: '--mime-type <type>', description: 'only images of this type, such as image/png or image/' },
      ids: { flags: '--ids <ids>', description: 'only the images with these ids, separated by commas' },
    },
    columns: {
      id: (one) => one.id,
      type: (one) => one.mimeType,
      size: (one) => `${one.width}×${one.height}`,
      bytes: (one) => one.fileSize,
      'alt text': (one) => one.altText,
      created: (one) => one.createdAt,
    },
    read: listMedia,
  },
  title: (one) => one.altText ?? one.id,
  show: getMedia,
  update: { schema: 'MediaChanges', run: updateMedia },
  delete: deleteMedia,
  extend: (command) => withGroups(withMediaPlaceOptions(command), mediaPlaceGroup),
  open: (options: MediaPlaceOptions, command) => ({ media: openMediaPlace(options, command) }),
  texts: {
    list: 'list the images of a store, newest first',
    delete: 'delete an image and its files',
  },
  examples: {
    list: ['media list --mime-type image/png', 'media list --columns id,url --jsonl'],
    show: ['media show 0193d3ef-c080', 'media show 0193d3ef-c080 --json'],
    update: ['media update 0193d3ef-c080 --alt-text "A blue mug"', 'media update 0193d3ef-c080 --clear altText'],
    delete: ['media delete 0193d3ef-c080', 'media delete 0193d3ef-c080 --yes'],
  },
};

export function mediaCommand(): Command {
  const group = resourceCommand('media', 'upload, list and delete images, and manage their files', media);
  const upload = newCommand('upload', 'upload images, all of them or none', [
    'media upload mug.jpg cup.png',
    'media upload photos/*.jpg --json',
  ])
    .argument('<files...>', `files of JPEG, PNG, WebP or GIF, at most ${uploadLimits.files}`)
    .addOption(storeOption())
    .action(runUpload);
  const sweep = newCommand(
    'sweep',
    'remove files without an image that a crash left behind, once they are an hour old',
    ['media sweep --dry-run', 'media sweep --media-dir /srv/shop/media'],
  )
    .option('--dry-run', 'list the files and remove none')
    .action(runSweep);
  return group.addCommand(withMediaPlaceOptions(upload)).addCommand(withMediaFileOptions(sweep));
}

type UploadOptions = Options & MediaPlaceOptions;

async function runUpload(files: string[], options: UploadOptions, command: Command): Promise<void> {
  if (files.length > uploadLimits.files) {
    command.error(`error: at most ${uploadLimits.files} files are uploaded at once, not ${files.length}`);
  }
  const uploads: MediaUpload[] = [];
  for (const file of files) uploads.push(await toUpload(file));
  await withCommerce(
    options,
    async (commerce) => {
      const items = await createMedia(await storeContext(commerce, options.store), uploads);
      const rows = items.map((item, i) => ({ item, file: files[i] ?? '' }));
      print(options, { items, total: items.length }, () =>
        table(rows, { file: (row) => row.file, id: (row) => row.item.id, url: (row) => row.item.url }),
      );
    },
    { media: openMediaPlace(options, command) },
  );
}

async function toUpload(file: string): Promise<MediaUpload> {
  const facts = await stat(file).catch((error: Error) => {
    throw new UsageError(`cannot read ${file}: ${error.message}`);
  });
  if (!facts.isFile()) throw new UsageError(`cannot read ${file}: it is no file`);
  const mimeType = await typeOfFile(file);
  if (mimeType === undefined) throw new UsageError(`${file}: it is not a JPEG, PNG, WebP, GIF or AVIF image`);
  return { fileName: basename(file), mimeType, content: createReadStream(file) };
}

/** The type by the first bytes: names of images are unreliable. */
async function typeOfFile(name: string): Promise<string | undefined> {
  const file = await open(name).catch((error: Error) => {
    throw new UsageError(`cannot read ${name}: ${error.message}`);
  });
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0);
    return uploadTypeOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

type SweepOptions = DatabaseOptions & MediaFileOptions & { dryRun?: boolean; json?: boolean };

function runSweep(options: SweepOptions, command: Command): Promise<void> {
  const { dryRun = false } = options;
  // A sweep does not print addresses.
  const place = { files: openMediaFiles(options, command), url: '/media' };
  const work = async ({ engine }: Commerce) => {
    const swept = await sweepMedia(engine, { dryRun });
    print(options, { dryRun, ...swept }, () => {
      const count = swept.files.length === 1 ? '1 file' : `${swept.files.length} files`;
      return [...swept.files, `${dryRun ? 'would remove' : 'removed'} ${count}, ${swept.bytes} bytes`].join('\n');
    });
  };
  return withCommerce(options, work, { media: place });
}
