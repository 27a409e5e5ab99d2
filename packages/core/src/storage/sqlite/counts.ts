import { sql } from 'kysely';
import type { CountChange, CountStore } from '../storage.ts';
import { StatementCache } from './statements.ts';
import type { SqliteWriter } from './writer.ts';

const add = `insert into list_counts (store_id, list, value, n) values (?, ?, ?, ?)
  on conflict (store_id, list, value) do update set n = n + excluded.n`;
const drop = 'delete from list_counts where store_id = ? and list = ? and value = ? and n = 0';

/** Counts that are written once for all transactions of a commit, because transactions of one store change the same few rows. */
export function sqliteCounts(writer: SqliteWriter): CountStore {
  const statements = new StatementCache(writer.connection);
  const sums = new Map<string, CountChange & { storeId: string }>();
  writer.beforeCommit({
    write() {
      for (const { storeId, list, value, n, isDroppedAtZero } of sums.values()) {
        if (n !== 0) statements.get(add).run(storeId, list, value, n);
        if (n < 0 && isDroppedAtZero) statements.get(drop).run(storeId, list, value);
      }
      sums.clear();
    },
    forget: () => sums.clear(),
  });
  return {
    async create(tx) {
      await sql`create table list_counts (
        store_id text not null, list text not null, value text not null, n bigint not null,
        constraint list_counts_pkey primary key (store_id, list, value))`.execute(tx);
      await sql`create view list_totals as select store_id, list, value, n from list_counts`.execute(tx);
    },
    async add(_tx, storeId, changes) {
      writer.atEndOfBatch(() => {
        for (const change of changes) {
          const key = `${storeId} ${change.list} ${change.value}`;
          const sum = sums.get(key);
          if (sum) sum.n += change.n;
          else sums.set(key, { ...change, storeId });
        }
      });
    },
  };
}
