import { createFirstStore, openCommerce, requireStore } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';

/** Opens the file, or creates it with its tables, a store and a key; only then is `key` known. */
export async function openShop(file: string) {
  const commerce = await openCommerce({ storage: openSqlite({ file }) });
  const { engine } = commerce;
  const created = await createFirstStore(engine, { type: 'embedder', id: null }, { name: 'Mugs', currency: 'EUR' });
  const { id } = created?.store ?? (await requireStore(engine));
  return { commerce, shop: await commerce.store(id), key: created?.apiKey.key };
}
