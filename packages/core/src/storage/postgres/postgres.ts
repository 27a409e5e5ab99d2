import { accessSync, constants } from 'node:fs';
import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DialectAdapter, type Expression, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { CommerceError, quote } from '../../kernel/errors.ts';
import { FairQueue, type QueueOptions } from '../../kernel/fair-queue.ts';
import { indexesOf } from '../indexes.ts';
import { migrations } from '../migrations/all.ts';
import { runLater } from '../prepared.ts';
import { runTransaction } from '../run.ts';
import type { Schema } from '../schema.ts';
import { type Db, type SearchIndex, type SearchTable, type Shortcuts, type Storage, shortcutsOf } from '../storage.ts';
import { citus } from './citus.ts';
import { PostgresCounts } from './counts.ts';
import { type Asked, PostgresReplicas, type ReplicaReads, replicaPatience } from './replicas.ts';
import { beginOn, isOutdatedPlan, type Opening, prepareOnServer, queryOn } from './transaction.ts';

export interface PostgresOptions {
  /** `postgres://user:password@host:5432/database` */
  url: string;
  /** Maximum number of connections to the server, four in ten only for reads; 10 by default, and at least 2. */
  maxConnections?: number;
  /** How long a statement waits for a row that another transaction holds, in milliseconds. */
  lockTimeout?: number;
  /** Addresses of streaming replicas of the same database, which can answer lists and items. */
  readUrls?: readonly string[];
  /** Maximum age of a replica's data in milliseconds; 5,000 by default. */
  maxReplicaLag?: number;
}

// int8 and the results of count() and sum() reach JavaScript as strings, because not all of them fit a number. Ours do:
// amounts are bounded by `maxMinor`, the rest are times and counts.
const int8 = 20;
const numeric = 1700;

/** Maximum scans of one store, running and waiting. */
const maxScansOfStore = 2;
const maxScansWaiting = 20;

/** Longest statement of a scan, in milliseconds. */
const maxScanTime = 30_000;

/**
 * Opens a PostgreSQL database (13 or newer, with the contrib module pg_trgm available). Nothing is read until the first query.
 * @throws CommerceError `unavailable` when the address is not one of a PostgreSQL server.
 */
