import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine } from './engine/context.ts';
import type { MediaFiles, MediaPlace } from './engine/media-files.ts';
import type { TaxFunction } from './engine/tax-function.ts';
import type { Clock } from './kernel/clock.ts';
import type { IdSource } from './kernel/ids.ts';
import { withoutTrailing } from './kernel/trailing.ts';
import type { MigrateOptions } from './storage/migrations/index.ts';
import type { Storage } from './storage/storage.ts';

export interface CommerceOptions {
  /** Database: `openSqlite({ file })` or `openPostgres({ url })`. Closed with the instance. */
  storage: Storage;
  clock?: Clock;
  ids?: IdSource;
  /** Migrates the tables; true by default. If false, a database that lacks tables or does not exist is refused, and nothing is written. */
  migrate?: boolean;
  /** Called before the tables of a database with stores are changed, to back it up. If it throws, the database is unchanged. */
  beforeMigrating?: MigrateOptions['beforeMigrating'];
  /** Migrates even if servers of an older version use the database and would fail after it. */
  ignoreOlderServers?: boolean | undefined;
  /** Encrypts the secrets of payment providers and subscriptions in the database. At least 16 characters, the same in every process. */
  secretKey?: string | undefined;
  /** The key that `secretKey` replaces: secrets encrypted with it can be read until `rotateSecrets` has finished. */
  previousSecretKey?: string | undefined;
  /** Allows webhook subscribers on plain HTTP and at any address. For development. */
  allowInsecureWebhooks?: boolean;
  /** Ranges such as `10.1.0.0/16` outside the public internet in which webhook subscribers are allowed. */
  webhookAllow?: readonly string[];
  /** Ranges such as `10.1.0.0/16` in which mail servers of stores can be, beside the public internet. */
  smtpAllow?: readonly string[];
  /** Switches a subscription off after this many milliseconds of only failures; null never does. 5 days by default. */
  disableWebhooksAfter?: number | null;
  /** Spreads retries: returns a number from 0 to less than 1. `Math.random` by default. */
  random?: () => number;
  /** Public URL of the HTTP API, to which buyers return from a wallet. A function if it is known only later. */
  publicUrl?: string | (() => string);
  /** Reckons taxes in place of the settings, for example by a service: asked for quotes, checkouts and orders, outside of transactions. */
  taxes?: TaxFunction;
  /** Storage of media files; without it, images cannot be uploaded. */
  media?: MediaOptions;
  /**
   * False leaves cleaning up the database to another process that has it open. This process then only records when its keys were last used.
   * True by default.
   */
  upkeep?: boolean;
  /** Path of a TrueType or OpenType font for invoices with texts in other scripts than Latin, Greek and Cyrillic. */
  invoiceFont?: string | undefined;
  /** Storage of uploaded files until they are imported. */
  imports?: ImportFileOptions;
}

export interface ImportFileOptions {
  /** A folder on this machine that outlives the process. By default, one for this user in the system's temporary directory. */
  directory?: string | undefined;
  /** Maximum size of a file in bytes; 1 GiB by default. */
  maxBytes?: number | undefined;
}

export interface MediaOptions {
  /** `openMediaFolder({ directory })` or `openMediaBucket({ endpoint, bucket, … })`. */
  files: MediaFiles;
  /**
   * Base URL of the files, without a trailing slash: a CDN, or the public address of `/media`. A function if it is known only later, for
   * example because of the server's port.
   */
  url: string | (() => string);
}

/** Where image files are, by these options. */
export function mediaPlace(options: MediaOptions | undefined): MediaPlace {
  const { files, url = '/media' } = options ?? {};
  return { files, url: () => withoutTrailing(typeof url === 'string' ? url : url(), '/') };
}

const gibibyte = 1024 ** 3;

/** Where uploaded files are kept until they are imported, by these options. */
export function importFiles({ directory, maxBytes = gibibyte }: ImportFileOptions = {}): Engine['importFiles'] {
  // Another user of the machine could have taken a name without the user's number.
  const own = `commerce-imports-${process.getuid?.() ?? 'user'}`;
  return { directory: directory ?? join(tmpdir(), own), maxBytes };
}
