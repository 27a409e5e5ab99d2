import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { createOrder, getOrder, listOrders, updateProduct } from '../index.ts';
import { findStore } from '../stores/stores.ts';
import { writing } from './run.ts';

forEachStorage('columns that a newer program adds meanwhile', (database) => {
  const commerce = useCommerce(database, { upkeep: false });

  it.each(['one after the other', 'at once'])('fail no read and no write, %s', async (how) => {
    const shop = await newShop(commerce());
    const { id } = await newProduct(shop, { price: '10', trackStock: true, stock: 1000 });
    const order = { items: [{ productId: id, quantity: 1 }], customer: { email: 'a@shop.test' } };
    const work = async () => {
      await findStore(commerce().engine, shop.store.id);
      await updateProduct(shop, id, { price: '12' });
      await getOrder(shop, (await createOrder(shop, order)).id);
    };
    const atOnce = () => Promise.all(Array.from({ length: 25 }, work));
    // Enough that every connection takes part.
    await atOnce();
    const newer = database.open();
    for (const column of [`some ${how}`, `more ${how}`]) {
      await writing(newer, async (db) => {
        for (const table of ['stores', 'products', 'orders', 'customers']) {
          await sql`alter table ${sql.table(table)} add column ${sql.id(column)} text`.execute(db);
        }
      });
      if (how === 'at once') await atOnce();
      else for (let i = 0; i < 25; i++) await work();
    }
    await newer.close();
    expect((await listOrders(shop)).total).toBe(75);
  });
});
