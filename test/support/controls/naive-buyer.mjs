// A buyer that checks and then acts, without regard for concurrent buyers: reads the stock, checks it, writes the rest. The race tests run
// it to prove that they would notice.
import { setTimeout as sleep } from 'node:timers/promises';

const [address, attempts, connections] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];

const database = await open(address);
let sold = 0;
let made = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    while (made++ < attempts) {
      const stock = await database.read();
      if (stock <= 0) continue;
      // A real application does other work in between: it looks up the order, prepares the answer.
      await sleep(1);
      await database.write(stock - 1);
      sold++;
    }
  }),
);
await database.close();
process.stdout.write(JSON.stringify({ sold }));

async function open(url) {
  if (url.startsWith('postgres')) {
    const { default: pg } = await import('pg');
    const pool = new pg.Pool({ connectionString: url, max: 10 });
    return {
      read: async () => (await pool.query('select stock from naive')).rows[0].stock,
      write: (stock) => pool.query('update naive set stock = $1', [stock]),
      close: () => pool.end(),
    };
  }
  const { default: Database } = await import('better-sqlite3');
  const db = new Database(url, { timeout: 10_000 });
  return {
    read: async () => db.prepare('select stock from naive').pluck().get(),
    write: async (stock) => db.prepare('update naive set stock = ?').run(stock),
    close: async () => db.close(),
  };
}
