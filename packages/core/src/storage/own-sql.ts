import { type CompiledQuery, type DatabaseConnection, Kysely, type QueryResult } from 'kysely';
import { CommerceError } from '../kernel/errors.ts';
import { driverOn } from './open-driver.ts';
import type { Db } from './storage.ts';

/** Tables of an application that has not named any. */
export type NoTables = Record<never, never>;

/**
 * Statements that would end our transaction, or that would leave a setting on our connection. This only catches mistakes: the application
 * may do anything with its database.
 */
const refused: ReadonlySet<string> = new Set([
  ...['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release', 'prepare'],
  ...['attach', 'detach', 'vacuum', 'pragma', 'discard', 'reset', 'set'],
]);

/** The statement's first word if it is refused. */
function refusedWord(text: string): string | undefined {
  const [word = '', next = ''] = text.trimStart().slice(0, 50).toLowerCase().split(/[\s;]/);
  if (word === 'set' && (next === 'local' || next === 'constraints')) return undefined;
  return refused.has(word) ? word : undefined;
}

const transactionOpen = () =>
  new CommerceError('conflict', 'a transaction is already open: the queries of tx.sql are part of it');

/**
 * Queries of the application on tables of its own, in an open transaction of the store. They are built for the engine of `db`, and each is
 * given to `run`.
 * @throws CommerceError `conflict` from queries that begin or end a transaction
 */
export function ownSql<Own>(db: Db, run: (query: CompiledQuery) => Promise<QueryResult<unknown>>): Kysely<Own> {
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const word = refusedWord(query.sql);
      if (word !== undefined) {
        throw new CommerceError(
          'conflict',
          `${word} cannot be run in a transaction of the store, which begins and ends it`,
        );
      }
      return (await run(query)) as QueryResult<R>;
    },
    // biome-ignore lint/correctness/useYield: nothing here streams
    async *streamQuery(): AsyncGenerator<never> {
      throw new CommerceError('conflict', 'a transaction does not stream: read the rows with execute()');
    },
  };
  return new Kysely<Own>({
    dialect: {
      createDriver: () => driverOn(connection, transactionOpen),
      createQueryCompiler: () => ({ compileQuery: (node, id) => db.getExecutor().compileQuery(node, id) }),
      createAdapter: () => db.getExecutor().adapter,
      createIntrospector() {
        throw new CommerceError('conflict', 'tables are not looked up in a transaction of the store');
      },
    },
  });
}
