// A process that creates, changes and deletes products of two stores until it is killed; the tests of the counts kill it at random moments.
// Prints a line for each answered write. With `naive` it counts a write in a separate transaction, which a kill in between would break.
import { createProduct, deleteProduct, openCommerce, updateProduct } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { openSqlite } from '@commerce/core/sqlite';

const [address, storeIds, label, naive] = [process.argv[2], process.argv[3].split(','), ...process.argv.slice(4)];

const storage = address.startsWith('postgres') ? openPostgres({ url: address }) : openSqlite({ file: address });
if (naive) {
  const { counts } = storage;
  const add = counts.add.bind(counts);
  counts.add = async (_, storeId, changes) => {
    setTimeout(() => storage.db.transaction().execute((tx) => add(tx, storeId, changes)), 10);
  };
}
const commerce = await openCommerce({ storage });
const shops = await Promise.all(storeIds.map((id) => commerce.store(id)));
const statuses = ['draft', 'published', 'archived'];
const sizes = ['s', 'm', 'l'];
const any = (list) => list[Math.floor(Math.random() * list.length)];

let made = 0;
const written = () => process.stdout.write('w\n');

await Promise.all(
  Array.from({ length: 8 }, async (_, writer) => {
    const shop = shops[writer % shops.length];
    for (;;) {
      const slug = `${label}-${writer}-${++made}`;
      const { id } = await createProduct(shop, {
        title: 'Mug',
        slug,
        price: '1',
        status: any(statuses),
        attributes: { size: any(sizes) },
      });
      written();
      if (Math.random() < 0.7) {
        await updateProduct(shop, id, { status: any(statuses), attributes: { size: any(sizes), of: any(sizes) } });
        written();
      }
      if (Math.random() < 0.4) {
        await deleteProduct(shop, id);
        written();
      }
    }
  }),
);