export function openPostgres(options: PostgresOptions): Storage {
  const lockTimeout = options.lockTimeout ?? 10_000;
  const sizes = splitConnections(options.maxConnections ?? 10);
  const turns = new FairQueue(shares(sizes[0], lockTimeout));
  const server = serverOf(options.url);
  const writing = openPool(server, sizes[0], lockTimeout);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: writing }) });
  const { pool: reading, reads, readTurns, snapshot, scan } = openReads(server, sizes[1], lockTimeout);
  const pools = [writing, reading];
  const counts = new PostgresCounts(reads, (work) => runTransaction(storage, work));
  const { location } = server;
  let replicas: PostgresReplicas | undefined;
  const opening = openingOf(server, lockTimeout);
  const storage: Storage = {
    location,
    db,
    reads,
    readTurns,
    begin: () => beginOn(writing, opening),
    snapshot,
    scan,
    oneMoment: (work) =>
      snapshot(async (tx) => {
        // The other side of a copy can take longer over a page than a transaction is allowed to be idle.
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx);
        return work(tx);
      }),
    async takeTurn(storeId) {
      const waiting = turns.enter(storeId);
      if (waiting) await waiting;
      return () => turns.leave(storeId);
    },
    uniqueViolation(error) {
      const { code, constraint, message } = error as { code?: string; constraint?: string; message?: string };
      return code === '23505' ? ruleOf(constraint ?? message ?? '') : undefined;
    },
    // Includes a transaction that was idle for too long: the server gave it up before the next statement arrived.
    isTransient: (error) => hasState(error, '40001', '40P01', '25P03') || isOutdatedPlan(error) || wasNeverSent(error),
    isUnavailable: (error) =>
      hasState(error, '55P03', '57014', '57P01', '57P02', '57P03', '53', '08') ||
      isConnectionError(error) ||
      isFatal(error),
    refusal: (error) => whyRefused(error, options.url),
    // The first key keeps our locks apart from other programs' locks in the database: "Comm" in ASCII.
    lockName: async (tx, name) =>
      void (await sql`select pg_advisory_xact_lock(1131375981, hashtext(${name}))`.execute(tx)),
    inKeyOrder: sql``,
    containsText: (column, folded) => sql`strpos(${column}, ${folded}) > 0`,
    search: trigramIndex('product_search'),
    orderSearch: trigramIndex('order_search'),
    counts,
    indexes: {
      wanted: indexesOf.postgres,
      prepare: reachTrigrams,
      async found() {
        const { rows } = await sql<{ name: string }>`
          select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
          where indisvalid and relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(
          reads,
        );
        return rows.map(({ name }) => name);
      },
    },
    distribution: citus,
    // PostgreSQL's own checks are in amcheck, which needs rights that a service does not have.
    integrity: async () => [],
    async olderConnections() {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_stat_activity
        where datname = current_database() and usename = current_user
          and application_name ~ '^commerce( [0-9]{4})?$' and application_name collate "C" < ${programName}`.execute(
        db,
      );
      return rows[0]?.n ?? 0;
    },
    async isReadOnly() {
      const { rows } = await sql<{ transaction_read_only: string }>`show transaction_read_only`.execute(db);
      return rows[0]?.transaction_read_only === 'on';
    },
    async tables(db = reads) {
      await requireSchema(db, server);
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_class
        where relkind in ('r', 'p') and relnamespace = (select oid from pg_namespace where nspname = current_schema())
          and not exists (select 1 from pg_depend
            where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`.execute(db);
      if (rows.length === 0) await refuseOtherSchema(db, server);
      return rows.map(({ name }) => name);
    },
    async size() {
      const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
        reads,
      );
      const elsewhere = (await citus.extension(reads)) === undefined ? 0 : await citus.sizeElsewhere(reads);
      return (rows[0]?.bytes ?? 0) + elsewhere;
    },
    // Any query already shows whether a server answers.
    check: async () => {},
    grant: (user) => runTransaction(storage, (tx) => grantRows(tx, user)),
    async close() {
      await counts.close();
      await replicas?.close();
      // A pool that ends drops callers that still wait for a connection, or for their store's turn, reads included.
      while (!turns.isIdle || readTurns?.waiting || pools.some((pool) => pool.waitingCount > 0)) await sleep(1);
      await Promise.all([db.destroy(), reads.destroy()]);
      // Kysely ends only the pools that it has used itself.
      await Promise.all(pools.map((pool) => (pool.ending ? undefined : pool.end())));
    },
  };
  const { readUrls = [], maxReplicaLag: maxLag = 5000 } = options;
  if (readUrls.length === 0) return storage;
  replicas = new PostgresReplicas(
    openAsked(server),
    readUrls.map((url) => openReplica(storage, serverOf(url), sizes[1], lockTimeout)),
    { maxLag, position: () => positionOf(reads) },
  );
  return Object.assign(storage, { replicas });
}

/** A pool for reads, and the ways to read with it. */
interface Reads extends Pick<Storage, 'reads' | 'readTurns' | 'snapshot' | 'scan'> {
  pool: pg.Pool;
}

function openReads(server: Server, max: number, lockTimeout: number, more: pg.PoolConfig = {}): Reads {
  const pool = openPool(server, max, lockTimeout, more);
  const reads = new Kysely<Schema>({ dialect: new ReadingDialect({ pool }, server.hasSessions) });
  const snapshot: Storage['snapshot'] = (work) =>
    reads.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(work);
  const scans = new FairQueue({ ofKey: maxScansOfStore, maxWaiting: maxScansWaiting, patience: lockTimeout });
  return {
    pool,
    reads,
    readTurns: new FairQueue(shares(max, lockTimeout)),
    snapshot,
    scan: (storeId, work) =>
      scans.run(storeId, () =>
        snapshot(async (tx) => {
          await sql`set local statement_timeout = ${sql.lit(maxScanTime)}`.execute(tx);
          return work(tx);
        }),
      ),
  };
}

/** A connection for asking a server its position. */
function openAsked(server: Server): Asked {
  const { location } = server;
  const pool = openPool(server, 1, replicaPatience, askedOnly);
  return { location, db: new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }) };
}

const askedOnly = { connectionTimeoutMillis: replicaPatience, query_timeout: replicaPatience };

function openReplica(primary: Storage, server: Server, max: number, lockTimeout: number): ReplicaReads {
  const { pool, reads, readTurns, snapshot, scan } = openReads(server, max, lockTimeout, {
    connectionTimeoutMillis: replicaPatience,
  });
  const refuse = async () => {
    throw new Error('a replica is not written to');
  };
  const asked = openAsked(server);
  return {
    ...asked,
    pools: [pool],
    storage: { ...primary, db: reads, reads, readTurns, snapshot, scan, begin: refuse, lockName: refuse },
    async close() {
      await Promise.all([asked.db.destroy(), reads.destroy()]);
      if (!pool.ending) await pool.end();
    },
  };
}

/** The position after all commits so far, even if commits do not wait for the disk. */
async function positionOf(db: Db): Promise<number> {
  const { rows } = await sql<{
    position: number;
  }>`select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as position`.execute(db);
  if (!rows[0]) throw new Error('the server tells no position');
  return rows[0].position;
}

/**
 * Grants reading and writing rows, on existing tables and on tables of later migrations by the same owner. The list of migrations is
 * read-only.
 */
async function grantRows(tx: Db, user: string): Promise<void> {
  const { rows: found } = await sql`select from pg_roles where rolname = ${user}`.execute(tx);
  if (found.length === 0) {
    throw new CommerceError('notFound', `the server has no role ${quote(user)}; make it with \`create role\` first`);
  }
  const { rows } = await sql<{ schema: string }>`select current_schema() as schema`.execute(tx);
  const schema = sql.id(rows[0]?.schema ?? 'public');
  const role = sql.id(user);
  await sql`grant usage on schema ${schema} to ${role}`.execute(tx);
  await sql`grant select, insert, update, delete on all tables in schema ${schema} to ${role}`.execute(tx);
  await sql`revoke insert, update, delete on schema_migrations from ${role}`.execute(tx);
  await sql`alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role}`.execute(
    tx,
  );
}

