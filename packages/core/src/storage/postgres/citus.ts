import { sql } from 'kysely';
import type { Distribution, FoundPlacement } from '../storage.ts';

/** Distribution of tables by the extension Citus. */
export const citus: Distribution = {
  async extension(db) {
    const { rows } = await sql<{ version: string }>`
      select extversion as version from pg_extension where extname = 'citus'`.execute(db);
    return rows[0] && `Citus ${rows[0].version}`;
  },
  async servers(db) {
    const { rows } = await sql<{ n: number; is_coordinator: boolean }>`
      select (select count(*) from pg_dist_node where noderole = 'primary' and isactive and shouldhaveshards) as n,
        (select groupid from pg_dist_local_group) = 0 as is_coordinator`.execute(db);
    return { withRows: rows[0]?.n ?? 0, isCoordinator: rows[0]?.is_coordinator ?? false };
  },
  async found(db) {
    const { rows } = await sql<{
      name: string;
      method: string;
      model: string;
      column: string | null;
      place: number;
      shards: number;
    }>`
      select relname as name, partmethod as method, repmodel as model, colocationid as place,
        case when partkey is null then null else column_to_column_name(placed.logicalrelid, partkey) end as column,
        (select count(*) from pg_dist_shard where pg_dist_shard.logicalrelid = placed.logicalrelid) as shards
      from pg_dist_partition as placed join pg_class on pg_class.oid = placed.logicalrelid
      where relnamespace = (select oid from pg_namespace where nspname = current_schema())`.execute(db);
    return new Map(
      rows.map(({ name, method, model, column, place, shards }): [string, FoundPlacement] => {
        const kind = method === 'h' ? 'distributed' : method === 'n' && model === 't' ? 'everywhere' : 'otherwise';
        return [name, { kind, column, place, shards }];
      }),
    );
  },
  async sizeElsewhere(db) {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(result::bigint), 0)::bigint as bytes
      from run_command_on_workers('select pg_database_size(current_database())') where success`.execute(db);
    return rows[0]?.bytes ?? 0;
  },
  async prepare(tx) {
    // Without it, changes of many shards run over several connections and are refused after some other statements of the transaction.
    await sql`set local citus.multi_shard_modify_mode to 'sequential'`.execute(tx);
  },
  async placeEverywhere(tx, table) {
    await sql`select create_reference_table(${table}::regclass)`.execute(tx);
  },
  async placeBy(tx, table, column, beside) {
    await sql`select create_distributed_table(${table}::regclass, ${column}::text,
      colocate_with => ${beside ?? 'none'}::text)`.execute(tx);
  },
  async bringTogether(tx, table) {
    await sql`select undistribute_table(${table}::regclass)`.execute(tx);
  },
};
