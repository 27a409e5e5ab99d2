import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { agentContext, getProduct, openUcp, type Product, runUcp, updateSettings } from '../index.ts';

forEachStorage('products that are read by their names', (database, dialect) => {
  const commerce = useCommerce(database);

  it('are found by them, and not among all that are published', async () => {
    const shop = await newShop(commerce());
    await updateSettings(shop, { ucp: { enabled: true } });
    const made: Product[] = [];
    for (let i = 0; i < 30; i++) {
      made.push(
        await newProduct(shop, { sku: `SKU-${i}`, slug: `bowl-${i}`, variantGroupId: i < 15 ? 'bowls' : null }),
      );
    }
    const { engine } = commerce();
    const ctx = agentContext(engine, await openUcp(engine, shop.store.id), null);
    const ids = made.map(({ id }) => id);
    const seen = await statementsOf(async () => {
      for (const named of [ids, made.map(({ slug }) => slug), made.map(({ sku }) => sku), ['group:bowls']]) {
        expect(await runUcp(ctx, 'lookup', { ids: named })).toMatchObject({ products: { length: expect.any(Number) } });
      }
      await runUcp(ctx, 'product', { id: 'group:bowls' });
      expect((await getProduct(shop, ids[0] ?? '', { include: 'variants' })).variants).toHaveLength(14);
    });
    const reading = seen.filter(({ text }) => /from "products"/.test(text));
    const asked = new Map(reading.map((one) => [one.text, one]));
    expect(asked.size).toBeGreaterThan(4);
    if (dialect !== 'sqlite') return;
    for (const { text, values } of asked.values()) {
      const { rows } = await engine.storage.reads.executeQuery<{ detail: string }>(
        CompiledQuery.raw(`explain query plan ${text}`, [...values]),
      );
      const steps = rows.map(({ detail }) => detail).filter((detail) => /\bproducts\b/.test(detail));
      for (const step of steps) {
        expect([text, step]).toEqual([text, expect.stringMatching(/ AND (?:id|slug|sku|variant_group_id)=\?/)]);
      }
    }
  });
});
