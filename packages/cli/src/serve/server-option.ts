import { Option } from 'commander';
import { type DatabaseOptions, isPostgres } from '../database.ts';
import { parseBaseUrl } from '../input/options.ts';
import { UsageError } from '../usage-error.ts';
import { addressOf } from './address-file.ts';

/** Options of a command that uses a running server. */
export interface ServerOptions extends DatabaseOptions {
  server?: string;
}

/** The address at which a command reaches the server; found by itself for a SQLite file. */
export function serverOption(): Option {
  return new Option('--server <url>', 'address of the running server; by default, the one that uses this SQLite file')
    .env('COMMERCE_SERVER')
    .argParser(parseBaseUrl);
}

/**
 * The public address of the service, if the environment has it.
 * @throws UsageError if it is malformed
 */
export function publicUrl(): string | undefined {
  const given = process.env.COMMERCE_PUBLIC_URL;
  if (!given) return undefined;
  try {
    return parseBaseUrl(given);
  } catch (error) {
    throw new UsageError(`COMMERCE_PUBLIC_URL: '${given}' is invalid. ${(error as Error).message}`);
  }
}

/**
 * The address of the running server, without a slash at its end; it can have a path.
 * @param otherwise comes before an address that is found, such as the public address in links
 * @throws UsageError if none is given or found
 */
export function runningServer({ server, db }: ServerOptions, otherwise?: string): string {
  const address = server ?? otherwise ?? addressOf(db);
  if (address !== undefined) return address;
  const what = `no running server was found for ${isPostgres(db) ? 'this database' : db}`;
  throw new UsageError(`${what}: start one, or give its address, such as --server http://127.0.0.1:3000`);
}
