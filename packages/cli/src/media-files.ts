import { type MediaFiles, openMediaBucket, openMediaFolder } from '@commerce/core';
import type { Command } from 'commander';
import type { MediaFileOptions } from './media-options.ts';

/** Access keys come from the environment alone: arguments show in the list of processes. */
const accessKeyEnv = 'COMMERCE_MEDIA_S3_ACCESS_KEY_ID';
const secretKeyEnv = 'COMMERCE_MEDIA_S3_SECRET_ACCESS_KEY';

export function openMediaFiles(options: MediaFileOptions, command: Command): MediaFiles {
  const { mediaS3Endpoint: endpoint, mediaS3Bucket: bucket } = options;
  if (endpoint === undefined && bucket === undefined) return openMediaFolder({ directory: options.mediaDir });
  if (endpoint === undefined) return command.error('error: --media-s3-bucket needs --media-s3-endpoint');
  if (bucket === undefined) return command.error('error: --media-s3-endpoint needs --media-s3-bucket');
  const { [accessKeyEnv]: accessKeyId, [secretKeyEnv]: secretAccessKey } = process.env;
  if (!accessKeyId || !secretAccessKey) {
    return command.error(`error: the bucket needs the environment variables ${accessKeyEnv} and ${secretKeyEnv}`);
  }
  const { mediaS3Region: region, mediaS3Prefix: prefix } = options;
  return openMediaBucket({ endpoint, bucket, region, accessKeyId, secretAccessKey, prefix });
}