/** Runs prepared queries by name on connections that keep the names, bypassing the executor. */
class ReadingDialect extends PostgresDialect {
  readonly #shortcuts: Shortcuts;

  constructor(config: { pool: pg.Pool }, hasSessions: boolean) {
    super(config);
    this.#shortcuts = { run: (query) => queryOn(config.pool, query, hasSessions, true), prepare: prepareOnServer };
  }

  override createAdapter(): DialectAdapter {
    return Object.assign(super.createAdapter(), this.#shortcuts);
  }
}

/**
 * Removes the values from a connection's errors, leaving only the cause: PostgreSQL adds whole rows to them, which would end up in the
 * logs.
 */
function hideRowData(client: pg.PoolClient): void {
  const query = (...args: unknown[]): unknown => {
    const answered = (pg.Client.prototype.query as (...args: unknown[]) => unknown).apply(client, args);
    return answered instanceof Promise ? answered.catch(throwWithoutValues) : answered;
  };
  client.query = query as typeof client.query;
}

function throwWithoutValues(error: unknown): never {
  if (error instanceof pg.DatabaseError) {
    for (const field of ['detail', 'hint', 'where', 'internalQuery'] as const) delete error[field];
    // If a value does not fit its type, the message quotes it: `invalid input syntax for type uuid: "…"`.
    if (error.code?.startsWith('22')) {
      const message = error.message.replace(/: .*$/s, '');
      if (error.stack !== undefined) error.stack = error.stack.replace(error.message, message);
      error.message = message;
    }
  }
  throw error;
}

/** Divides the connections between transactions and reads, so that a store that writes a lot leaves some to others. */
function splitConnections(all: number): [writes: number, reads: number] {
  const reads = Math.max(1, Math.floor(all * 0.4));
  return [Math.max(1, all - reads), reads];
}

/** Transactions or reads of a store that can wait for connections at once. */
const maxInLine = 10_000;

/** Turns at this many connections: a store gets half of them, and only one while others ask too. */
function shares(connections: number, patience: number): QueueOptions {
  return { atOnce: connections, ofKey: Math.ceil(connections / 2), beside: 1, maxWaiting: maxInLine, patience };
}

/** Name of this program at the server, with its last migration, by which a newer program recognises an older one. */
const programName = `commerce ${migrations.at(-1)?.name.slice(0, 4)}`;

function openPool(
  { url, options, searchPath, hasSessions }: Server,
  max: number,
  lockTimeout: number,
  more: pg.PoolConfig = {},
): pg.Pool {
  const settings = hasSessions
    ? {
        // The address's options come last, because the last of two settings of one name counts.
        options: `${[...waits(lockTimeout), 'client_encoding=UTF8', `search_path=${searchPath}`]
          .map((setting) => `-c ${setting}`)
          .join(' ')} ${options}`.trim(),
      }
    : {};
  // The driver reads $USER, which services and containers often lack.
  pg.defaults.user ??= nameOfUser();
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 10_000,
    application_name: programName,
    pipeline: true,
    ...settings,
    types: {
      getTypeParser: ((oid: number, format?: 'text') => parserFor(oid, format)) as typeof pg.types.getTypeParser,
    },
    ...more,
  });
  // An idle connection that the server drops is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  // If one is lost between two statements of a transaction, the next statement reports it; the pool does not listen then.
  pool.on('connect', (client) => {
    client.on('error', () => {});
    hideRowData(client);
  });
  return pool;
}

