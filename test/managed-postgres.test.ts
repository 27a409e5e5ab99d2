import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Commerce, migrate, migrationStatus, openCommerce, openMediaFolder, systemClock } from '@commerce/core';
import { openPostgres } from '@commerce/core/postgres';
import { createApp } from '@commerce/server';
import {
  fixturePublicUrl,
  pathWith,
  prepareStore,
  routeFixtures,
} from '@commerce/test-support/fixtures/route-fixtures';
import { newShop } from '@commerce/test-support/fixtures/shop';
import { newCertificate } from '@commerce/test-support/harness/certificate';
import { nextName, withNextMigration } from '@commerce/test-support/harness/next-version';
import { newPostgres } from '@commerce/test-support/harness/postgres';
import { ask, newKey } from '@commerce/test-support/harness/requests';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { routeTable } from '../packages/server/src/routes/table.ts';

const owner = { name: 'shop_owner', password: 'of-the-owner' };
const server = { name: 'shop_server', password: 'of-the-server' };

describe.skipIf(process.env.TEST_QUICK !== undefined)('a role that may only read and write rows', () => {
  const database = `rights_${process.pid}`;
  const as = ({ name, password }: typeof owner) => {
    const url = new URL(inject('postgresUrl'));
    Object.assign(url, { username: name, password, pathname: `/${database}` });
    return url.href;
  };
  const administer = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: `${inject('postgresUrl')}/postgres` });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  let directory: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'commerce-rights-'));
    await administer(
      ...[owner, server].map(({ name, password }) => `create role ${name} login password '${password}'`),
      `create database ${database} owner ${owner.name}`,
    );
  });
  afterAll(async () => {
    await administer(
      `drop database if exists ${database} with (force)`,
      ...[owner, server].map(({ name }) => `drop role if exists ${name}`),
    );
    await rm(directory, { recursive: true, force: true });
  });

  /** Opens the database like a start of the service. */
  const opened = async (url: string): Promise<Commerce> =>
    openCommerce({
      storage: openPostgres({ url }),
      media: { files: openMediaFolder({ directory }), url: 'https://cdn.example.com' },
      publicUrl: fixturePublicUrl,
      upkeep: false,
    });

  it('is told to have the owner make the tables, and then that it lacks rights to them', async () => {
    await expect(opened(as(server))).rejects.toMatchObject({
      message: expect.stringMatching(
        /does not have Commerce tables yet, and this user cannot apply them; run `commerce migrate` as the owner/,
      ),
    });
    const storage = openPostgres({ url: as(owner) });
    await migrate(storage, systemClock);
    await expect(opened(as(server))).rejects.toMatchObject({
      message: expect.stringMatching(/is not allowed to use its tables .*; run `commerce migrate --grant-to`/),
    });
    await expect(storage.grant?.('nobody_of_that_name')).rejects.toMatchObject({ kind: 'notFound' });
    await storage.grant?.(server.name);
    await storage.close();
    await (await opened(as(server))).close();
  });

  it('is answered by every route, and changes no table and no list of migrations', async () => {
    const commerce = await opened(as(server));
    try {
      const app = createApp(commerce, { ordersApi: true });
      const shop = await newShop(commerce);
      await prepareStore(shop);
      const key = await newKey(shop);
      for (const route of routeTable({ ordersApi: true, uploads: true })) {
        const line = `${route.method} ${route.path}`;
        const { own, body, headers, query } = routeFixtures[line] ?? {};
        const params = (await own?.(shop)) ?? {};
        const path = `/stores/${shop.store.id}${pathWith(route.path, params)}${query ? `?${query}` : ''}`;
        const answer = await ask(app, `${route.method} ${path}`, {
          ...(await body?.()),
          ...(headers && { headers: await headers(shop) }),
          key,
        });
        expect([line, answer.status >= 200 && answer.status < 300 ? 'good' : answer.text]).toEqual([line, 'good']);
      }
      const client = new pg.Client({ connectionString: as(server) });
      await client.connect();
      for (const statement of [
        'create table of_the_server (id text)',
        'drop table products',
        'alter table products add column more text',
        'truncate orders',
        "insert into schema_migrations (name, applied_at) values ('0099_later', 1)",
        'delete from schema_migrations',
      ]) {
        await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
      }
      await client.end();
    } finally {
      await commerce.close();
    }
  });

  it('is told which migrations are missing, and gets the tables that the next ones make', async () => {
    const client = new pg.Client({ connectionString: as(owner) });
    await client.connect();
    const next = { rewritesRows: false, letsOlderServersRun: true, up: async () => {} };
    await withNextMigration(next, () =>
      expect(opened(as(server))).rejects.toMatchObject({
        message: expect.stringContaining(`lacks the migrations ${nextName}, and this user cannot apply them`),
      }),
    );
    await client.query('create table of_a_later_migration (id text)');
    const storage = openPostgres({ url: as(server) });
    await expect(migrationStatus(storage)).resolves.toMatchObject({ pending: [] });
    await storage.close();
    const later = new pg.Client({ connectionString: as(server) });
    await later.connect();
    await expect(later.query("insert into of_a_later_migration values ('x')")).resolves.toMatchObject({ rowCount: 1 });
    await later.end();
    await client.query('drop table of_a_later_migration');
    await client.end();
  });
});

