// Subscribers of the measurements, in their own process: some answer, some hang, and one can be dead for some time. The products' titles
// contain the time at which each event was sent.
import { createServer } from 'node:http';
import { portOf, answer as send } from '../harness/parent.mjs';

const servers = [];
/** Milliseconds from the time in the product's title to the first arrival, by event id. */
const arrived = new Map();
let copies = 0;
let counts = [];

/** `ok` answers, `hang` never does, and `dead` closes the connection until it is told to live. */
function start(kind) {
  const subscriber = { kind, received: 0 };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      if (subscriber.kind === 'dead') return request.socket.destroy();
      subscriber.received++;
      if (subscriber.kind === 'hang') return;
      response.writeHead(200).end();
      const now = Date.now();
      const id = `${request.headers['webhook-id']} ${request.url}`;
      if (arrived.has(id)) copies++;
      else {
        const { data } = JSON.parse(Buffer.concat(chunks).toString());
        const [, sent] = /sent at (\d+)/.exec(data.title) ?? [];
        arrived.set(id, sent === undefined ? 0 : now - Number(sent));
      }
    });
  });
  servers.push({ server, subscriber });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${portOf(server)}/${servers.length}`));
  });
}

process.on('message', async (/** @type {any} */ task) => {
  if (task.start) {
    const urls = [];
    for (const kind of task.start) urls.push(await start(kind));
    send({ urls });
  } else if (task.revive) {
    for (const { subscriber } of servers) if (subscriber.kind === 'dead') subscriber.kind = 'ok';
    send({});
  } else if (task.times) {
    const times = Float64Array.from(arrived.values()).sort();
    const answer = { times, copies };
    arrived.clear();
    copies = 0;
    send(answer);
  } else {
    counts = servers.map(({ subscriber }) => subscriber.received);
    send({ arrived: arrived.size, copies, counts });
  }
});
process.on('disconnect', () => process.exit(0));
