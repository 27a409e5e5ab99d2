import { newProduct, newShop } from '@commerce/test-support/fixtures/shop';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import {
  adjustStock,
  type Commerce,
  createProduct,
  getProduct,
  listProducts,
  openCommerce,
  type TransactionContext,
} from '../../index.ts';
import { openPostgres } from './postgres.ts';

interface Own {
  notes: { id: number; n: bigint | string };
}

describe('A pool of the application', () => {
  const withPool = (work: (pool: pg.Pool, address: string) => Promise<void>, config: pg.PoolConfig = {}) =>
    withDatabase('postgres', async ({ address }) => {
      const pool = new pg.Pool({ connectionString: address, ...config });
      // The database is dropped under idle connections.
      pool.on('error', () => {});
      try {
        await pool.query('create schema shop; create table notes (id integer primary key, n bigint)');
        await work(pool, address);
      } finally {
        await pool.end();
      }
    });
  const opened = async (pool: pg.Pool, work: (commerce: Commerce) => Promise<void>, more: object = {}) => {
    const commerce = await openCommerce({ storage: openPostgres({ pool, schema: 'shop', ...more }), upkeep: false });
    await work(commerce).finally(() => commerce.close());
  };
  /** What every connection of the pool has of settings and of prepared statements. */
  const stateOf = async (pool: pg.Pool) => {
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
    const states = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query(`
          select current_setting('search_path') as path, current_setting('statement_timeout') as statement,
            current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle,
            (select count(*) from pg_prepared_statements) as prepared, 1::bigint as big,
            pg_current_xact_id_if_assigned() as transaction`);
        return { ...rows[0], listeners: client.listenerCount('error') };
      }),
    );
    for (const client of clients) client.release();
    return states;
  };

  it('is used for everything, gets its connections back as they were, and is not closed', () =>
    withPool(
      async (pool) => {
        const before = await stateOf(pool);
        expect(before).toHaveLength(6);
        expect(before[0]).toMatchObject({ path: '"$user", public', statement: '7s', big: '1', prepared: '0' });
        let given = 0;
        pool.on('acquire', () => given++);
        let id = '';
        await opened(pool, async (commerce) => {
          const shop = await newShop(commerce);
          const product = await newProduct(shop, { trackStock: true, stock: 5 });
          id = shop.store.id;
          await Promise.all(Array.from({ length: 20 }, () => adjustStock(shop, product.id, { adjustment: 1 })));
          expect(await getProduct(shop, product.id)).toMatchObject({ stock: 25 });
          expect(await listProducts(shop, { search: product.title })).toMatchObject({ total: 1 });
          await expect(createProduct(shop, { ...product, id: undefined } as never)).rejects.toMatchObject({
            name: 'CommerceError',
          });
          const error = await commerce.engine.storage.db
            .transaction()
            .execute((tx) => sql`select 1 / 0, ${'secret'}`.execute(tx))
            .catch((one: unknown) => one);
          expect(error).toMatchObject({ code: '22012' });
          await commerce.engine.storage.scan(id, (db) => db.selectFrom('products').select('id').execute());
          expect((await pool.query("select tablename from pg_tables where schemaname = 'public'")).rows).toEqual([
            { tablename: 'notes' },
          ]);
          await commerce.migrationStatus();
        });
        expect(given).toBeGreaterThan(25);
        expect(pool.ended).toBe(false);
        expect(await stateOf(pool)).toEqual(before);
        await opened(pool, async (commerce) => {
          expect((await listProducts(await commerce.store(id))).total).toBe(1);
        });
      },
      { max: 6, statement_timeout: 7000, types: pg.types },
    ));

  it('commits rows of the application together with those of the store', () =>
    withPool(
      async (pool) => {
        await opened(pool, async (commerce) => {
          const shop = await newShop(commerce);
          const write = async (tx: TransactionContext<Own>, id: number) => {
            await createProduct(tx, { title: 'Mug', slug: `mug-${id}`, price: '5' });
            // The search path is that of the store: other schemas are named.
            const own = tx.sql.withSchema('public');
            await own.insertInto('notes').values({ id, n: '9007199254740993' }).execute();
            return own.selectFrom('notes').select('n').where('id', '=', id).executeTakeFirst();
          };
          // As the application's own parser reads it.
          expect(await commerce.transaction(shop, (tx: TransactionContext<Own>) => write(tx, 1))).toEqual({
            n: 9007199254740993n,
          });
          const undone = commerce.transaction(shop, async (tx: TransactionContext<Own>) => {
            await write(tx, 2);
            throw new Error('no');
          });
          await expect(undone).rejects.toThrow('no');
          expect((await pool.query('select id from notes')).rows).toEqual([{ id: 1 }]);
          expect((await listProducts(shop)).total).toBe(1);
        });
      },
      { types: { getTypeParser: ((oid: number) => (oid === 20 ? BigInt : pg.types.getTypeParser(oid))) as never } },
    ));

  it('keeps connections for the application, however much is asked', () =>
    withPool(
      async (pool) => {
        let most = 0;
        let lent = 0;
        pool.on('acquire', () => {
          most = Math.max(most, ++lent);
        });
        pool.on('release', () => {
          lent--;
        });
        await opened(pool, async (commerce) => {
          const shops = await Promise.all(Array.from({ length: 5 }, () => newShop(commerce)));
          const products = await Promise.all(shops.map(async (shop) => ({ shop, made: await newProduct(shop) })));
          const asked = Array.from({ length: 20 }, () => products).flat();
          await Promise.all(
            asked.flatMap(({ shop, made }) => [
              adjustStock(shop, made.id, { adjustment: 1 }),
              listProducts(shop, { search: made.title }),
            ]),
          );
        });
        expect(most).toBe(4);
        expect(lent).toBe(0);
      },
      { max: 8 },
    ));

  it.each([
    ['a pool that is too small', { max: 2 }, {}, { message: /^pool: must have a max of at least 3/ }],
    [
      'all of the pool',
      { max: 4 },
      { maxConnections: 4 },
      { message: /^maxConnections: must be .* 2 to 3, which leaves/ },
    ],
    ['one connection', {}, { maxConnections: 1 }, { message: /^maxConnections: .*not 1/ }],
    ['a schema that is not a name', {}, { schema: 'a"b' }, { message: /^schema: must be the name of a schema/ }],
    ['a schema of PostgreSQL', {}, { schema: 'pg_catalog' }, { message: /^schema: must be the name of a schema/ }],
  ])('is refused with %s', async (_, config, options, { message }) => {
    const pool = new pg.Pool(config);
    expect(() => openPostgres({ pool, ...options })).toThrow(message);
    await pool.end();
  });

  it('is refused without the schema, and with tables in it that have names of ours', () =>
    withPool(async (pool) => {
      const open = (schema: string) => openCommerce({ storage: openPostgres({ pool, schema }) });
      await expect(open('none')).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(
          /^the schema "none" does not exist in the database postgres:\/\/[^ ]+ \(schema none\)/,
        ),
      });
      await pool.query('create schema "user"; create table "user".orders (id text)');
      await expect(open('user')).rejects.toMatchObject({
        kind: 'unavailable',
        message: expect.stringMatching(/names that Commerce uses: orders;/),
      });
      await (await open('public')).close();
      expect((await pool.query('select count(*) from public.stores')).rows).toEqual([{ count: '0' }]);
      expect(pool.idleCount).toBe(pool.totalCount);
    }));

  it('gives back what a lost connection held', () =>
    withPool(async (pool, address) => {
      await opened(pool, async (commerce) => {
        const shop = await newShop(commerce);
        const other = new pg.Client({ connectionString: address });
        await other.connect();
        const lost = commerce.transaction(shop, async (tx: TransactionContext<Own>) => {
          const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.sql);
          await other.query('select pg_terminate_backend($1)', [rows[0]?.pid]);
          await createProduct(tx, { title: 'Mug', slug: 'mug', price: '5' });
        });
        await expect(lost).rejects.toMatchObject({ kind: 'unavailable' });
        await other.end();
        await newProduct(shop);
        expect((await listProducts(shop)).total).toBe(1);
      });
      expect(pool.idleCount).toBe(pool.totalCount);
    }));
});
