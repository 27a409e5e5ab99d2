import type { Storage } from '@commerce/core';
import { sql } from 'kysely';

/** Each table with its columns, indexes and rules, as the engine reports them. */
export type SchemaText = Record<string, string[]>;

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/** The schema of a database as text, equal for two with the same tables. */
export async function schemaOf(storage: Storage, dialect: 'sqlite' | 'postgres'): Promise<SchemaText> {
  const { rows } = await (dialect === 'sqlite' ? sqliteSchema : postgresSchema).execute(storage.reads);
  const schema: SchemaText = {};
  for (const { owner, definition } of rows) schema[owner] = [...(schema[owner] ?? []), oneLine(definition)];
  return schema;
}

const sqliteSchema = sql<{ owner: string; definition: string }>`
  select tbl_name as owner, coalesce(sql, type || ' ' || name) as definition from sqlite_master order by tbl_name, type, name`;

const postgresSchema = sql<{ owner: string; definition: string }>`
  select owner, definition from (
    select table_name as owner, 1 as kind, lpad(ordinal_position::text, 4, '0') as place,
      concat_ws(' ', column_name, data_type, collation_name, 'null:', is_nullable, 'default', column_default) as definition
      from information_schema.columns where table_schema = current_schema()
    union all select tablename, 2, indexname, indexdef from pg_indexes where schemaname = current_schema()
    union all select conrelid::regclass::text, 3, conname, concat(conname, ' ', pg_get_constraintdef(oid))
      from pg_constraint where connamespace = current_schema()::regnamespace and contype <> 'n'
    union all select viewname, 4, viewname, definition from pg_views where schemaname = current_schema()
    union all select sequencename, 5, sequencename, concat('sequence ', data_type, ' ', start_value, ' ', increment_by)
      from pg_sequences where schemaname = current_schema()
    union all select event_object_table, 6, trigger_name, action_statement from information_schema.triggers
      where trigger_schema = current_schema()
  ) as parts
  where owner not like 'pg\\_stat\\_%' order by owner, kind, place`;
