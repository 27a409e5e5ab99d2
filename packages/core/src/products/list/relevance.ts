import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../../engine/context.ts';
import { searchedText, strippedCode } from '../../kernel/fold.ts';
import { titleKey, titleKeyLength } from '../columns.ts';

/**
 * The order of relevance: products whose SKU or barcode is the text, whose title begins with it, whose title has all words, the others;
 * newest first within each.
 * @param isMany true for too many matches to ask which titles have the words: the last two are then one
 */
export function byRelevance(
  { engine, store }: Context,
  text: string,
  words: readonly string[],
  alias: string,
  isMany: boolean,
): RawBuilder<unknown> {
  const product = (column: string) => sql.ref<number>(`${alias}.${column}`);
  const { search } = engine.storage;
  const folded = searchedText(text);
  const code = strippedCode(folded);
  const key = titleKey(folded);
  const length = [...key].length;
  const begins = sql`substr(${product('title_key')}, 1, ${sql.lit(length)}) = ${key}`;
  // The key has only the beginning of a title.
  const isLong = length === titleKeyLength && key !== folded;
  const hasAll = isLong
    ? sql`(${begins} and ${product('number')} in ${search.find(store, [folded], 'title')})`
    : begins;
  const isCode = code === '' ? sql`1 = 0` : sql`${product('sku_key')} = ${code} or ${product('barcode_key')} = ${code}`;
  const inTitle = isMany ? sql`` : sql`when ${product('number')} in ${search.find(store, words, 'title')} then 2`;
  return sql`case when ${isCode} then 0 when ${hasAll} then 1 ${inTitle} else 3 end,
    +${product('created_at')} desc, ${product('id')} desc`;
}
