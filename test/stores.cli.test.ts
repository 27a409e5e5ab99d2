import { openCommerce } from '@commerce/core';
import { initShop } from '@commerce/test-support/fixtures/served-shop';
import { commerce, commerceJson } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { expect, it } from 'vitest';

forOneStorage('commerce stores update', 'sqlite', (database) => {
  const db = ['--db', database.address];
  const update = (id: string, ...flags: string[]) => commerceJson(['stores', 'update', id, ...flags, ...db]);
  let shop: Awaited<ReturnType<typeof initShop>>;

  it('changes name and option, each without the other', async () => {
    shop = await initShop(database.address);
    const { item: before } = await commerceJson(['stores', 'show', shop.storeId, ...db]);
    expect(before).toMatchObject({ name: 'Shop', strictCategoryDepth: false });
    const { item: named } = await update(shop.storeId, '--name', 'Another');
    expect(named).toEqual({ ...before, name: 'Another', updatedAt: named.updatedAt });
    const { item: strict } = await update(shop.storeId, '--strict-category-depth');
    expect(strict).toEqual({ ...named, strictCategoryDepth: true, updatedAt: strict.updatedAt });
    expect(await update(shop.storeId, '--strict-category-depth', 'yes')).toEqual({ item: strict });
    const { item: both } = await update(shop.storeId, '--name', 'Shop', '--strict-category-depth', 'no');
    expect(both).toEqual({ ...before, updatedAt: both.updatedAt });
    expect(await commerceJson(['stores', 'show', shop.storeId, ...db])).toEqual({ item: both });
    const shown = await commerce(['stores', 'update', shop.storeId, '--strict-category-depth', 'yes', ...db]);
    expect(shown.stdout).toMatch(/^strict category depth +yes$/m);
  });

  it('sets the plan and its limits, and takes them away', async () => {
    const limits = async (...flags: string[]) => {
      const { item } = await update(shop.storeId, ...flags);
      return [item.plan, item.rateLimit];
    };
    expect(await limits('--plan', 'free')).toEqual(['free', { requestsPerMinute: 60, burst: 10 }]);
    expect(await limits('--plan', 'pro')).toEqual(['pro', { requestsPerMinute: 300, burst: 50 }]);
    const own = ['--plan', 'enterprise', '--rate', '1000'];
    expect(await limits(...own)).toEqual(['enterprise', { requestsPerMinute: 1000, burst: 167 }]);
    expect(await limits('--rate', '90', '--burst', '7')).toEqual(['enterprise', { requestsPerMinute: 90, burst: 7 }]);
    const shown = await commerce(['stores', 'show', shop.storeId, ...db]);
    expect(shown.stdout).toMatch(/^rate limit +90 a minute, 7 at once$/m);
    expect(await limits('--rate', 'none')).toEqual(['enterprise', null]);
  });

  it('is noted in the audit log, by the command line', async () => {
    const opened = await openCommerce({ storage: openStorage(database.address) });
    try {
      const strict = await opened.store(shop.storeId);
      const rows = await strict.engine.storage.db
        .selectFrom('audit_logs')
        .selectAll()
        .where('action', '=', 'store.updated')
        .orderBy('id')
        .execute();
      expect(rows.map((row) => [row.actor_type, JSON.parse(row.changes)]).slice(0, 2)).toEqual([
        ['cli', { name: { from: 'Shop', to: 'Another' } }],
        ['cli', { strictCategoryDepth: { from: false, to: true } }],
      ]);
    } finally {
      await opened.close();
    }
  });
});
