import type { Engine } from '../engine/context.ts';
import { breathe } from '../kernel/breathe.ts';
import { runTransaction } from '../storage/run.ts';
import { listStores, requireStore } from '../stores/stores.ts';
import { yearFrom } from './invoices.ts';

/** Orders whose invoices are looked at in one transaction. */
const batchSize = 100;

/**
 * Removes invoices and credit notes of years that the store does not keep any more, those of an order together once its last one is. Numbers are
 * never used again.
 * @returns the number of removed ones
 */
export async function forgetOldInvoices(engine: Engine): Promise<number> {
  const { storage, clock } = engine;
  let removed = 0;
  for (const { id: storeId } of (await listStores(engine)).items) {
    const store = await requireStore(engine, storeId);
    const { timeZone, invoices } = store.settings;
    const before = yearFrom(clock.now(), -invoices.keepYears, timeZone);
    for (let after = { at: -1, id: '' }; ; await breathe()) {
      const old = await storage.reads
        .selectFrom('invoices')
        .select(['id', 'order_id', 'created_at'])
        .where('store_id', '=', storeId)
        .where('created_at', '<', before)
        .where('created_at', '>=', after.at)
        .where((eb) => eb.or([eb('created_at', '>', after.at), eb('id', '>', after.id)]))
        .orderBy('created_at')
        .orderBy('id')
        .limit(batchSize)
        .execute();
      const last = old.at(-1);
      if (!last) break;
      const orderIds = [...new Set(old.map(({ order_id }) => order_id))];
      const result = await runTransaction(storage, async (db) => {
        const kept = db
          .selectFrom('invoices')
          .select('order_id')
          .where('store_id', '=', storeId)
          .where('order_id', 'in', orderIds)
          .where('created_at', '>=', before);
        return db
          .deleteFrom('invoices')
          .where('store_id', '=', storeId)
          .where('order_id', 'in', orderIds)
          .where('order_id', 'not in', kept)
          .executeTakeFirst();
      });
      removed += Number(result.numDeletedRows);
      if (old.length < batchSize) break;
      after = { at: last.created_at, id: last.id };
    }
  }
  return removed;
}
