import { userInfo } from 'node:os';
import pg from 'pg';
import type { QueueOptions } from '../../kernel/fair-queue.ts';
import { migrations } from '../migrations/all.ts';
import { lentPool, type Pool } from './lent.ts';
import type { Server } from './server.ts';
import type { Opening } from './transaction.ts';

// int8 and the results of count() and sum() reach JavaScript as strings, because not all of them fit a number. Ours do:
// amounts are bounded by `maxMinor`, the rest are times and counts.
const int8 = 20;
const numeric = 1700;

/** Divides the connections between transactions and reads, so that a store that writes a lot leaves some to others. */
export function splitConnections(all: number): [writes: number, reads: number] {
  const reads = Math.max(1, Math.floor(all * 0.4));
  return [Math.max(1, all - reads), reads];
}

/** Transactions or reads of a store that can wait for connections at once. */
const maxInLine = 10_000;

/** Turns at this many connections: a store gets half of them, and only one while others ask too. */
export function shares(connections: number, patience: number): QueueOptions {
  return { atOnce: connections, ofKey: Math.ceil(connections / 2), beside: 1, maxWaiting: maxInLine, patience };
}

/** The `application_name` of connections. It contains the last migration, so a newer program recognises an older one. */
export const programName = `commerce ${migrations.at(-1)?.name.slice(0, 4)}`;

export function openPool(server: Server, max: number, lockTimeout: number, more: pg.PoolConfig = {}): Pool {
  const { url, options, searchPath, hasSessions } = server;
  if (server.pool) return lentPool(server.pool, max, settingsOf(server, lockTimeout), parserFor, throwWithoutValues);
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
  if (isDatabaseError(error)) {
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

/** True for an error of the server, also if the application's pool has another copy of the driver. */
function isDatabaseError(error: unknown): error is pg.DatabaseError {
  return error instanceof Error && 'severity' in error && 'code' in error;
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

export function openingOf(server: Server, lockTimeout: number): Opening {
  if (server.hasSessions) return { begin: 'begin', isNamed: true };
  // A connection of the application sets them by itself, and can have another isolation level by default.
  if (server.pool) return { begin: 'begin isolation level read committed', isNamed: false };
  return { begin: `begin; ${settingsOf(server, lockTimeout)}`, isNamed: false };
}

/** Statements that set the settings of a transaction, which end with it. */
function settingsOf({ searchPath, schema }: Server, lockTimeout: number): string {
  // A schema of a name that is a word of SQL has to be quoted.
  const path = schema === undefined ? searchPath : `"${schema}",pg_temp`;
  return [...waits(lockTimeout), `search_path=${path}`].map((setting) => `set local ${setting}`).join('; ');
}
