import type { Engine } from '../engine/context.ts';
import { sellingEntity } from '../engine/settings/settings.ts';
import { breathe } from '../kernel/breathe.ts';
import { productEntity } from '../products/fields.ts';
import { reading } from '../storage/run.ts';

/** Products of a store that are shipped by weight, and have none: they weigh nothing. */
interface Weightless {
  storeId: string;
  count: number;
  /** Some of them, by their slugs. */
  slugs: string[];
}

/** Rows per read. */
const pageSize = 500;

/** Maximum number of named products of a store. */
const maxNamed = 3;

/** The stores that price shipping by weight, and have products without one. */
export async function findWeightless({ storage }: Engine): Promise<Weightless[]> {
  const stores = await reading(storage, (db) =>
    db.selectFrom('stores').select(['id', 'settings']).orderBy('number').execute(),
  );
  const found: Weightless[] = [];
  for (const { id, settings } of stores) {
    await breathe();
    const { shippingMethods } = sellingEntity.read(settings);
    const isByWeight = shippingMethods.some(
      ({ active, rates }) => active && rates?.some(({ upToWeight }) => upToWeight !== null),
    );
    if (!isByWeight) continue;
    const of = await weightlessOf(storage, id);
    if (of.count > 0) found.push(of);
  }
  return found;
}

async function weightlessOf(storage: Engine['storage'], storeId: string): Promise<Weightless> {
  const found: Weightless = { storeId, count: 0, slugs: [] };
  for (let after = ''; ; ) {
    const rows = await reading(storage, (db) =>
      db
        .selectFrom('products')
        .select(['id', 'json'])
        .where('store_id', '=', storeId)
        .where('id', '>', after)
        .where('status', '<>', 'deleted')
        .orderBy('id')
        .limit(pageSize)
        .execute(),
    );
    for (const { json } of rows) {
      const { slug, weight, requiresShipping } = productEntity.read(json);
      if (weight !== null || !requiresShipping) continue;
      found.count++;
      if (found.slugs.length < maxNamed) found.slugs.push(slug);
    }
    const last = rows.at(-1);
    if (rows.length < pageSize || last === undefined) return found;
    after = last.id;
    await breathe();
  }
}
