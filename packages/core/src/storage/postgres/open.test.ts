import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { sql } from 'kysely';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { findMissingIndexes, makeIndexes } from '../../doctor/schema.ts';
import { listProducts, openCommerce } from '../../index.ts';
import { openPostgres } from './postgres.ts';

forEachStorage('errors of the database', (database) => {
  const commerce = useCommerce(database);

  it('do not hold what is in its rows', async () => {
    const shop = await newShop(commerce());
    const { db } = commerce().engine.storage;
    const secret = 'whsec_that_nobody_should_read';
    const row = {
      store_id: shop.store.id,
      provider: 'stripe',
      settings: secret,
      previous: '[]',
      make_orders: 0,
      updated_at: 1,
    } as const;
    const insert = () => db.transaction().execute((tx) => tx.insertInto('payment_providers').values(row).execute());
    await insert();
    const failures = [
      insert,
      () =>
        db.transaction().execute((tx) =>
          tx
            .insertInto('payment_providers')
            .values({ ...row, provider: 'paypal', updated_at: null as never })
            .execute(),
        ),
      () =>
        db.transaction().execute((tx) =>
          tx
            .updateTable('payment_providers')
            .set({ updated_at: secret as never, previous: null as never })
            .execute(),
        ),
    ];
    for (const failure of failures) {
      const error = await failure().then(
        () => expect.fail('it was no error'),
        (error: unknown) => error,
      );
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(secret);
    }
  });
});

describe('opening a PostgreSQL database', () => {
  const server = new URL(inject('postgresUrl'));
  const address = (change: (url: URL) => void) => {
    const url = new URL(server);
    url.pathname = '/postgres';
    change(url);
    return url.href;
  };

  it.each<[string, (url: URL) => void]>([
    [
      'where nobody listens',
      (url) => {
        url.port = '1';
      },
    ],
    [
      'with a wrong password',
      (url) => {
        url.password = 'hunter2';
      },
    ],
    [
      'as a user who does not exist',
      (url) => {
        url.username = 'nobody';
      },
    ],
    [
      'that does not exist',
      (url) => {
        url.pathname = '/nowhere';
      },
    ],
    [
      'on a host that does not exist',
      (url) => {
        url.hostname = 'no-such-host.invalid';
      },
    ],
  ])('%s ends as unavailable', async (_, change) => {
    const opening = openCommerce({ storage: openPostgres({ url: address(change) }) });
    await expect(opening).rejects.toMatchObject({ name: 'CommerceError', kind: 'unavailable' });
  });

  it.each(['commerce.db', 'mysql://me:hunter2@localhost/shop', 'me:hunter2@localhost', ''])(
    'by the address %j is refused, and the address, which may hold a password, is not repeated',
    (url) => {
      expect(() => openPostgres({ url })).toThrow(
        expect.objectContaining({ kind: 'unavailable', message: expect.not.stringContaining('hunter2') }),
      );
    },
  );

  it('never shows its password', async () => {
    const storage = openPostgres({ url: `${server.href}/shop` });
    expect(storage.location).toBe(`postgres://${server.host}/shop`);
    await storage.close();
  });

  it('asks as the user that runs it where neither the address nor the environment names one', async () => {
    const before = pg.defaults.user;
    Reflect.deleteProperty(pg.defaults, 'user');
    try {
      const bare = openPostgres({ url: `postgres://${server.host}/postgres` });
      await bare.close();
      expect(new pg.Client({ host: server.hostname, port: Number(server.port) }).user).toBe(
        process.env.PGUSER ?? userInfo().username,
      );
    } finally {
      Object.assign(pg.defaults, { user: before });
    }
  });

  it('shows the folder of a socket, where databases of one name may be', async () => {
    const storage = openPostgres({ url: 'postgres://me:hunter2@localhost/shop?host=/run/one&sslmode=disable' });
    expect(storage.location).toBe('postgres://localhost/shop?host=/run/one');
    await storage.close();
    const bare = openPostgres({ url: 'postgres:///shop?host=/run/two' });
    expect(bare.location).toBe('postgres:///shop?host=/run/two');
    await bare.close();
  });
});

