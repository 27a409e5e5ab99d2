import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrationStatus, migrations } from '@commerce/core';
import { fillStore } from '@commerce/test-support/fixtures/every-resource';
import { readVersion, type Version, writeVersion } from '@commerce/test-support/fixtures/versions';
import { bin, run, startServer } from '@commerce/test-support/harness/processes';
import { loadRows, readRows, schemaOf, sumsOf } from '@commerce/test-support/harness/schemas';
import { withDatabase } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { describe, expect, it } from 'vitest';
import { buildOf, commitOf } from '../release/previous.mjs';

/**
 * What databases to keep: `current`, the refs of earlier commits, or `0003` for what the database before that migration becomes by
 * it. Without the variable, the current version alone is filled, and nothing is written.
 */
const wanted = process.env.FIXTURE_SCHEMA?.split(',');

/** Fills a database with the command line of some version and reads what it has left. */
async function makeVersion(program: string, madeBy: string): Promise<{ version: Version; unknown: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-version-'));
  const subscriber = await startSubscriber();
  const webhookSecret = 'whsec_of_a_version';
  const command = async (...args: string[]) => {
    const { code, stdout, stderr } = await run(process.execPath, [program, ...args, '--json']);
    if (code !== 0) throw new Error(`${args[0]} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const init = (address: string) => command('init', '--db', address, '--name', 'Shop', '--currency', 'EUR');
  try {
    const sqlite = await withDatabase('sqlite', async (database) => {
      await init(database.address);
      const storage = database.open();
      return schemaOf(storage, 'sqlite').finally(() => storage.close());
    });
    return await withDatabase('postgres', async (database) => {
      const { store, apiKey } = await init(database.address);
      const configure = ['payments', 'configure', '--provider', 'stripe', '--webhook-secret', webhookSecret];
      await command(...configure, '--db', database.address);
      const help = await run(process.execPath, [program, 'serve', '--help']);
      const media = help.stdout.includes('--media-dir') ? ['--media-dir', join(folder, 'media')] : [];
      const flags = ['--orders-api', '--allow-insecure-webhooks', ...media];
      const server = await startServer(database.address, flags, false, program);
      const service = {
        url: server.url,
        storeId: store.id,
        key: apiKey.key,
        webhookSecret,
        subscriber: subscriber.url,
      };
      let unknown: string[];
      try {
        unknown = await fillStore(service);
        if (!unknown.some((one) => one.startsWith('POST /webhooks'))) {
          let before = -1;
          await until('all events are delivered', () => {
            const quiet = before === subscriber.received.length && before > 0;
            before = subscriber.received.length;
            return quiet;
          });
        }
      } finally {
        await server.stop();
      }
      const storage = database.open();
      try {
        const { applied } = await migrationStatus(storage);
        const postgres = sumsOf(await schemaOf(storage, 'postgres'));
        const version: Version = {
          migration: applied.at(-1) ?? '',
          madeBy,
          at: Date.now(),
          storeId: store.id,
          key: apiKey.key,
          schema: { sqlite: sumsOf(sqlite), postgres },
          rows: await readRows(storage),
        };
        return { version, unknown };
      } finally {
        await storage.close();
      }
    });
  } finally {
    await subscriber.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the database before a migration becomes by it, where no program had this migration and none of the later ones. */
async function deriveVersion(number: string): Promise<Version> {
  const before = readVersion(String(Number(number) - 1).padStart(4, '0'));
  const migration = migrations.find(({ name }) => name.startsWith(number))?.name ?? '';
  const after = (dialect: 'sqlite' | 'postgres') =>
    withDatabase(dialect, async (database) => {
      const storage = database.open();
      try {
        await loadRows(storage, before.migration, before.rows, before.at, migration);
        const sums = sumsOf(await schemaOf(storage, dialect));
        return { sums, rows: dialect === 'postgres' ? await readRows(storage) : undefined };
      } finally {
        await storage.close();
      }
    });
  const [sqlite, postgres] = [await after('sqlite'), await after('postgres')];
  const rows = postgres.rows ?? before.rows;
  const madeBy = `${before.migration} and the migration ${migration}`;
  return { ...before, migration, madeBy, schema: { sqlite: sqlite.sums, postgres: postgres.sums }, rows };
}

describe('a database to keep for the tests of later versions', () => {
  it.skipIf(wanted)('has something of each kind', async () => {
    const { version, unknown } = await makeVersion(bin, 'this commit');
    expect(unknown).toEqual([]);
    expect(version.migration).toBe(migrations.at(-1)?.name);
    // What has no rows: each by itself is over when its request is.
    expect(migrations.length).toBeGreaterThan(0);
  });

  it.each(wanted ?? [])('is written: %s', { timeout: 120_000 }, async (what) => {
    if (/^\d{4}$/.test(what)) {
      writeVersion(await deriveVersion(what));
      return;
    }
    const commit = await commitOf(what === 'current' ? 'HEAD' : what);
    expect(commit, `no commit ${what}`).toBeDefined();
    const program = what === 'current' ? bin : await buildOf(commit ?? '');
    const { version, unknown } = await makeVersion(program, (commit ?? '').slice(0, 12));
    console.log(version.migration, version.madeBy, 'does not know', unknown.join(', ') || '-');
    writeVersion(version);
  });
});
