import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { JsonText, List } from '../json.ts';
import type { Schema } from './schema.ts';
import type { Db } from './storage.ts';

/** An adapter whose engine prints a list better in another way than the standard's. */
export interface ListPrinter {
  /** The text of `{"items":[…],"total":…}` from the rows of a page, in the order of the page. */
  printList(total: string | Expression<string>): RawBuilder<string | Buffer>;
}

interface Printed {
  json: string;
  created_at: number;
  id: string;
}

/**
 * The answer of a list, put together by the database from the rows' texts: building it here out of fifty strings and
 * encoding it again cost more than the query.
 * @param page newest first, by `created_at` and `id`, which it selects beside `json`
 * @param total how many there are in all, as a decimal number
 */
export function listJson<T>(
  db: Db,
  page: SelectQueryBuilder<Schema, keyof Schema, Printed>,
  total: string | Expression<string>,
) {
  const { adapter } = db.getExecutor();
  const printed = 'printList' in adapter ? (adapter as unknown as ListPrinter).printList(total) : printStandard(total);
  return db.selectFrom(page.as('page')).select((printed as RawBuilder<JsonText<List<T>>>).as('list'));
}

function printStandard(total: string | Expression<string>): RawBuilder<string> {
  return sql`'{"items":[' || coalesce(string_agg(json, ',' order by created_at desc, id desc), '') || '],"total":' || ${total}::text || '}'`;
}

/**
 * SQLite's form, as bytes, which go out as they are. The rows come in the order of the subquery; an `order by` inside the
 * aggregate sorts them once more and doubles the cost of the list.
 */
export const sqliteListPrinter: ListPrinter = {
  printList: (total) =>
    sql`cast('{"items":[' || coalesce(group_concat(json, ','), '') || '],"total":' || ${total} || '}' as blob)`,
};
