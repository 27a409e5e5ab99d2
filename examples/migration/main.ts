// Runs the migration: node main.ts https://old-shop.example shop.db
import { createFirstStore, openCommerce, requireStore } from '@commerce/core';
import { openSqlite } from '@commerce/core/sqlite';
import { type Foreign, migrate } from './app.ts';

const [from, file = 'shop.db'] = process.argv.slice(2);
if (from === undefined || !URL.canParse(from)) {
  console.error('usage: node main.ts ADDRESS_OF_THE_OTHER_SHOP [DATABASE]');
  process.exit(2);
}
const commerce = await openCommerce({ storage: openSqlite({ file }) });
try {
  await createFirstStore(commerce.engine, { type: 'embedder', id: 'migration' }, { name: 'Shop', currency: 'EUR' });
  const { id } = await requireStore(commerce.engine);
  const shop = await commerce.store(id, { type: 'embedder', id: 'migration' });
  const result = await migrate(shop, async (page) => {
    const answer = await fetch(new URL(`/products.json?page=${page}`, from), { signal: AbortSignal.timeout(30_000) });
    if (!answer.ok) throw new Error(`page ${page} answered ${answer.status}`);
    return (await answer.json()) as Foreign[];
  });
  console.log(`${result.created} created, ${result.updated} updated, ${result.unchanged} unchanged`);
  for (const line of result.refused) console.error(line);
  if (result.refused.length > 0) process.exitCode = 1;
} finally {
  await commerce.close();
}
