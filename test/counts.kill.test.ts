import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { openCommerce, type Product, type Storage } from '@commerce/core';
import { root } from '@commerce/test-support/harness/processes';
import { repeats } from '@commerce/test-support/harness/repeats';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { until } from '@commerce/test-support/harness/until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

/** Kills per database. */
const rounds = repeats({ suite: 5, nightly: 50 });

/** The maximum delay from the last awaited write to the kill, in milliseconds; changes are folded several times in that time. */
const maxPause = 500;

type Counts = Record<string, number>;

forEachStorage('counts of a process that is killed while it writes', (database, dialect) => {
  /** Counts as lists show them, and as counted from the living rows at the same moment. */
  function readCounts(storage: Storage, storeId: string): Promise<{ told: Counts; counted: Counts }> {
    return storage.snapshot(async (db) => {
      const told: Counts = {};
      const totals = await db.selectFrom('list_totals').selectAll().where('store_id', '=', storeId).execute();
      for (const { list, value, n } of totals) {
        if (!list.endsWith('.version') && n !== 0) told[`${list} ${value}`] = n;
      }
      const counted: Counts = {};
      const add = (list: string, value: string) => {
        counted[`${list} ${value}`] = (counted[`${list} ${value}`] ?? 0) + 1;
      };
      const living = await db
        .selectFrom('products')
        .select('json')
        .where('store_id', '=', storeId)
        .where('status', '<>', 'deleted')
        .execute();
      for (const { json } of living) {
        const { status, attributes, trackStock, allowBackorder, stock } = JSON.parse(json) as Product;
        add('products.status', status);
        if (!trackStock || allowBackorder || stock > 0) add('products.inStock', status);
        for (const [key, value] of Object.entries(attributes)) {
          add('products.facets', JSON.stringify([`attr.${key}`, value]));
          if (status === 'published') add('products.publishedFacets', JSON.stringify([`attr.${key}`, value]));
        }
      }
      const entries = await db.selectFrom('audit_logs').selectAll().where('store_id', '=', storeId).execute();
      for (const { actor_id, resource_type, action } of entries) {
        add('auditLogs', JSON.stringify([actor_id, resource_type, action]));
      }
      return { told, counted };
    });
  }

  async function makeStores(): Promise<string[]> {
    const setUp = await openCommerce({ storage: database.open() });
    const stores = await Promise.all(['One', 'Two'].map((name) => setUp.createStore({ name, currency: 'EUR' })));
    await setUp.close();
    return stores.map(({ id }) => id);
  }

  /** Runs a process that writes to the stores, and kills it after some writes. */
  async function killWhileWriting(storeIds: readonly string[], ...more: string[]): Promise<void> {
    const program = ['test/support/programs/busy-writer.mjs', database.address, storeIds.join(), ...more];
    const child = spawn(process.execPath, program, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit') as Promise<[number | null, string | null]>;
    let written = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      written += chunk.length / 2;
    });
    await until('it has written some', () => written > 10 || child.exitCode !== null, 30_000);
    await sleep(Math.random() * maxPause);
    child.kill('SIGKILL');
    expect(await ended).toEqual([null, 'SIGKILL']);
  }

  it(`equal the living rows, before and after they are folded, ${rounds} times over`, {
    timeout: 60_000 + rounds * 10_000,
  }, async () => {
    const storeIds = await makeStores();
    // Without upkeep, which would also fold the changes.
    const storage = database.open();
    const changesLeft = async () => {
      if (dialect === 'sqlite') return 0;
      const { rows } = await sql<{ n: number }>`select count(*) as n from list_count_changes`.execute(storage.db);
      return rows[0]?.n ?? 0;
    };
    let left = 0;
    let before = 0;
    for (let round = 0; round < rounds; round++) {
      await killWhileWriting(storeIds, `round-${round}`);
      if ((await changesLeft()) > 0) left++;
      for (const storeId of storeIds) {
        const { told, counted } = await readCounts(storage, storeId);
        expect(told).toEqual(counted);
      }
      // The server can still execute statements of the killed process, or hold the rows that are to be folded.
      await until('all is folded', async () => {
        await storage.counts.foldAll?.();
        return (await changesLeft()) === 0;
      });
      let now = 0;
      for (const storeId of storeIds) {
        const { told, counted } = await readCounts(storage, storeId);
        expect(told).toEqual(counted);
        now += Object.values(told).reduce((sum, n) => sum + n, 0);
      }
      expect(now).toBeGreaterThan(before);
      before = now;
    }
    // Otherwise, no kill left unfolded changes.
    if (dialect === 'postgres') expect(left).toBeGreaterThan(0);
    console.info(
      `${dialect}: ${rounds} kills, ${left} of them with changes left to be folded, ${before} counted at the end`,
    );
    await storage.close();
  });

  it('would not, if a write and its count were two transactions', { timeout: 120_000 }, async () => {
    const storeIds = await makeStores();
    const storage = database.open();
    let isWrong = false;
    for (let round = 0; round < 10 && !isWrong; round++) {
      await killWhileWriting(storeIds, `naive-${round}`, 'naive');
      for (const storeId of storeIds) {
        const { told, counted } = await readCounts(storage, storeId);
        isWrong ||= !isDeepStrictEqual(told, counted);
      }
    }
    await storage.close();
    expect(isWrong).toBe(true);
  });
});
