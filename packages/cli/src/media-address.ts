import { type Command, Option } from 'commander';
import { parseBaseUrl } from './input/options.ts';

/** Public address of image files, for the addresses in a command's output. */
export interface MediaAddressOptions {
  publicUrl?: string;
  cdnUrl?: string;
}

/**
 * Adds the options of these addresses to a command.
 * @param fallback the public address if none is given
 */
export function withMediaAddressOptions(command: Command, fallback?: string): Command {
  return command
    .addOption(
      new Option(
        '--public-url <url>',
        `public address of the service${fallback ? `; ${fallback} by default` : ', used in image addresses'}`,
      )
        .env('COMMERCE_PUBLIC_URL')
        .argParser(parseBaseUrl),
    )
    .addOption(
      new Option('--cdn-url <url>', 'base address of images; <public-url>/media by default')
        .env('COMMERCE_CDN_URL')
        .argParser(parseBaseUrl),
    );
}

export function mediaAddress({ publicUrl = '', cdnUrl }: MediaAddressOptions): string {
  return cdnUrl ?? `${publicUrl}/media`;
}
