import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { expectDenied } from '@commerce/test-support/harness/denied';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { beforeAll, expect, it } from 'vitest';
import {
  type Actor,
  type AuditLog,
  type Context,
  createPage,
  createProduct,
  deletePage,
  deleteProduct,
  getAuditLog,
  listAuditLogs,
  updatePage,
  updateProduct,
} from '../index.ts';
import { fakeClock } from '../testing/index.ts';

const key: Actor = { type: 'apiKey', id: '0190a5c8-0000-7000-8000-000000000001' };
const cli: Actor = { type: 'cli', id: null };

/** Resources that are created, changed and deleted. */
const resources: [
  string,
  (shop: Context) => Promise<{ id: string }>,
  (shop: Context, id: string) => Promise<unknown>,
  (shop: Context, id: string) => Promise<unknown>,
][] = [
  [
    'product',
    (shop) => createProduct(shop, { title: 'Mug', slug: 'mug', price: '5' }),
    (shop, id) => updateProduct(shop, id, { price: '6' }),
    deleteProduct,
  ],
  [
    'page',
    (shop) => createPage(shop, { title: 'Imprint', slug: 'imprint' }),
    (shop, id) => updatePage(shop, id, { content: 'We are' }),
    deletePage,
  ],
];

forEachStorage('lists of the audit log', (database) => {
  const clock = fakeClock();
  const commerce = useCommerce(database, { clock });
  let shop: Context;
  let other: Context;
  /** Newest first. */
  let all: AuditLog[];

  beforeAll(async () => {
    [shop, other] = [await newShop(commerce()), await newShop(commerce())];
    for (const [i, actor] of [key, cli, key].entries()) {
      const acting: Context = { ...shop, actor, requestId: `request-${i}` };
      for (const [, create, update, remove] of resources) {
        clock.advance(i);
        const { id } = await create(acting);
        await update(acting, id);
        await remove(acting, id);
      }
      await createProduct(other, { title: 'Mug', slug: `mug-${i}`, price: '5' });
    }
    const rows = await shop.engine.storage.db
      .selectFrom('audit_logs')
      .selectAll()
      .where('store_id', '=', shop.store.id)
      .execute();
    all = rows
      .map((row) => ({
        id: row.id,
        storeId: row.store_id,
        actorType: row.actor_type as AuditLog['actorType'],
        actorId: row.actor_id,
        action: row.action,
        resourceType: row.resource_type,
        resourceId: row.resource_id,
        changes: JSON.parse(row.changes),
        requestId: row.request_id,
        createdAt: new Date(row.created_at).toISOString(),
      }))
      .sort((a, b) => (a.createdAt === b.createdAt ? (a.id < b.id ? 1 : -1) : a.createdAt < b.createdAt ? 1 : -1));
  });

  it('answer every combination of filters and windows with exactly the matching entries, newest first', async () => {
    const some = all.find((entry) => entry.action === 'page.updated') as AuditLog;
    const foreign = (await listAuditLogs(other)).items[0] as AuditLog;
    let tried = 0;
    for (const resourceType of [undefined, 'page', 'store', 'Page', '']) {
      for (const resourceId of [undefined, some.resourceId, foreign.resourceId, 'x']) {
        for (const action of [undefined, 'page.updated', 'product.deleted', 'updated']) {
          for (const actorId of [undefined, key.id ?? '', 'null', foreign.id]) {
            for (const [limit, offset] of [
              [50, 0],
              [1, 0],
              [2, 1],
              [3, 2],
              [200, 17],
              [1, 1_000_000],
              [1, Number.MAX_SAFE_INTEGER],
            ] as const) {
              const matching = all.filter(
                (entry) =>
                  (!resourceType || entry.resourceType === resourceType) &&
                  (!resourceId || entry.resourceId === resourceId) &&
                  (!action || entry.action === action) &&
                  (!actorId || entry.actorId === actorId),
              );
              const query = { resourceType, resourceId, action, actorId, limit, offset };
              const expected = { items: matching.slice(offset, offset + limit), total: matching.length };
              expect({ query, answer: await listAuditLogs(shop, query) }).toEqual({ query, answer: expected });
              tried++;
            }
          }
        }
      }
    }
    expect(tried).toBe(5 * 4 * 4 * 4 * 7);
  });

  it.each([
    [{ limit: 201 }, 'limit'],
    [{ resourceType: ['a'] }, 'resourceType'],
    [{ resourceId: '\0' }, 'resourceId'],
    [{ action: '\ud83d' }, 'action'],
    [{ actorId: 'x'.repeat(256) }, 'actorId'],
  ])('refuse %j, naming the field', async (query, field) => {
    const list = listAuditLogs(shop, query as never);
    await expect(list).rejects.toMatchObject({ kind: 'validation', details: [{ field }] });
  });

  it('lead to single entries, of this store alone', async () => {
    for (const entry of all.slice(0, 5)) expect(await getAuditLog(shop, entry.id)).toEqual(entry);
    const [{ id }] = all as [AuditLog];
    for (const [ctx, wrong] of [
      [other, id],
      [shop, id.toUpperCase()],
      [shop, 'x'],
      [shop, ''],
      [shop, '\0'],
      [shop, '0190a5c8-0000-7000-8000-000000000000'],
    ] as const) {
      await expectDenied(commerce(), () => getAuditLog(ctx, wrong), { kind: 'notFound' });
    }
  });

  it('cut long texts, state their length, and never split a character', async () => {
    const long = await newShop(commerce());
    const content = `${'x'.repeat(999)}👕${'y'.repeat(400_000)}`;
    const { id } = await createPage(long, { title: 'Imprint', slug: 'imprint', content });
    await updatePage(long, id, { content: 'z'.repeat(1000) });
    const { items } = await listAuditLogs(long, { action: 'page.updated' });
    expect(items[0]?.changes).toEqual({
      content: {
        from: `${'x'.repeat(999)}\ufffd… (401001 characters)`,
        to: 'z'.repeat(1000),
      },
    });
  });
});
