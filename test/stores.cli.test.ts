import { openCommerce } from '@commerce/core';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { commerce, commerceJson, startServer } from '@commerce/test-support/harness/processes';
import { forOneStorage, openStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
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

  it.each<[string, string[], number, RegExp]>([
    ['nothing to change', ['{id}'], 2, /no change is given/],
    ['no id', ['--name', 'x'], 2, /missing required argument 'store'/],
    ['a switch that says neither', ['{id}', '--strict-category-depth', 'perhaps'], 2, /'perhaps' is invalid.*yes/],
    ['a flag that is none', ['{id}', '--currency', 'USD'], 2, /unknown option '--currency'/],
    ['a blank name', ['{id}', '--name', ' '], 2, /--name: must not be blank/],
    ['a name that is too long', ['{id}', '--name', 'x'.repeat(256)], 2, /--name: must be a text of 1 to 255/],
    ['a plan that is none', ['{id}', '--plan', 'gold'], 2, /'gold' is invalid.*free, pro, enterprise/],
    ['a rate that is no number', ['{id}', '--rate', '1.5'], 2, /'1.5' is invalid.*whole number/],
    ['a burst without a rate', ['{id}', '--burst', '5'], 2, /--burst requires --rate/],
    [
      'a rate that a plan fixes',
      ['{id}', '--plan', 'pro', '--rate', '5'],
      2,
      /--rate: must be left out: the plan "pro"/,
    ],
    ['a store that does not exist', ['0190a5c8-0000-7000-8000-000000000000', '--name', 'x'], 1, /no store "0190a5c8/],
  ])('is refused with %s', async (_, args, code, message) => {
    const given = args.map((arg) => arg.replace('{id}', shop.storeId));
    const result = await commerce(['stores', 'update', ...given, ...db]);
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code, stdout: '' });
    expect(result.stderr).toMatch(message);
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

  it('changes nothing when it is refused', async () => {
    expect(await commerceJson(['stores', 'show', shop.storeId, ...db])).toMatchObject({
      item: { name: 'Shop', currency: 'EUR', strictCategoryDepth: true },
    });
  });

  it('is felt by a running server: it refuses the move that it allowed before', async () => {
    await update(shop.storeId, '--strict-category-depth', 'no');
    const server = await startServer(database.address);
    try {
      const request = client(server.url, shop);
      const add = async (slug: string, parentId: string | null = null) =>
        (await request('POST', '/categories', { name: slug, slug, parentId })).body.item.id as string;
      const [root, target] = [await add('root'), await add('target')];
      await add('child', root);
      const move = (parentId: string | null) => request('PUT', `/categories/${root}`, { parentId });
      expect(await move(target)).toMatchObject({ status: 200, body: { item: { parentId: target } } });
      await update(shop.storeId, '--strict-category-depth', 'yes');
      await until('the server refuses the move', async () => {
        expect((await move(null)).status).toBe(200);
        return (await move(target)).status === 400;
      });
      expect(await move(target)).toMatchObject({ body: { error: { details: [{ field: 'parentId' }] } } });
      await update(shop.storeId, '--strict-category-depth', 'no');
      await until('the server allows the move', async () => (await move(target)).status === 200);
    } finally {
      await server.stop();
    }
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
