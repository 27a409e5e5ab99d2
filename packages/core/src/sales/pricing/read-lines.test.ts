import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { quoteCheckout } from '../../index.ts';

forEachStorage('the products of a cart', (database, dialect) => {
  const commerce = useCommerce(database);

  it('are found by their ids and SKUs, and not among all products', async () => {
    const shop = await newShop(commerce());
    const made: string[] = [];
    for (let i = 0; i < 4; i++) made.push((await newProduct(shop, { sku: `SKU-${i}`, price: `${i + 1}` })).id);
    const [one = '', other = ''] = made;
    const byId = [one, other].map((productId) => ({ productId, quantity: 1 }));
    const bySku = ['SKU-1', 'SKU-2', 'SKU-9'].map((sku) => ({ sku, quantity: 1 }));
    for (const items of [byId, bySku, [...byId, ...bySku]]) {
      let titles: unknown[] = [];
      const seen = await statementsOf(async () => {
        titles = (await quoteCheckout(shop, { items })).lines.map(({ unitPrice }) => unitPrice);
      });
      const prices = items.map((item) =>
        'sku' in item ? Number(item.sku.at(-1)) + 1 : made.indexOf(item.productId) + 1,
      );
      expect(titles).toEqual(prices.map((price) => (price > 4 ? null : `${price}.00`)));
      const reading = seen.filter(({ text }) => /from "products"/.test(text));
      expect(reading).not.toEqual([]);
      if (dialect !== 'sqlite') continue;
      for (const { text, values } of reading) {
        const { rows } = await shop.engine.storage.reads.executeQuery<{ detail: string }>(
          CompiledQuery.raw(`explain query plan ${text}`, [...values]),
        );
        for (const { detail } of rows.filter(({ detail }) => detail.includes('products'))) {
          expect([text, detail]).toEqual([text, expect.stringMatching(/ AND (?:id|sku)=\?/)]);
        }
      }
    }
  });
});
