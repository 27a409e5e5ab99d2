import { userInfo } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import pg from 'pg';
import { describe, expect, inject, it } from 'vitest';
import { listProducts, openCommerce } from '../index.ts';
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

  /** Ends every connection but its own, as a restart of the server does. */
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
        // Long enough for the end to be heard of between two statements, when nobody waits for an answer.
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
    // The pool may hand out a connection whose end it has not heard of yet: that is "unavailable", never anything else.
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