/** The operating system user of this process; undefined if it is a number without a name, as in some containers. */
function nameOfUser(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}

function parserFor(oid: number, format?: 'text'): (value: string) => unknown {
  return oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format);
}

/** Settings of a transaction: one of a stalled process is ended before callers that wait for its rows give up. */
function waits(lockTimeout: number): string[] {
  return [
    `lock_timeout=${lockTimeout}`,
    `idle_in_transaction_session_timeout=${Math.max(1000, Math.round(lockTimeout / 2))}`,
  ];
}

/** A server as named by its address. */
interface Server {
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
}

function serverOf(url: string): Server {
  const location = describeUrl(url);
  const pooler = new URL(url).searchParams.get('pooler');
  if (pooler !== null && pooler !== 'transaction') {
    throw new CommerceError(
      'unavailable',
      `the address of the database ${location} has pooler=${JSON.stringify(pooler)}; it may be pooler=transaction, or be left out`,
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
      `the address of the database ${location} has options that a pooler of transactions does not keep: beside pooler=transaction they may be -c search_path=name, of small letters, digits and _`,
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
async function requireSchema(db: Db, server: Server): Promise<void> {
  const { rows } = await sql<{ schema: string | null }>`select current_schema() as schema`.execute(db);
  const wanted = schemaOf(server);
  const found = rows[0]?.schema ?? null;
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
async function refuseOtherSchema(db: Db, server: Server): Promise<void> {
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

function openingOf({ hasSessions, searchPath }: Server, lockTimeout: number): Opening {
  if (hasSessions) return { begin: 'begin', isNamed: true };
  const settings = [...waits(lockTimeout), `search_path=${searchPath}`].map((setting) => `; set local ${setting}`);
  return { begin: `begin${settings.join('')}`, isNamed: false };
}

function describeUrl(url: string): string {
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

/**
 * The rule whose index a text names: unique indexes are called `table__column` after their last key column, primary keys `table_pkey`. On a
 * distributed table, the error has the name only in its message, and it is the name of a shard's index: `products__slug_102140`.
 */
function ruleOf(text: string): string | undefined {
  const [, name] = /([a-z][a-z_]*?(?:_pkey|__[a-z_]+?))(?:_\d+)?(?![a-z0-9_])/.exec(text) ?? [];
  return name?.replace(/_pkey$/, '.id').replace('__', '.');
}

function hasState(error: unknown, ...states: string[]): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && code.length === 5 && states.some((state) => code.startsWith(state));
}

/** The connection was already lost before the statement was sent: not even a commit can have run. */
function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && /connection error and is not queryable/.test(error.message);
}

/** Errors with which PostgreSQL ends a session, or refuses to begin one. */
function isFatal(error: unknown): boolean {
  const { severity } = (error ?? {}) as { severity?: unknown };
  return severity === 'FATAL' || severity === 'PANIC';
}

function isConnectionError(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return (
    ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN', '28P01', '28000', '3D000'].includes(
      code ?? '',
    ) ||
    socketOf(error) !== undefined ||
    /Connection terminated|connection error and is not queryable|timeout exceeded when trying to connect/.test(
      message ?? '',
    ) ||
    whyNotTrusted(error) !== undefined
  );
}

/** The Unix socket of a failed connection: it is missing, or belongs to another user. */
function socketOf(error: unknown): string | undefined {
  const { code, syscall, address } = (error ?? {}) as { code?: string; syscall?: string; address?: string };
  return syscall === 'connect' && (code === 'ENOENT' || code === 'EACCES') ? address : undefined;
}

/** Faults of a certificate, by Node.js's code. */
const certificateFaults: Readonly<Record<string, string>> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'is for another name than the address has',
  CERT_HAS_EXPIRED: 'has expired',
  CERT_NOT_YET_VALID: 'is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'was signed by itself alone; name its authority with sslrootcert=<file>',
  SELF_SIGNED_CERT_IN_CHAIN: 'comes from an authority that is not known; name it with sslrootcert=<file>',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'comes from an authority that is not known; name it with sslrootcert=<file>',
  UNABLE_TO_GET_ISSUER_CERT: 'comes from an authority that is not known; name it with sslrootcert=<file>',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'comes from an authority that is not known; name it with sslrootcert=<file>',
  CERT_SIGNATURE_FAILURE: 'was not signed by the authority in sslrootcert',
};

/** Reason why a TLS connection failed; undefined for other errors. */
function whyNotTrusted(error: unknown): string | undefined {
  const { code = '', message = '' } = (error ?? {}) as { code?: string; message?: string };
  const fault = Object.hasOwn(certificateFaults, code) ? certificateFaults[code] : undefined;
  if (fault !== undefined) return `the certificate of the server ${fault}`;
  return /server does not support SSL/.test(message)
    ? 'the server does not speak TLS, which the address asks for'
    : undefined;
}

/** The fault of the address, told from the error; undefined if trying again can help. */
function whyRefused(error: unknown, url: string): string | undefined {
  const { code, message = '', errors } = (error ?? {}) as { code?: string; message?: string; errors?: unknown[] };
  const { host, hostname, username } = new URL(url);
  const user = username ? `the user ${JSON.stringify(decodeURIComponent(username))}` : 'the user';
  if (/password must be a string|empty password/i.test(message)) {
    return `the server wants a password of ${user}, and the address has none`;
  }
  if (code === '28P01') return `the password is wrong, or there is no such user (${message})`;
  if (code === '28000') return `the server does not let ${user} in (${message})`;
  if (code === '42501') {
    return `${user} may not use its tables (${message}); run \`commerce migrate --grant-to\` with its name as their owner`;
  }
  if (code === '3D000') return `the server has no such database (${message})`;
  if (code === '55000' && isFatal(error)) return `the database does not allow connections at present (${message})`;
  const distrust = whyNotTrusted(error);
  if (distrust !== undefined) return distrust;
  if (/unsupported startup parameter/.test(message)) {
    return `the pooler at ${host} refuses what sessions are set up with (${message}); if it pools transactions, add pooler=transaction to the address`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the host ${JSON.stringify(hostname)} is not known`;
  const socket = socketOf(error);
  if (socket !== undefined) {
    return code === 'EACCES'
      ? `this user of the machine may not connect to the socket ${quote(socket)}`
      : `no PostgreSQL listens at the socket ${quote(socket)}; is it running, and the folder right?`;
  }
  // If a name has several addresses, each has its own error.
  if (code === 'ECONNREFUSED' || errors?.some((one) => (one as { code?: string }).code === 'ECONNREFUSED')) {
    return `no PostgreSQL listens at ${host}; is it running, and the port right?`;
  }
  return undefined;
}

/**
 * Creates the extension and puts its operators on the search path of this transaction: managed services often have it in its own schema.
 */
async function reachTrigrams(tx: Db): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(tx);
  await sql`
    select set_config('search_path', current_setting('search_path') || ', ' || quote_ident(nspname), true)
    from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm'`.execute(tx);
}

/** A separate table with a trigram index, so that the index is written only when words change. */
function trigramIndex(table: SearchTable): SearchIndex {
  const name = sql.raw(table);
  return {
    async create(tx) {
      await reachTrigrams(tx);
      await sql`create table ${name} (
      store_id text not null, number bigint not null, text text not null, primary key (store_id, number))`.execute(tx);
      await sql`create index ${sql.raw(`${table}__text`)} on ${name} using gin (text gin_trgm_ops)`.execute(tx);
    },
    async put(tx, { store, number }, folded) {
      const put = sql`insert into ${name} (store_id, number, text) values (${store.id}, ${number}, ${folded})
      on conflict (store_id, number) do update set text = excluded.text`.compile(tx);
      shortcutsOf(tx).prepare?.(put.sql);
      await runLater(tx, put);
    },
    async putNew(tx, store, texts) {
      for (let i = 0; i < texts.length; i += 200) {
        const some = texts.slice(i, i + 200);
        const [only] = some;
        // Two lists, so that the statement is the same for any number of rows. A single row uses VALUES, which Citus can route to its
        // shard.
        const put =
          only && some.length === 1
            ? sql`insert into ${name} (store_id, number, text)
        values (${store.id}, ${only.number}, ${only.folded})`.compile(tx)
            : sql`insert into ${name} (store_id, number, text)
        select ${store.id}::text, * from unnest(${some.map(({ number }) => number)}::bigint[], ${some.map(({ folded }) => folded)}::text[])`.compile(
                tx,
              );
        shortcutsOf(tx).prepare?.(put.sql);
        await runLater(tx, put);
      }
    },
    async remove(tx, { store, number }) {
      await sql`delete from ${name} where store_id = ${store.id} and number = ${number}`.execute(tx);
    },
    async texts(db, store, after, limit) {
      const { rows } = await sql<{ number: number; text: string }>`select number, text from ${name}
        where store_id = ${store.id} and number > ${after} order by number limit ${limit}`.execute(db);
      return rows;
    },
    find(store, folded) {
      const pattern = `%${folded.replace(/[\\%_]/g, '\\$&')}%`;
      return sql`(select number from ${name} where store_id = ${store.id} and text like ${pattern})`;
    },
    // A scalar subquery instead of a join: the planner would read the whole table to join it.
    contains(store, number: Expression<number>, folded: string) {
      return sql`strpos((select text from ${name} where store_id = ${store.id} and number = ${number}), ${folded}) > 0`;
    },
  };
}
