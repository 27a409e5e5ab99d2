// Does half of a transaction of several operations, reports it, and waits to be killed. Arguments: database, store.
import { setTimeout as sleep } from 'node:timers/promises';
import { createProduct, openCommerce } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';

const [address, storeId] = process.argv.slice(2);
const storage = address.startsWith('postgres') ? openPostgres({ url: address }) : openSqlite({ file: address });
const commerce = await openCommerce({ storage, migrate: false, upkeep: false });
await commerce.transaction(await commerce.store(storeId), async (tx) => {
  for (const slug of ['one', 'two']) await createProduct(tx, { title: slug, slug, price: '5' });
  process.stdout.write('half\n');
  await sleep(60_000);
});