describe.skipIf(process.env.TEST_QUICK !== undefined)('the schema of a PostgreSQL database', () => {
  const name = `schemas_${process.pid}`;
  const role = `shop_${process.pid}`;
  const address = (options = '') =>
    `postgres://${role}:secret@${new URL(inject('postgresUrl')).host}/${name}${options && `?options=${encodeURIComponent(options)}`}`;
  const administer = async (at: string, ...statements: string[]) => {
    const client = new pg.Client({ connectionString: `${inject('postgresUrl')}/${at}` });
    await client.connect();
    const answers = [];
    for (const statement of statements) answers.push(await client.query(statement));
    await client.end();
    return answers;
  };
  const open = (options?: string) => openCommerce({ storage: openPostgres({ url: address(options) }), upkeep: false });
  const schemasOfTables = async () => {
    const [found] = await administer(
      name,
      "select schemaname as at from pg_tables where tablename = 'products' order by 1",
    );
    return found?.rows.map(({ at }) => at);
  };

  beforeEach(async () => {
    await administer(
      'postgres',
      `create role ${role} login password 'secret'`,
      `create database ${name} owner ${role}`,
    );
    await administer(name, 'create schema extensions', 'create extension pg_trgm schema extensions');
    await administer(name, `grant usage on schema extensions to ${role}`);
    await administer(name, `create schema shop authorization ${role}`);
  });
  afterEach(() =>
    administer('postgres', `drop database if exists ${name} with (force)`, `drop role if exists ${role}`),
  );

  it.each([
    ['the role', `alter role ${role} set search_path = shop`],
    ['the role in this database', `alter role ${role} in database ${name} set search_path = shop`],
    ['the database', `alter database ${name} set search_path = shop, public`],
    // "$user" is first by default.
    ['the name of the role', `alter schema shop rename to ${role}`],
  ])('is public whatever a setting of %s says, also for a service that runs', async (_, setting) => {
    const commerce = await open();
    const shop = await newShop(commerce);
    await newProduct(shop);
    const schemas = await schemasOfTables();
    await administer(name, setting, `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
    await commerce.close();
    const again = await open();
    expect((await listProducts(await again.store(shop.store.id))).total).toBe(1);
    await again.close();
    expect([schemas, await schemasOfTables()]).toEqual([['public'], ['public']]);
  });

  it('is the one that the options of the address name, and the waits of a transaction stay', async () => {
    const commerce = await open('-c search_path=shop -c work_mem=9MB');
    const shop = await newShop(commerce);
    await newProduct(shop);
    expect((await listProducts(shop, { search: 'mug' })).total).toBe(1);
    const setting = async (of: string) =>
      (await sql<{ value: string }>`select current_setting(${of}) as value`.execute(commerce.engine.storage.db)).rows[0]
        ?.value;
    expect(await Promise.all(['search_path', 'work_mem', 'lock_timeout'].map(setting))).toEqual(['shop', '9MB', '10s']);
    await commerce.close();
    expect(await schemasOfTables()).toEqual(['shop']);
  });

  it('is never an empty one beside the tables that a setting of the role leads to', async () => {
    await (await open('-c search_path=shop')).close();
    await administer(name, `alter role ${role} set search_path = "$user", shop`);
    await expect(open()).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(
        /are in the schema "shop", which only a setting .* add "options=-c%20search_path%3Dshop"/,
      ),
    });
    expect(await schemasOfTables()).toEqual(['shop']);
  });

  it('has its missing indexes made again although the extension is elsewhere', async () => {
    const storage = openPostgres({ url: address() });
    await (await openCommerce({ storage: openPostgres({ url: address() }), upkeep: false })).close();
    await sql`drop index product_search__text`.execute(storage.db);
    expect(await makeIndexes(storage, await findMissingIndexes(storage))).toEqual([]);
    expect(await findMissingIndexes(storage)).toEqual([]);
    await storage.close();
  });

  it('in the address of a pooler of transactions is one name, since it becomes part of each transaction', () => {
    for (const options of ["-c search_path=a';drop", '-c work_mem=9MB', '-c search_path=a -c work_mem=9MB']) {
      expect(() => openPostgres({ url: `${address(options)}&pooler=transaction` })).toThrow(
        /only -c search_path=name is allowed, with lower-case letters/,
      );
    }
  });
});

forEachStorage('a connection that breaks', (database, dialect) => {
  const commerce = useCommerce(database);

  it('on purpose, by close(), which may be called twice, answers nothing more', async () => {
    const closed = await openCommerce({ storage: database.open() });
    const shop = await newShop(closed);
    await Promise.all([closed.close(), closed.close()]);
    await expect(listProducts(shop)).rejects.toThrow();
    await expect(newProduct(shop)).rejects.toThrow();
  });

  // A file has no connection that others could end.
  if (dialect === 'sqlite') return;

  /** Ends every connection except its own, like a restart of the server. */
  async function endConnections(): Promise<void> {
    const other = new pg.Client({ connectionString: database.address });
    await other.connect();
    await other.query(
      'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    );
    await other.end();
  }

  it('ends its transaction as unavailable, and nothing of it is left', async () => {
    const shop = await newShop(commerce());
    const { storage } = shop.engine;
    const broken = await storage.db
      .transaction()
      .execute(async (tx) => {
        await tx.updateTable('stores').set({ name: 'half' }).where('id', '=', shop.store.id).execute();
        await endConnections();
        // Long enough to notice the end between two statements, when no caller waits for an answer.
        await sleep(50);
        await tx.updateTable('stores').set({ name: 'whole' }).where('id', '=', shop.store.id).execute();
      })
      .catch((error: unknown) => error);
    expect(storage.isUnavailable(broken)).toBe(true);
    expect((await commerce().store(shop.store.id)).store.name).toBe('Shop');
  });

  it('is replaced: what comes next works again', async () => {
    const shop = await newShop(commerce());
    await Promise.all(Array.from({ length: 10 }, () => newProduct(shop)));
    await endConnections();
    // The pool can return a connection before it notices its end: that is always "unavailable".
    for (let attempt = 0; attempt < 20; attempt++) {
      const error = await listProducts(shop).then(
        () => null,
        (error: unknown) => error,
      );
      if (error === null) break;
      expect(error).toMatchObject({ kind: 'unavailable' });
    }
    expect((await listProducts(shop)).total).toBe(10);
    await newProduct(shop);
    expect((await listProducts(shop)).total).toBe(11);
  });
});
