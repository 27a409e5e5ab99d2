import { minute, useSelling } from '@commerce/test-support/fixtures/selling';
import { statementsOf } from '@commerce/test-support/harness/statements';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { closeDuePages, createCheckout } from '../index.ts';

forEachStorage('a store of many open checkouts', (database, dialect) => {
  const { clock, commerce, openShop } = useSelling(database);

  it('is not read through for a new one, nor for those that are due', async () => {
    const { shop, input } = await openShop();
    const { storage, ids } = shop.engine;
    await createCheckout(shop, input());
    const mine = storage.db.selectFrom('checkouts').selectAll().where('store_id', '=', shop.store.id);
    const one = await mine.executeTakeFirstOrThrow();
    const rows = Array.from({ length: 2000 }, (_, i) => ({
      ...{ ...one, id: ids.next(clock.now()), order_id: ids.next(clock.now()), fingerprint: `another ${i}` },
      expires_at: clock.now() + 60 * minute,
    }));
    await storage.db.transaction().execute(async (tx) => {
      for (let i = 0; i < rows.length; i += 100) {
        await tx
          .insertInto('checkouts')
          .values(rows.slice(i, i + 100))
          .execute();
      }
    });
    if (dialect === 'postgres') await storage.db.executeQuery(CompiledQuery.raw('analyze checkouts'));
    const statements = await statementsOf(async () => {
      await createCheckout(shop, input({ customerNote: 'another' }));
      clock.advance(29 * minute);
      expect(await closeDuePages(commerce().engine)).toBe(2);
    });
    const reading = statements.filter(({ text }) => /(from|update) "checkouts"/.test(text));
    expect(reading.some(({ text }) => text.includes('"fingerprint" ='))).toBe(true);
    expect(reading.some(({ text }) => text.includes('"expires_at" <='))).toBe(true);
    const explain = dialect === 'sqlite' ? 'explain query plan' : 'explain';
    for (const { text, values } of reading) {
      const { rows } = await storage.db.executeQuery(CompiledQuery.raw(`${explain} ${text}`, [...values]));
      const plan = rows.map((line) => Object.values(line as object).join(' ')).join('\n');
      const index = text.includes('"fingerprint" =')
        ? /checkouts_fingerprint/
        : text.includes('"expires_at" <=')
          ? /checkouts_due/
          : /checkouts_pkey|sqlite_autoindex_checkouts|checkouts__order_id/;
      expect(plan).toMatch(index);
    }
  });
});