describe.skipIf(process.env.TEST_QUICK !== undefined)('TLS to the database', () => {
  let folder: string;
  let postgres: Awaited<ReturnType<typeof newPostgres>>;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'commerce-tls-'));
    const { cert, key } = newCertificate({ host: 'localhost' });
    postgres = await newPostgres(['-c', 'ssl=on', '-c', 'fsync=off']);
    const files = [
      [join(postgres.databaseDir, 'server.crt'), cert],
      [join(postgres.databaseDir, 'server.key'), key],
      [join(folder, 'authority.crt'), cert],
      [join(folder, 'other.crt'), newCertificate({ host: 'localhost' }).cert],
    ] as const;
    for (const [file, text] of files) await writeFile(file, text, { mode: 0o600 });
    // The server runs as the owner of its files, and cannot read another user's key.
    for (const name of ['server.crt', 'server.key']) {
      await promisify(execFile)('chown', [`--reference=${postgres.databaseDir}`, join(postgres.databaseDir, name)]);
    }
    await postgres.start();
  });
  afterAll(async () => {
    await postgres?.stop();
    await postgres?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const open = (host: string, authority: string | undefined) => {
    const url = new URL(`${postgres.url}/postgres`);
    url.hostname = host;
    url.searchParams.set('sslmode', 'verify-full');
    if (authority) url.searchParams.set('sslrootcert', join(folder, authority));
    return openCommerce({ storage: openPostgres({ url: url.href }), upkeep: false });
  };

  it('is made where the name and the authority are right', async () => {
    const commerce = await open('localhost', 'authority.crt');
    const { rows } = await import('kysely').then(({ sql }) =>
      sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(
        commerce.engine.storage.db,
      ),
    );
    expect(rows).toEqual([{ ssl: true }]);
    await commerce.close();
  });

  it.each([
    ['another name', '127.0.0.1', 'authority.crt', /the certificate of the server is for another host name/],
    ['another authority', 'localhost', 'other.crt', /the certificate of the server .*sslrootcert/],
    [
      'an authority that nobody named',
      'localhost',
      undefined,
      /the certificate of the server is self-signed; name its authority with sslrootcert/,
    ],
    ['a file that is not there', 'localhost', 'nothing.crt', /nothing\.crt" that sslrootcert names .* cannot be read/],
  ])('is refused for %s, in words that help', async (_, host, authority, message) => {
    await expect(async () => open(host, authority)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(message),
    });
  });

  it('is asked for in vain of a server without it', async () => {
    const url = `${inject('postgresUrl')}/postgres?sslmode=verify-full`;
    await expect(async () => openCommerce({ storage: openPostgres({ url }) })).rejects.toMatchObject({
      message: expect.stringMatching(/does not support TLS/),
    });
  });
});
