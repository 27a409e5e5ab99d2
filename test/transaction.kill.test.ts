import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { createProduct, listProducts } from '@commerce/core';
import { eventsOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';

const program = fileURLToPath(new URL('support/programs/half-transaction.mjs', import.meta.url));

forEachStorage('a process that is killed in a transaction of several operations', (database) => {
  const commerce = useCommerce(database);

  it('leaves nothing of it, and keeps nobody from writing', async () => {
    const shop = await newShop(commerce());
    const child = spawn(process.execPath, [program, database.address, shop.store.id], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    expect(String(said)).toBe('half\n');
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The same slugs are free.
    for (const slug of ['one', 'two']) await createProduct(shop, { title: slug, slug, price: '5' });
    expect((await listProducts(shop)).total).toBe(2);
    expect((await eventsOf(shop)).length).toBe(2);
  });
});
