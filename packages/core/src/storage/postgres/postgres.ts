import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import { CommerceError, quote } from '../../kernel/errors.ts';
import { FairQueue } from '../../kernel/fair-queue.ts';
import { indexesOf } from '../indexes.ts';
import { runTransaction } from '../run.ts';
import type { Schema } from '../schema.ts';
import type { Db, Storage } from '../storage.ts';
import { citus } from './citus.ts';
import { PostgresCounts } from './counts.ts';
import { isTransient, isUnavailable, uniqueViolation, whyRefused } from './faults.ts';
import { connectionsOf, serverOfPool } from './lent.ts';
import { openingOf, openPool, programName, shares, splitConnections } from './pool.ts';
import { openReads } from './reads.ts';
import { type Asked, PostgresReplicas, type ReplicaReads, replicaPatience } from './replicas.ts';
import { reachTrigrams, trigramIndex } from './search.ts';
import { type ApplicationPool, refuseOtherSchema, requireSchema, type Server, serverOf } from './server.ts';
import { beginOn } from './transaction.ts';

interface ServerOptions {
  /** How long a statement waits for a row that another transaction holds, in milliseconds. */
  lockTimeout?: number;
}

/** A server by its address. */
export interface AddressOptions extends ServerOptions {
  /** `postgres://user:password@host:5432/database` */
  url: string;
  /** Maximum number of connections to the server, four in ten only for reads; 10 by default, and at least 2. */
  maxConnections?: number;
  /**
   * Accepts a schema in which the application has tables of its own, and creates the tables of Commerce beside them. Without this, a schema
   * that began with other tables is refused.
   */
  ownTables?: boolean;
  /** Addresses of streaming replicas of the same database, which can answer lists and items. */
  readUrls?: readonly string[];
  /** Maximum age of a replica's data in milliseconds; 5,000 by default. */
  maxReplicaLag?: number;
}

/** A server by a pool of the application. */
export interface PoolOptions extends ServerOptions {
  /**
   * The application's own `pg.Pool`, which is never closed by Commerce. Settings are made for one transaction at a time, and values are
   * read by parsers of each query: a connection goes back as it came.
   */
  pool: ApplicationPool;
  /** The existing PostgreSQL schema of the tables of Commerce, in which the application can have its own: `public` by default. */
  schema?: string;
  /**
   * Maximum number of the pool's connections that are used at once, four in ten only for reads: by default half of the pool's `max`, from 2
   * to 10. Fewer than the pool's `max`.
   */
  maxConnections?: number;
}

export type PostgresOptions = AddressOptions | PoolOptions;

/**
 * Opens a PostgreSQL database (13 or newer, with the contrib module pg_trgm available). Nothing is read until the first query.
 * @throws CommerceError `unavailable` when the address is not one of a PostgreSQL server; `validation` on `schema`, `pool` or
 * `maxConnections` if the application's pool cannot be used like that
 */
export function openPostgres(options: PostgresOptions): Storage {
  const lockTimeout = options.lockTimeout ?? 10_000;
  const byPool = 'pool' in options;
  const server = byPool ? serverOfPool(options.pool, options.schema ?? 'public') : serverOf(options.url);
  const { maxConnections = 10 } = options;
  const sizes = splitConnections(byPool ? connectionsOf(options.pool, options.maxConnections) : maxConnections);
  const turns = new FairQueue(shares(sizes[0], lockTimeout));
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
    hasOwnTables: byPool || (options.ownTables ?? false),
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
    uniqueViolation,
    isTransient,
    isUnavailable,
    refusal: (error) => whyRefused(error, server.url),
    // The first key keeps our locks apart from other programs' locks in the database: "Comm" in ASCII.
    lockName: async (tx, name) =>
      void (await sql`select pg_advisory_xact_lock(1131375981, hashtext(${name}))`.execute(tx)),
    inKeyOrder: sql``,
    byBytes: sql`collate "C"`,
    entriesOf: (json, field, kind) =>
      kind === 'object'
        ? sql`json_each_text((${json})::json -> ${sql.lit(field)}) as entry(key, value)`
        : sql`json_array_elements_text((${json})::json -> ${sql.lit(field)}) as entry(value)`,
    containsText: (column, words) =>
      sql`(${sql.join(
        words.map((word) => sql`strpos(${column}, ${word}) > 0`),
        sql` and `,
      )})`,
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
  if (byPool) return storage;
  const { readUrls = [], maxReplicaLag: maxLag = 5000 } = options;
  if (readUrls.length === 0) return storage;
  replicas = new PostgresReplicas(
    openAsked(server),
    readUrls.map((url) => openReplica(storage, serverOf(url), sizes[1], lockTimeout)),
    { maxLag, position: () => positionOf(reads) },
  );
  return Object.assign(storage, { replicas });
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
    throw new Error('a replica is read-only');
  };
  const asked = openAsked(server);
  return {
    ...asked,
    // A replica has an address, so the pool is one of ours.
    pools: [pool as pg.Pool],
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
    throw new CommerceError(
      'notFound',
      `the role ${quote(user)} does not exist on the server; create it with \`create role\` first`,
    );
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
