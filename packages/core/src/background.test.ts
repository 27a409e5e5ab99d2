import { newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { type Statement, statementsOf } from '@commerce/test-support/harness/statements';
import { forOneStorage } from '@commerce/test-support/harness/storages';
import { CompiledQuery } from 'kysely';
import { expect, it } from 'vitest';
import { askPendingRefunds, closeDuePages, endReservations, expirePendingOrders } from './index.ts';
import { matchWithdrawals } from './sales/withdrawals/match.ts';
import { continueImports } from './transfer/background.ts';

// Every few seconds, each service looks for what is due, of all stores, on the thread that answers requests. In a shop with a million orders,
// none of these looks may walk through them. SQLite has no statistics, so its plans are the same in an empty database.

/** Whole tables or indexes that are read: there are few stores and subscriptions, and these indexes hold only what is waiting. */
const short =
  /^SCAN (stores|webhooks|mails USING COVERING INDEX mails_due_of_store|withdrawals USING INDEX withdrawals_untried)\b/;

forOneStorage('the look for what is due', 'sqlite', (database, dialect) => {
  const commerce = useCommerce(database);

  it.skipIf(dialect !== 'sqlite')('begins with what is due, not with all that a store has', async () => {
    const { engine } = commerce();
    await newShop(commerce());
    const works = {
      endReservations,
      askPendingRefunds,
      closeDuePages,
      matchWithdrawals,
      continueImports,
      expirePendingOrders: () => expirePendingOrders(engine, 1000),
      deliverDue: () => commerce().deliverDue(),
      sendDueMails: () => commerce().sendDueMails(),
    };
    for (const [name, work] of Object.entries(works)) {
      const statements = await statementsOf(() => work(engine));
      const looks = statements.filter(({ text }) => text.startsWith('select'));
      expect([name, looks.length > 0]).toEqual([name, true]);
      for (const look of looks) {
        for (const step of await stepsOf(look)) {
          const walks = (/^SCAN /.test(step) && !short.test(step)) || /store_id>\?/.test(step);
          expect([name, look.text, walks ? step : '']).toEqual([name, look.text, '']);
          if (look.text.includes('"status" = ?') && /^SEARCH orders /.test(step)) expect(step).toContain('status=?');
        }
      }
    }
  });

  async function stepsOf({ text, values }: Statement): Promise<string[]> {
    const { db } = commerce().engine.storage;
    const { rows } = await db.executeQuery(CompiledQuery.raw(`explain query plan ${text}`, [...values]));
    return rows.map((row) => (row as { detail: string }).detail);
  }
});
