import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { listAuditLogs } from '../index.ts';

forEachStorage('a filter of a long audit log', (database, dialect) => {
  const commerce = useCommerce(database);

  it('reads only the entries of its rarest filter, however old they are', async () => {
    const shop = await newShop(commerce());
    const { storage } = shop.engine;
    const store_id = shop.store.id;
    const entries = 20_000;
    const entry = (i: number) => ({
      store_id,
      id: `f190a5c8-0000-7000-8000-${String(i).padStart(12, '0')}`,
      actor_type: 'apiKey',
      actor_id: i === 0 ? 'rare' : 'common',
      action: i === 1 ? 'page.rare' : 'product.updated',
      resource_type: i === 2 ? 'rare' : 'product',
      resource_id: `product ${i % 100}`,
      changes: '{}',
      request_id: null,
      created_at: i,
    });
    await storage.db.transaction().execute(async (db) => {
      for (let i = 0; i < entries; i += 500) {
        await db
          .insertInto('audit_logs')
          .values(Array.from({ length: 500 }, (_, n) => entry(i + n)))
          .execute();
      }
      const count = (value: (string | null)[], n: number) => ({
        store_id,
        list: 'auditLogs' as const,
        value: JSON.stringify(value),
        n,
      });
      await db
        .insertInto('list_counts')
        .values([
          count(['rare', 'product', 'product.updated'], 1),
          count(['common', 'product', 'page.rare'], 1),
          count(['common', 'rare', 'product.updated'], 1),
          count(['common', 'product', 'product.updated'], entries - 3),
        ])
        .execute();
    });
    if (dialect === 'postgres') await storage.db.executeQuery(CompiledQuery.raw('analyze audit_logs'));
    for (const [query, index] of [
      [{ actorId: 'rare' }, /audit_logs_actor_id/],
      [{ action: 'page.rare' }, /audit_logs_action/],
      [{ resourceType: 'rare' }, /audit_logs_resource_type/],
      [{ actorId: 'rare', action: 'product.updated', resourceType: 'product' }, /audit_logs_actor_id/],
      [{ actorId: 'common', action: 'page.rare', resourceType: 'product' }, /audit_logs_action/],
      [{ actorId: 'common', action: 'product.updated', resourceType: 'rare' }, /audit_logs_resource_type/],
    ] as const) {
      const statements = await statementsOf(async () => {
        const { items, total } = await listAuditLogs(shop, query);
        expect([items.length, total]).toEqual([1, 1]);
      });
      const page = statements.find(({ text }) => /from "audit_logs"/.test(text));
      const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain';
      const { rows } = await storage.db.executeQuery(
        CompiledQuery.raw(`${explain} ${page?.text}`, [...(page?.values ?? [])]),
      );
      const plan = rows.map((line) => Object.values(line as object).join(' ')).join('\n');
      expect(plan).toMatch(index);
      expect(plan).not.toMatch(/SCAN|Seq Scan/);
    }
  });
});
