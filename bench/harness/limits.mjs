// Limits that the workloads are compared with, each in its own process like the server. `http` answers every request with the same bytes;
// `commits` writes one row per durable transaction. No code of Commerce runs here.
import { createServer } from 'node:http';
import Database from 'better-sqlite3';
import { portOf, answer as send } from './parent.mjs';

const [kind, file] = process.argv.slice(2);

if (kind === 'http') {
  let answer;
  const server = createServer((_, response) => {
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  server.listen(0, '127.0.0.1', () => {
    process.on('message', (/** @type {any} */ task) => {
      // Node sends a text in one piece with its head; a buffer saves the repeated encoding of a long one.
      const body = Buffer.from(task.body, 'base64');
      const isText = !task.headers.includes('Content-Encoding');
      answer = {
        status: task.status,
        headers: task.headers,
        body: isText && body.length < 8192 ? body.toString() : body,
      };
      send({ url: `http://127.0.0.1:${portOf(server)}` });
    });
  });
} else {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('create table if not exists rows (id integer primary key, data text not null)');
  const insert = db.prepare('insert into rows (data) values (?)');
  process.on('message', (/** @type {{ seconds: number, bytes: number }} */ { seconds, bytes }) => {
    const data = 'x'.repeat(bytes);
    const start = performance.now();
    const end = start + seconds * 1000;
    let count = 0;
    while (performance.now() < end) {
      insert.run(data);
      count++;
    }
    send({ rate: (count * 1000) / (performance.now() - start) });
  });
}

// The process that started this one has ended.
process.on('disconnect', () => process.exit(0));
