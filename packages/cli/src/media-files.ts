import { type MediaFiles, type MediaOptions, openMediaBucket, openMediaFolder } from '@commerce/core';
import type { Command } from 'commander';
import { type MediaAddressOptions, mediaAddress, withMediaAddressOptions } from './media-address.ts';
import { type MediaFileOptions, withMediaFileOptions } from './media-options.ts';

/** Place of media files, with the public addresses to print. */
export interface MediaPlaceOptions extends MediaFileOptions, MediaAddressOptions {}

/** Adds the options for the place of files and for their addresses to a command that is not a server. */
export function withMediaPlaceOptions(command: Command): Command {
  return withMediaAddressOptions(withMediaFileOptions(command));
}

export function openMediaPlace(options: MediaPlaceOptions, command: Command): MediaOptions {
  return { files: openMediaFiles(options, command), url: mediaAddress(options) };
}

/** Access keys come only from the environment: the process list shows arguments. */
const accessKeyEnv = 'COMMERCE_MEDIA_S3_ACCESS_KEY_ID';
const secretKeyEnv = 'COMMERCE_MEDIA_S3_SECRET_ACCESS_KEY';

export function openMediaFiles(options: MediaFileOptions, command: Command): MediaFiles {
  const { mediaS3Endpoint: endpoint, mediaS3Bucket: bucket } = options;
  if (endpoint === undefined && bucket === undefined) return openMediaFolder({ directory: options.mediaDir });
  if (endpoint === undefined) return command.error('error: --media-s3-bucket requires --media-s3-endpoint');
  if (bucket === undefined) return command.error('error: --media-s3-endpoint requires --media-s3-bucket');
  const { [accessKeyEnv]: accessKeyId, [secretKeyEnv]: secretAccessKey } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    return command.error(`error: the bucket requires the environment variables ${accessKeyEnv} and ${secretKeyEnv}`);
  }
  const { mediaS3Region: region, mediaS3Prefix: prefix } = options;
  return openMediaBucket({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix });
}
