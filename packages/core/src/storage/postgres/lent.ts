import pg from 'pg';
import { CommerceError, invalid, quote } from '../../kernel/errors.ts';
import { type ApplicationPool, describeUrl, type Server } from './server.ts';

/** Connections that a storage uses: a pool of its own, or a part of the application's. */
export type Pool = Pick<pg.Pool, 'query' | 'connect' | 'options' | 'ending' | 'waitingCount'> & {
  end(): Promise<void>;
};

/** Options of a `pg.Pool`. */
interface PoolOptions {
  max?: number;
  connectionString?: string | undefined;
  host?: string | undefined;
  port?: number | undefined;
  user?: string | undefined;
  database?: string | undefined;
}

/** The driver's own maximum. */
const defaultMax = 10;
/** As many as of a pool of ours. */
const mostByDefault = 10;

/** A query that says by which parsers the values of its rows are read. */
interface Asked {
  text: string;
  values?: readonly unknown[];
  types?: object;
}

/**
 * A server that is reached through a pool of the application.
 * @throws CommerceError `validation` on `schema`
 */
export function serverOfPool(pool: ApplicationPool, schema: string): Server {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema) || schema.startsWith('pg_')) {
    const reason = `must be the name of a schema in lower-case letters, digits and _, not ${quote(schema)}`;
    throw invalid('schema', reason);
  }
  const url = urlOf(pool.options);
  const searchPath = `${schema},pg_temp`;
  const location = `${describeUrl(url)} (schema ${schema})`;
  return { url, options: `-c search_path=${searchPath}`, searchPath, location, hasSessions: false, pool, schema };
}

/** The address of a pool's server, without a password if it is not written as an address. */
function urlOf(options: PoolOptions): string {
  const { connectionString, host = 'localhost', port = 5432, user, database = user ?? 'postgres' } = options;
  if (connectionString !== undefined) return connectionString;
  const url = new URL(`postgres://localhost/${encodeURIComponent(database)}`);
  if (user !== undefined) url.username = encodeURIComponent(user);
  if (host.startsWith('/')) url.searchParams.set('host', host);
  else Object.assign(url, { hostname: host, port: String(port) });
  return url.href;
}

/**
 * The number of the application's connections that are used at once.
 * @throws CommerceError `validation` if they are fewer than 2, or leave none to the application
 */
export function connectionsOf(pool: ApplicationPool, wanted: number | undefined): number {
  const { max = defaultMax }: PoolOptions = pool.options;
  if (max < 3) {
    throw invalid(
      'pool',
      `must have a max of at least 3 connections, two for Commerce and one for the rest, not ${max}`,
    );
  }
  const number = wanted ?? Math.min(mostByDefault, Math.max(2, Math.floor(max / 2)));
  if (Number.isInteger(number) && number >= 2 && number < max) return number;
  throw invalid(
    'maxConnections',
    `must be a whole number from 2 to ${max - 1}, which leaves a connection of the pool to the application, not ${quote(number)}`,
  );
}

/** Milliseconds that a connection is waited for; with its place in the pool, so that the pool's own wait needs no end. */
const patience = 10_000;

function tooLate(): CommerceError {
  return new CommerceError(
    'unavailable',
    `no connection of the application's pool was free within ${patience} ms; give the pool a higher max, or let work end that holds a connection`,
  );
}

/**
 * Lends connections of the application's pool, a limited number at once. Everything runs in a transaction, whose settings end with it: a
 * connection goes back as it came, however its work ended. The pool itself is never closed.
 */
export class LentPool {
  readonly #pool: ApplicationPool;
  readonly #max: number;
  readonly #settings: string;
  readonly #convert: (oid: number, format?: 'text') => (value: string) => unknown;
  readonly #hide: (error: unknown) => never;
  readonly #waiting: (() => void)[] = [];
  #lent = 0;
  #ended: (() => void) | undefined;
  /** Kysely asks for them. */
  readonly options = {};
  ending = false;

