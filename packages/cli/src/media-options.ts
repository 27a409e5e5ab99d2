import { type Command, Option } from 'commander';
import type { OptionGroups } from './input/help-groups.ts';
import { parseBaseUrl } from './input/options.ts';

/** Place of media files: a folder, or a bucket if one is named. */
export interface MediaFileOptions {
  mediaDir: string;
  mediaS3Endpoint?: string;
  mediaS3Bucket?: string;
  mediaS3Region: string;
  mediaS3Prefix: string;
}

/** The options of a place that is not a folder, as a group of the help. */
export const mediaPlaceGroup: OptionGroups = {
  'Images in S3 or behind a CDN': [
    '--media-s3-endpoint',
    '--media-s3-bucket',
    '--media-s3-region',
    '--media-s3-prefix',
    '--cdn-url',
  ],
};

/** Adds the options for the place of files to a command. */
export function withMediaFileOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--media-dir <folder>', 'the folder for uploaded images; created with the first upload')
        .env('COMMERCE_MEDIA_DIR')
        .default('media'),
    )
    .addOption(
      new Option('--media-s3-endpoint <url>', 'store images in S3-compatible storage at this address instead')
        .env('COMMERCE_MEDIA_S3_ENDPOINT')
        .argParser(parseBaseUrl),
    )
    .addOption(new Option('--media-s3-bucket <name>', 'the bucket').env('COMMERCE_MEDIA_S3_BUCKET'))
    .addOption(
      new Option('--media-s3-region <name>', 'its region').env('COMMERCE_MEDIA_S3_REGION').default('us-east-1'),
    )
    .addOption(
      new Option('--media-s3-prefix <text>', 'prefix of the keys, such as shop/')
        .env('COMMERCE_MEDIA_S3_PREFIX')
        .default(''),
    );
}
