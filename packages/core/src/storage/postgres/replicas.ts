import { sql } from 'kysely';
import type pg from 'pg';
import type { Db, Replica, ReplicaState, Replicas, Storage } from '../storage.ts';

/** Milliseconds that a replica's server has to connect, and to answer questions about itself. */
export const replicaPatience = 2000;

/** Positions of the primary that are kept to tell the age of a replica's data. */
const maxMoments = 50;

/** Connections to one server for asking its position and, if it is a replica, for its reads. */
export interface Asked {
  /** The address, without a password. */
  readonly location: string;
  /** A connection only for these questions, so that a busy pool does not delay them. */
  readonly db: Db;
}

export interface ReplicaReads extends Asked {
  /** The open database, with the reads of this replica. */
  readonly storage: Storage;
  /** Its connections, which are destroyed when it stops answering. */
  readonly pools: readonly pg.Pool[];
  close(): Promise<void>;
}

/** The position of the primary at a moment: everything committed by then has a lower position. */
interface Moment {
  at: number;
  position: number;
}

/** Name of a server's cluster and database; replicas have the same as their primary. */
interface Identity {
  cluster: string;
  database: string;
}

const identity = sql`(select system_identifier::text from pg_control_system()) as cluster, current_database() as database`;

/**
 * Streaming replicas of a PostgreSQL. The age of their data is told by our clock only: the position of the primary is noted from time to
 * time. A replica that has replayed up to it has everything that was committed by then. Reads never wait for this: a replica not known to
 * be young enough is skipped and asked in the background.
 */
export class PostgresReplicas implements Replicas {
  readonly #primary: Asked;
  readonly #replicas: PostgresReplica[];
  readonly #maxLag: number;
  readonly #position: () => Promise<number>;
  readonly #counts = { replica: 0, primary: 0 };
  #moments: Moment[] = [];
  #lookedAt = Number.NEGATIVE_INFINITY;
  #looking: Promise<void> | undefined;
  #next = 0;
  #isClosed = false;

  /**
   * @param maxLag maximum age of a replica's data in milliseconds
   * @param position reads the position of the primary after all commits so far
   */
  constructor(
    primary: Asked,
    replicas: readonly ReplicaReads[],
    { maxLag, position }: { maxLag: number; position: () => Promise<number> },
  ) {
    this.#primary = primary;
    this.#replicas = replicas.map((reads) => new PostgresReplica(reads));
    this.#maxLag = maxLag;
    this.#position = position;
  }

  choose(after: string | undefined): Replica | undefined {
    this.#lookSometimes();
    const from = after === undefined ? 0 : positionOf(after);
    const oldest = performance.now() - this.#maxLag;
    for (let i = 0; i < this.#replicas.length; i++) {
      const replica = this.#replicas[(this.#next + i) % this.#replicas.length] as PostgresReplica;
      if (!replica.isUp || replica.asOf < oldest || replica.position < from) continue;
      this.#next = (this.#next + i + 1) % this.#replicas.length;
      this.#counts.replica++;
      return replica;
    }
    this.#counts.primary++;
    return undefined;
  }

  repeated(): void {
    this.#counts.replica--;
    this.#counts.primary++;
  }

  async position(): Promise<string> {
    return String(await this.#position());
  }

  get reads(): Readonly<Record<'replica' | 'primary', number>> {
    return this.#counts;
  }

  async states(): Promise<ReplicaState[]> {
    await this.#look();
    const now = performance.now();
    return this.#replicas.map(({ location, isUp, asOf }) => ({
      location,
      isUp,
      lag: Number.isFinite(asOf) ? now - asOf : undefined,
    }));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    await Promise.all([this.#primary.db.destroy(), ...this.#replicas.map((replica) => replica.close())]);
  }

  #lookSometimes(): void {
    if (performance.now() - this.#lookedAt >= this.#maxLag / 5) void this.#look();
  }

  /** Asks all servers for their position; never fails. Simultaneous calls share one look. */
  #look(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#looking ??= this.#ask().finally(() => {
      this.#lookedAt = performance.now();
      this.#looking = undefined;
    });
    return this.#looking;
  }

  async #ask(): Promise<void> {
    const at = performance.now();
    const primary = await sql<Identity & { position: number }>`
      select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as position, ${identity}`
      .execute(this.#primary.db)
      .then(
        ({ rows }) => rows[0],
        () => undefined,
      );
    if (primary) {
      this.#moments.push({ at, position: primary.position });
      this.#moments = this.#moments.slice(-maxMoments);
    }
    await Promise.all(this.#replicas.map((replica) => replica.ask(primary, this.#moments)));
  }
}

class PostgresReplica implements Replica {
  readonly location: string;
  readonly storage: Storage;
  /** True if it answered the last question, and follows our primary. */
  isUp = false;
  /** Position up to which it has replayed. */
  position = 0;
  /** Moment of this process up to which it has all commits. */
  asOf = Number.NEGATIVE_INFINITY;
  readonly #reads: ReplicaReads;
  readonly #clients = new Set<pg.PoolClient>();
  /** Set once the replica is known to follow our primary: it is not compared again while the primary does not answer. */
  #isOurs = false;

  constructor(reads: ReplicaReads) {
    this.#reads = reads;
    this.location = reads.location;
    this.storage = reads.storage;
    for (const pool of reads.pools) {
      pool.on('connect', (client) => this.#clients.add(client));
      pool.on('remove', (client) => this.#clients.delete(client));
    }
  }

  failed(): void {
    this.isUp = false;
  }

  async ask(primary: Identity | undefined, moments: readonly Moment[]): Promise<void> {
    try {
      const { rows } = await sql<Identity & { position: number | null; follows: boolean }>`
        select pg_is_in_recovery() as follows, pg_last_wal_replay_lsn() - '0/0'::pg_lsn as position, ${identity}`.execute(
        this.#reads.db,
      );
      const [found] = rows;
      if (primary) this.#isOurs = found?.cluster === primary.cluster && found.database === primary.database;
      const position = found?.position ?? undefined;
      // A replica that was promoted to a primary has data of its own.
      if (!found?.follows || !this.#isOurs || position === undefined) {
        this.isUp = false;
        return;
      }
      this.position = position;
      for (const moment of moments) if (moment.position <= position) this.asOf = Math.max(this.asOf, moment.at);
      this.isUp = true;
    } catch {
      this.isUp = false;
      // Reads that wait for a stalled replica would wait as long as it stalls. Now they fail and go to the primary.
      for (const client of this.#clients) destroy(client);
    }
  }

  close(): Promise<void> {
    return this.#reads.close();
  }
}

function destroy(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** The position that a client sends back. Anything else counts as beyond every replica, so that the primary answers. */
function positionOf(text: string): number {
  return /^\d{1,16}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
}
