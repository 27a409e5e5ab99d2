import { eventTypesOf, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { type CompiledQuery, sql } from 'kysely';
import { beforeAll, expect, expectTypeOf, it } from 'vitest';
import { createProduct, deleteProduct, listProducts, type TransactionContext, updateProduct } from '../index.ts';

interface Own {
  notes: { id: number; text: string };
}

forEachStorage('queries of the application in a transaction', (database, dialect) => {
  const commerce = useCommerce(database);
  type Tx = TransactionContext<Own>;
  const mug = { title: 'Mug', slug: 'mug', price: '5' };
  const shopWithNotes = async () => {
    const shop = await newShop(commerce());
    await commerce().transaction(shop, (tx: Tx) => tx.sql.deleteFrom('notes').execute());
    return shop;
  };
  /** The committed notes. */
  const notes = async () => {
    const { rows } = await sql<{ text: string }>`select text from notes order by id`.execute(
      commerce().engine.storage.reads,
    );
    return rows.map(({ text }) => text);
  };
  const note = (tx: Tx, id: number, text: string) => tx.sql.insertInto('notes').values({ id, text }).execute();

  beforeAll(async () => {
    const shop = await newShop(commerce());
    await commerce().transaction(shop, async (tx: Tx) => {
      await sql`create table notes (id integer primary key, text text not null)`.execute(tx.sql);
    });
  });

  it('commit with the operations', async () => {
    const shop = await shopWithNotes();
    const found = await commerce().transaction(shop, async (tx: Tx) => {
      await note(tx, 1, 'before');
      const made = await createProduct(tx, mug);
      const [result] = await tx.sql.insertInto('notes').values({ id: 2, text: made.id }).execute();
      expect(result?.numInsertedOrUpdatedRows).toBe(1n);
      expect(await notes()).toEqual([]);
      const read = await tx.sql.selectFrom('notes').selectAll().orderBy('id').execute();
      expectTypeOf(read).toEqualTypeOf<{ id: number; text: string }[]>();
      await updateProduct(tx, made.id, { title: 'Cup' });
      return { made, read };
    });
    expect(found.read).toEqual([
      { id: 1, text: 'before' },
      { id: 2, text: found.made.id },
    ]);
    expect(await notes()).toEqual(['before', found.made.id]);
    expect((await listProducts(shop)).items).toMatchObject([{ title: 'Cup' }]);
  });

  it('are rolled back with the operations', async () => {
    const shop = await shopWithNotes();
    const error = new Error('no');
    const work = commerce().transaction(shop, async (tx: Tx) => {
      await note(tx, 1, 'x');
      await createProduct(tx, mug);
      throw error;
    });
    await expect(work).rejects.toBe(error);
    expect(await notes()).toEqual([]);
    expect((await listProducts(shop)).items).toEqual([]);
    expect(await eventTypesOf(shop)).not.toContain('product.created');
  });

  it('stay if an operation fails that they are not part of, though nothing is awaited', async () => {
    const shop = await shopWithNotes();
    await commerce().transaction(shop, async (tx: Tx) => {
      await createProduct(tx, mug);
      const results = await Promise.allSettled([note(tx, 1, 'a'), createProduct(tx, mug), note(tx, 2, 'b')]);
      expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    });
    expect(await notes()).toEqual(['a', 'b']);
    expect((await listProducts(shop)).total).toBe(1);
  });

  it('end the transaction if they fail, even if the error is caught', async () => {
    const shop = await shopWithNotes();
    const codes = { sqlite: 'SQLITE_CONSTRAINT_PRIMARYKEY', postgres: '23505' };
    let after: unknown;
    const work = commerce().transaction(shop, async (tx: Tx) => {
      await createProduct(tx, mug);
      await note(tx, 1, 'a');
      await note(tx, 1, 'b').catch(() => {});
      after = await createProduct(tx, { ...mug, slug: 'cup' }).catch((error: unknown) => error);
    });
    await expect(work).rejects.toMatchObject({ code: codes[dialect] });
    expect(after).toMatchObject({ kind: 'conflict' });
    expect(await notes()).toEqual([]);
    expect((await listProducts(shop)).items).toEqual([]);
  });

  it('are refused once the transaction has ended, and outside of it have no tables', async () => {
    const shop = await shopWithNotes();
    let kept: Tx | undefined;
    await commerce().transaction(shop, async (tx: Tx) => {
      kept = tx;
      await tx.sql.destroy();
    });
    const ended = { kind: 'conflict', message: /the transaction has ended/ };
    const late = note(kept as Tx, 1, 'late');
    await expect(late).rejects.toMatchObject({ ...ended, message: expect.stringMatching(ended.message) });
    // The same goes for one that begins in the callback and is not awaited.
    let forgotten: Promise<unknown> | undefined;
    await commerce().transaction(shop, async (tx: Tx) => {
      forgotten = note(tx, 1, 'x').catch((error: unknown) => error);
    });
    expect(await forgotten).toMatchObject({ kind: 'conflict' });
    expect(await notes()).toEqual([]);
    // @ts-expect-error the table is not named
    const unnamed = (tx: TransactionContext) => tx.sql.selectFrom('notes');
    expect(unnamed).toBeTypeOf('function');
  });

  it.each(['commit', ' ROLLBACK', 'begin', 'set search_path = x', 'pragma foreign_keys = off', 'savepoint a'])(
    'cannot be %s',
    async (text) => {
      const shop = await shopWithNotes();
      await commerce().transaction(shop, async (tx: Tx) => {
        const run = sql.raw(text).execute(tx.sql);
        await expect(run).rejects.toMatchObject({ kind: 'conflict', message: expect.stringMatching(/cannot be run/) });
        await expect(tx.sql.transaction().execute(async () => {})).rejects.toMatchObject({ kind: 'conflict' });
        await note(tx, 1, 'kept');
      });
      expect(await notes()).toEqual(['kept']);
    },
  );

  it('run again with the transaction', async () => {
    const shop = await shopWithNotes();
    const { storage } = commerce().engine;
    let runs = 0;
    const transient = Object.assign(new Error('given up'), { code: '40001' });
    const isTransient = storage.isTransient;
    Object.assign(storage, { isTransient: (error: unknown) => error === transient || isTransient(error) });
    await commerce().transaction(shop, async (tx: Tx) => {
      await note(tx, 1, `run ${++runs}`);
      if (runs === 1) throw transient;
    });
    Object.assign(storage, { isTransient });
    expect(await notes()).toEqual(['run 2']);
  });

  it('read values as the driver converts them, and leave ours as they are', async () => {
    const shop = await shopWithNotes();
    await commerce().transaction(shop, async (tx: Tx) => {
      const made = await createProduct(tx, mug);
      const { rows } = await sql<{ n: unknown; m: unknown }>`
        select cast(9007199254740993 as bigint) as n, count(*) as m from notes`.execute(tx.sql);
      // node-postgres does not lose digits of numbers that JavaScript does not have; better-sqlite3 does.
      const read = dialect === 'postgres' ? { n: '9007199254740993', m: '0' } : { n: 9007199254740992, m: 0 };
      expect(rows).toEqual([read]);
      expect((await listProducts(tx)).items).toEqual([made]);
      await deleteProduct(tx, made.id);
    });
    const query: CompiledQuery = sql`select count(*) as n from notes`.compile(commerce().engine.storage.reads);
    expect((await commerce().engine.storage.reads.executeQuery(query)).rows).toEqual([{ n: 0 }]);
  });
});
