// Stores uploads in the obvious but unsafe order: the row, then the file. The crash test runs it to prove that it would notice.
import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const [address, directory, storeId] = process.argv.slice(2);

const insert = await open(address);
const content = Buffer.alloc(500_000, 'x');
await mkdir(join(directory, storeId), { recursive: true });
process.stdout.write('ready\n');
for (;;) {
  const name = `${storeId}/${randomUUID()}.png`;
  await insert(name);
  await writeFile(join(directory, name), content);
}

async function open(url) {
  if (url.startsWith('postgres')) {
    const { default: pg } = await import('pg');
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    return (name) => client.query('insert into naive values ($1)', [name]);
  }
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(url, { timeout: 10_000 });
  return async (name) => db.prepare('insert into naive values (?)').run(name);
}
