import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Json, List } from '../json.ts';
import { preparedPerLength } from '../storage/prepared.ts';
import { reading } from '../storage/run.ts';
import type { Product } from './fields.ts';

/** Most of a stock that everybody may see: how much a shop sells is its own matter. */
export const maxSeenStock = 10;

/** What a public actor sees otherwise of one product of a text. */
interface StockPart {
  /** Place of the part in the text. */
  from: number;
  to: number;
  productId: string;
  tracksStock: boolean;
  stock: number;
  allowBackorder: string;
  categoryIds: string[];
}

const begin = '{"id":"';
const beginOfPart = '"trackStock":';
const part =
  /"trackStock":(true|false),"stock":(-?\d+),"allowBackorder":(true|false),"lowStockThreshold":(?:null|\d+),"categoryIds":\[([^\]]*)\]/y;

/**
 * The parts of the text of one or many products, found without parsing all of it. Nothing that a shop writes into a product looks like
 * them, or like the beginning of a product: quotation marks inside JSON strings are escaped, attributes have texts alone, and no object of
 * a product stands behind `[` or `,`.
 */
function stockPartsOf(json: string): StockPart[] {
  const found: StockPart[] = [];
  for (let from = 0; ; ) {
    let start = json.indexOf(begin, from);
    while (start > 0 && !'[,'.includes(json[start - 1] as string)) start = json.indexOf(begin, start + 1);
    if (start === -1) return found;
    const productId = json.slice(start + begin.length, json.indexOf('"', start + begin.length));
    let match: RegExpExecArray | null = null;
    let at = json.indexOf(beginOfPart, start);
    while (at !== -1 && !match) {
      part.lastIndex = at;
      match = part.exec(json);
      at = json.indexOf(beginOfPart, at + 1);
    }
    if (!match) return found;
    const [whole, tracksStock, stock, allowBackorder = '', array = ''] = match;
    from = match.index + whole.length;
    const categoryIds = array === '' ? [] : (JSON.parse(`[${array}]`) as string[]);
    const tracks = tracksStock === 'true';
    found.push({
      from: match.index,
      to: from,
      productId,
      tracksStock: tracks,
      stock: Number(stock),
      allowBackorder,
      categoryIds,
    });
  }
}

/** How much of some products is held for orders, and which of some categories are published: ids of either kind, in one statement. */
const heldAndPublished = preparedPerLength<{ storeId: string; now: number }, { id: string; held: number }>(
  (db, p, ids) =>
    db
      .selectFrom('reservations')
      .select((eb) => ['product_id as id', eb.fn.sum<number>('quantity').as('held')])
      .where('store_id', '=', p('storeId'))
      .where('product_id', 'in', ids)
      .where('expires_at', '>', p('now'))
      .groupBy('product_id')
      .unionAll(
        db
          .selectFrom('categories')
          .select((eb) => ['id', eb.lit(0).as('held')])
          .where('store_id', '=', p('storeId'))
          .where('id', 'in', ids)
          .where('status', '=', sql.lit('published')),
      ),
);

/** Ids asked for in one statement. */
const maxIds = 500;

/**
 * The text of one or many products as a public actor sees it: `stock` is what can be bought at this moment, at most `maxSeenStock`; no
 * threshold; of the categories those that are published.
 */
export async function asSeen<T extends Product | List<Product>>(ctx: Context, json: Json<T>): Promise<Json<T>> {
  const parts = stockPartsOf(json);
  const ids = new Set<string>();
  for (const { productId, tracksStock, categoryIds } of parts) {
    if (tracksStock) ids.add(productId);
    for (const category of categoryIds) ids.add(category);
  }
  const found = await readHeldAndPublished(ctx, [...ids]);
  const texts: string[] = [];
  let end = 0;
  for (const { from, to, productId, tracksStock, stock, allowBackorder, categoryIds } of parts) {
    const available = stock - (tracksStock ? (found.get(productId) ?? 0) : 0);
    const seen = Math.max(0, Math.min(maxSeenStock, available));
    const shown = categoryIds.filter((category) => found.has(category));
    texts.push(
      json.slice(end, from),
      `"trackStock":${tracksStock},"stock":${seen},"allowBackorder":${allowBackorder},"lowStockThreshold":null,`,
      `"categoryIds":${JSON.stringify(shown)}`,
    );
    end = to;
  }
  return (texts.join('') + json.slice(end)) as Json<T>;
}

/** What is held of the products, and 0 for each of the categories that is published. */
async function readHeldAndPublished(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const at = { storeId: ctx.store.id, now: ctx.engine.clock.now() };
  for (let i = 0; i < ids.length; i += maxIds) {
    const some = ids.slice(i, i + maxIds);
    const rows = await reading(ctx.engine.storage, (db) => heldAndPublished(db, at, some));
    for (const { id, held } of rows) found.set(id, Number(held));
  }
  return found;
}
