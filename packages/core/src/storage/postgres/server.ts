import { accessSync, constants } from 'node:fs';
import { sql } from 'kysely';
import { CommerceError, quote } from '../../kernel/errors.ts';
import type { Db } from '../storage.ts';

/** What is used of the application's `pg.Pool`. */
export interface ApplicationPool {
  readonly options: object;
  connect(): Promise<{ release(destroy?: boolean): void }>;
}

/** A server as named by its address. */
export interface Server {
  /** The address without its `options`. */
  readonly url: string;
  /** Settings of a session that the address names, such as `-c search_path=shop`. */
  readonly options: string;
  /**
   * Schemas in which names are looked up. No setting of the role or of the database decides this, because both can change under a running
   * service.
   */
  readonly searchPath: string;
  /** The address without a password. */
  readonly location: string;
  /** False if each transaction can get another connection of the server, which keeps nothing from the previous one. */
  readonly hasSessions: boolean;
  /** The application's pool, by which the server is reached, and the schema of our tables. */
  readonly pool?: ApplicationPool;
  readonly schema?: string;
}

export function serverOf(url: string): Server {
  const location = describeUrl(url);
  const pooler = new URL(url).searchParams.get('pooler');
  if (pooler !== null && pooler !== 'transaction') {
    throw new CommerceError(
      'unavailable',
      `the address of the database ${location} has pooler=${JSON.stringify(pooler)}; use pooler=transaction or omit it`,
    );
  }
  requireCertificates(url, location);
  const hasSessions = pooler === null;
  return { ...sessionOf(url, location, hasSessions), location, hasSessions };
}

/** The schema of an address that does not name one. */
const defaultSchema = 'public';

/** @throws CommerceError `unavailable` when a pooler of transactions could not pass the options on */
function sessionOf(address: string, location: string, hasSessions: boolean) {
  const url = new URL(address);
  const options = (url.searchParams.get('options') ?? '').trim();
  const [setting, named] = /(?:-c *|--)search_path=(\S+)/.exec(options) ?? [];
  // Temporary tables come last: unless they are named, they are looked for first.
  const searchPath = named ?? `${defaultSchema},pg_temp`;
  if (options === '') return { url: address, options, searchPath };
  url.searchParams.delete('options');
  // The search path becomes part of a statement there.
  if (!hasSessions && (setting !== options || !/^[a-z_][a-z0-9_,]*$/.test(searchPath))) {
    throw new CommerceError(
      'unavailable',
      `the address of the database ${location} has options that a transaction pooler does not keep: with pooler=transaction, only -c search_path=name is allowed, with lower-case letters, digits and _`,
    );
  }
  return { url: url.href, options, searchPath };
}

/** The schema of an address, named or default; undefined if the server has to be asked, as for `$user`. */
function schemaOf({ searchPath }: Server): string | undefined {
  return /^([a-z_][a-z0-9_]*)(?:,|$)/.exec(searchPath)?.[1];
}

/**
 * A pooler can drop the settings of a session; the `search_path` of a role or database then decides where reads look.
 * @throws CommerceError `unavailable` if another schema is in use than the address's
 */
export async function requireSchema(db: Db, server: Server): Promise<void> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
  const wanted = schemaOf(server);
  const found = rows[0]?.schema ?? null;
  // A connection of the application has this path by a statement of ours: no other setting can lead elsewhere.
  if (server.schema !== undefined && found !== server.schema) {
    throw new CommerceError(
      'unavailable',
      `the schema ${quote(server.schema)} does not exist in the database ${server.location}, or its user may not use it: create it first`,
    );
  }
  // Without a schema the database has no tables; creating them reports that it is not allowed.
  if (wanted === undefined || found === null || found === wanted) return;
  throw new CommerceError(
    'unavailable',
    `the database ${server.location} uses the schema ${quote(found)} and not ${quote(wanted)}: ${howToName(found)}, or set the role's search_path to ${wanted}`,
  );
}

/**
 * An address without a schema means `public`. If a setting of the role or the database leads to our tables elsewhere, creating new ones
 * here would give an empty shop.
 */
export async function refuseOtherSchema(db: Db, server: Server): Promise<void> {
  if (server.options.includes('search_path=')) return;
  const { rows } = await sql<{ schema: string }>`
    select nspname as schema
    from pg_db_role_setting
      cross join unnest(setconfig) as setting
      join pg_namespace on nspname = any (string_to_array(translate(substr(setting, length('search_path=') + 1), '" ', ''), ','))
      join pg_class on relnamespace = pg_namespace.oid and relname = 'schema_migrations' and relkind in ('r', 'p')
    where setting like 'search\\_path=%' and nspname <> ${defaultSchema}
      and setrole in (0, (select oid from pg_roles where rolname = current_user))
      and setdatabase in (0, (select oid from pg_database where datname = current_database()))
    limit 1`.execute(db);
  const [other] = rows;
  if (!other) return;
  throw new CommerceError(
    'unavailable',
    `the tables in the database ${server.location} are in the schema ${quote(other.schema)}, which only a setting of the role or the database names: ${howToName(other.schema)}`,
  );
}

function howToName(schema: string): string {
  return `add ${quote(`options=-c%20search_path%3D${encodeURIComponent(schema)}`)} to the address if it is the right one`;
}

/** @throws CommerceError `unavailable` when a file that the address names for TLS cannot be read */
function requireCertificates(url: string, location: string): void {
  const { searchParams } = new URL(url);
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = searchParams.get(name);
    if (file === null) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch (cause) {
      throw new CommerceError(
        'unavailable',
        `the file ${quote(file)} that ${name} names in the address of the database ${location} cannot be read`,
        { cause },
      );
    }
  }
}

export function describeUrl(url: string): string {
  try {
    const { protocol, host, pathname, searchParams } = new URL(url);
    if (protocol !== 'postgres:' && protocol !== 'postgresql:') throw new Error(protocol);
    // A socket is named as postgres:///name?host=/folder.
    const socket = searchParams.get('host');
    if (host === '' && socket === null) throw new Error('no host');
    return `${protocol}//${host}${pathname}${socket === null ? '' : `?host=${socket}`}`;
  } catch (error) {
    // The address can hold a password, so it is not quoted.
    throw new CommerceError('unavailable', 'the database address is not of the form postgres://user@host:5432/name', {
      cause: error,
    });
  }
}
