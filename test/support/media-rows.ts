import { type Context, uuidV7Source } from '@commerce/core';

const ids = uuidV7Source();

/** An image that resources can refer to, without a file behind it. */
export async function addMediaRow(shop: Context): Promise<string> {
  const id = ids.next(Date.now());
  const row = { store_id: shop.store.id, id, mime_type: 'image/png', created_at: 0, json: '{}' };
  await shop.engine.storage.db.transaction().execute((tx) => tx.insertInto('media').values(row).execute());
  return id;
}

/** Takes the image away, as its deletion does: nobody is asked who shows it. */
export async function removeMediaRow(shop: Context, id: string): Promise<void> {
  await shop.engine.storage.db.transaction().execute((tx) => tx.deleteFrom('media').where('id', '=', id).execute());
}