  constructor(
    pool: ApplicationPool,
    max: number,
    settings: string,
    convert: (oid: number, format?: 'text') => (value: string) => unknown,
    hide: (error: unknown) => never,
  ) {
    this.#pool = pool;
    this.#max = max;
    this.#settings = settings;
    this.#convert = convert;
    this.#hide = hide;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  async connect(): Promise<pg.PoolClient> {
    if (this.ending) throw new CommerceError('unavailable', 'the database is closed');
    const deadline = performance.now() + patience;
    await this.#place();
    try {
      const client = await this.#taken(deadline - performance.now());
      const lent = new LentClient(client, this.#settings, { getTypeParser: this.#convert }, this.#hide, () =>
        this.#leave(),
      );
      return lent as unknown as pg.PoolClient;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  async query(...asked: Parameters<LentClient['query']>): Promise<pg.QueryResult> {
    const client = (await this.connect()) as unknown as LentClient;
    try {
      return await client.query(...asked);
    } finally {
      client.release();
    }
  }

  /** Waits until every connection was given back. */
  async end(): Promise<void> {
    this.ending = true;
    if (this.#lent === 0) return;
    await new Promise<void>((resolve) => {
      this.#ended = resolve;
    });
  }

  async #place(): Promise<void> {
    if (this.#lent < this.#max) {
      this.#lent++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(tooLate());
      }, patience);
      this.#waiting.push(go);
    });
  }

  /** Gives the place to the next. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else if (--this.#lent === 0) this.#ended?.();
  }

  async #taken(time: number): Promise<pg.PoolClient> {
    const taking = this.#pool.connect() as Promise<pg.PoolClient>;
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), Math.max(0, time));
    });
    try {
      return await Promise.race([taking, over]);
    } catch (error) {
      // One that comes later goes back unused.
      taking.then(
        (client) => client.release(),
        () => {},
      );
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}

const ignoreError = () => {};

/**
 * A connection of the application. Queries are sent one after another, because the driver warns of others. A statement outside of a
 * transaction gets one of its own.
 */
class LentClient {
  /** Written to at once: nothing is gained by collecting what is sent one by one. */
  readonly connection = { stream: { cork() {}, uncork() {} } };
  readonly #client: pg.PoolClient;
  readonly #settings: string;
  readonly #types: object;
  readonly #hide: (error: unknown) => never;
  readonly #onReturn: () => void;
  #last: Promise<unknown> = Promise.resolve();
  #inTransaction = false;

  constructor(
    client: pg.PoolClient,
    settings: string,
    types: object,
    hide: (error: unknown) => never,
    onReturn: () => void,
  ) {
    this.#client = client;
    this.#settings = settings;
    this.#types = types;
    this.#hide = hide;
    this.#onReturn = onReturn;
    // If the connection is lost between two statements, the next one reports it.
    client.on('error', ignoreError);
  }

  query(asked: string | Asked, values?: readonly unknown[]): Promise<pg.QueryResult> {
    const query: Asked = typeof asked === 'string' ? { text: asked, ...(values && { values }) } : asked;
    const answer = this.#last.then(() => this.#run(query)).catch(this.#hide);
    this.#last = answer.catch(() => {});
    return answer;
  }

  /** Gives the connection back after its last query; closes it if it could not be brought back to the state in which it came. */
  release(destroy = false): void {
    void this.#last.then(() => {
      this.#client.off('error', ignoreError);
      this.#client.release(destroy || this.#inTransaction);
      this.#onReturn();
    });
  }

  async #run(query: Asked): Promise<pg.QueryResult> {
    const [word = '', next] = query.text.slice(0, 40).toLowerCase().split(' ');
    if (word === 'begin' || word === 'start') return this.#begin(query.text);
    if (word === 'commit' || (word === 'rollback' && next !== 'to')) return this.#end(query.text);
    if (this.#inTransaction) return this.#send(query);
    await this.#begin('begin');
    try {
      const result = await this.#send(query);
      await this.#end('commit');
      return result;
    } catch (error) {
      if (this.#inTransaction) await this.#end('rollback').catch(() => {});
      throw error;
    }
  }

  #begin(text: string): Promise<pg.QueryResult> {
    this.#inTransaction = true;
    return this.#client.query(`${text}; ${this.#settings}`);
  }

  async #end(text: string): Promise<pg.QueryResult> {
    const result = await this.#client.query(text);
    this.#inTransaction = false;
    return result;
  }

  /** Queries of the application have the driver's parsers, in whose place those of its connection are right. */
  #send({ text, values, types = this.#types }: Asked): Promise<pg.QueryResult> {
    const parsed = types === pg.types ? {} : { types };
    return this.#client.query({ text, values: [...(values ?? [])], ...parsed } as pg.QueryConfig);
  }
}

/** Lends a part of the application's pool, like a pool of ours. */
export function lentPool(...args: ConstructorParameters<typeof LentPool>): Pool {
  return new LentPool(...args) as unknown as Pool;
}
