import { examine, migrate, migrations, openCommerce, systemClock } from '@commerce/core';
import { fakeClock } from '@commerce/core/testing';
import { type App, createApp } from '@commerce/server';
import { readVersion, type Version, versionNumbers } from '@commerce/test-support/fixtures/versions';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import { loadRows, type SchemaText, schemaOf, sumsOf } from '@commerce/test-support/harness/schemas';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { beforeAll, describe, expect, it } from 'vitest';

const names = migrations.map(({ name }) => name);

describe('databases that earlier versions have left', () => {
  it('are kept of each version but the one in hand, of which one may be (`npm run fixture:schema`)', () => {
    const numbers = names.map((name) => name.slice(0, 4));
    expect(versionNumbers).toEqual(expect.arrayContaining(numbers.slice(0, -1)));
    expect(numbers).toEqual(expect.arrayContaining(versionNumbers));
    expect(versionNumbers.map((number) => readVersion(number).migration)).toEqual(
      names.slice(0, versionNumbers.length),
    );
  });
});

/** Tables whose rows hold what is answered, and their paths. */
const answered = {
  products: 'products',
  categories: 'categories',
  customers: 'customers',
  orders: 'orders',
  pages: 'pages',
};

/** Lists whose totals are the rows of a table. */
const listed = {
  api_keys: 'api-keys',
  media: 'media',
  webhooks: 'webhooks',
  discounts: 'discounts',
  audit_logs: 'audit-logs',
  payments: 'payments',
};

interface Listed {
  items: { id: string }[];
  total: number;
}

describe.each(['sqlite', 'postgres'] as const)('the newest version (%s)', (dialect) => {
  let fresh: SchemaText = {};
  beforeAll(async () => {
    fresh = await withDatabase(dialect, async (database) => {
      const storage = database.open();
      await migrate(storage, systemClock);
      return schemaOf(storage, dialect).finally(() => storage.close());
    });
  });

  it.each(versionNumbers)('goes on with a database of the version %s', async (number) => {
    const version = readVersion(number);
    await withDatabase(dialect, async (database) => {
      const old = database.open();
      await loadRows(old, version.migration, version.rows, version.at);
      // A migration that was changed afterwards would make another database than the one that is there.
      expect(sumsOf(await schemaOf(old, dialect))).toEqual(version.schema[dialect]);
      await old.close();
      const commerce = await openCommerce({ storage: database.open(), clock: fakeClock(version.at), upkeep: false });
      try {
        expect(await schemaOf(commerce.engine.storage, dialect)).toEqual(fresh);
        expect((await commerce.migrationStatus()).applied).toEqual(names);
        const app = createApp(commerce);
        const { storeId, key } = version;
        expect((await ask(app, `GET /stores/${storeId}/products`, { key })).status).toBe(200);
        // Keys of earlier versions have no scopes of what came later.
        await expectWhole(version, app, await newKey(await commerce.store(storeId)));
        // Sums by day of the shop took the place of sums by day of UTC; a repair counts those of before.
        const repaired = await examine(commerce.engine, { repair: true });
        for (const { check, status, message } of repaired) {
          if (status !== 'problem' && status !== 'repaired') continue;
          expect({ check, message }).toMatchObject({
            check: 'counts',
            message: expect.stringContaining('sales.product'),
          });
        }
        const findings = await examine(commerce.engine);
        expect(findings.filter(({ status }) => status === 'problem')).toEqual([]);
        const certain = findings.filter(({ check }) => !['payments', 'secrets'].includes(check));
        expect(certain.filter(({ status }) => status !== 'ok')).toEqual([]);
      } finally {
        await commerce.close();
      }
    });
  });
});

/** Everything that was there is answered, with all that was known of it. */
async function expectWhole({ storeId, rows: { tables } }: Version, app: App, key: string): Promise<void> {
  const get = async (path: string) => {
    const { status, json } = await ask(app, `GET /stores/${storeId}${path}`, { key });
    return { status, json: json as { item: Record<string, unknown> } & Listed };
  };
  for (const [table, path] of Object.entries(answered)) {
    const rows = (tables[table] ?? []).map(({ json }) => JSON.parse(String(json)) as { id: string; status?: string });
    const living = rows.filter(({ status }) => status !== 'deleted');
    const { status, json } = await get(`/${path}?limit=100`);
    expect([path, status, json.total]).toEqual([path, 200, living.length]);
    expect(json.items.map(({ id }) => id).sort()).toEqual(living.map(({ id }) => id).sort());
    for (const row of rows) {
      const one = await get(`/${path}/${row.id}`);
      if (row.status === 'deleted') expect(one.status).toBe(404);
      else expect(one.json.item).toMatchObject(row);
    }
  }
  for (const [table, path] of Object.entries(listed)) {
    const { status, json } = await get(`/${path}?limit=100`);
    expect([path, status]).toEqual([path, 200]);
    // The key of this test is one more, in the audit log, too.
    const added = table === 'api_keys' || table === 'audit_logs' ? 1 : 0;
    // Payments were made of notifications by a migration.
    if (tables[table] || table !== 'payments') {
      expect([path, json.total]).toEqual([path, (tables[table]?.length ?? 0) + added]);
    }
    for (const { id } of json.items) expect((await get(`/${path}/${id}`)).status).toBe(200);
  }
  for (const { id } of (await get('/orders?limit=100')).json.items) {
    for (const part of ['refunds', 'timeline']) expect((await get(`/orders/${id}/${part}`)).status).toBe(200);
  }
  for (const { id } of (await get('/webhooks')).json.items) {
    expect((await get(`/webhooks/${id}/deliveries?limit=100`)).status).toBe(200);
  }
  for (const { id } of tables.checkouts ?? []) expect((await get(`/checkouts/${id}`)).status).toBe(200);
  const from = '2026-01-01T00:00:00.000Z';
  for (const path of ['/settings', '/payment-providers', '/products/attributes', `/statistics/sales?from=${from}`]) {
    expect([path, (await get(path)).status]).toEqual([path, 200]);
  }
}
