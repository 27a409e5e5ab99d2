// Measures how much slower answers get while many clients slowly send single bytes: `node bench/workloads/slow-clients.mjs [clients]`. Not
// part of `npm run bench`, because it needs two descriptors per client.
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commerce, startServer, stopAll } from '../harness/children.mjs';
import { load } from '../harness/load.mjs';

const clients = Number(process.argv[2] ?? 2000);
const rounds = 3;
const seconds = 4;
/** Each client sends one byte in this time, in milliseconds. */
const interval = 1000;

const folder = mkdtempSync(join(tmpdir(), 'commerce-bench-'));
try {
  const file = join(folder, 'commerce.db');
  const made = await commerce('init', '--name', 'Shop', '--currency', 'EUR', '--db', file);
  const server = await startServer(file);
  const path = `/stores/${made.store.id}/products`;
  const headers = { authorization: `Bearer ${made.apiKey.key}`, 'content-type': 'application/json' };
  for (let n = 0; n < 50; n++) {
    const body = JSON.stringify({ title: `Mug ${n}`, slug: `mug-${n}`, price: '5' });
    const { status } = await fetch(server.url + path, { method: 'POST', headers, body });
    if (status !== 201) throw new Error(`a product was answered with ${status}`);
  }
  const requests = Array.from({ length: 50 }, () => ({ method: 'GET', path, headers }));
  const measure = () => load({ url: server.url, requests, seconds, child: server.child });
  const show = (name, { rate, p50, p99 }) =>
    console.log(`${name}: ${Math.round(rate)}/s, p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`);
  const ratios = [];
  for (let round = 1; round <= rounds; round++) {
    const alone = await measure();
    show(`${round} alone`, alone);
    const crowd = await openCrowd(server.url, clients, made);
    const among = await measure();
    crowd.close();
    show(`${round} beside ${clients} slow clients`, among);
    ratios.push(among.p99 / alone.p99);
  }
  ratios.sort((a, b) => a - b);
  console.log(`p99 beside slow clients / alone: ${ratios[rounds >> 1].toFixed(2)} (median of ${rounds})`);
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}

/** Clients in the middle of a body or of a head. They slowly send single bytes and open a new connection after each cut. */
async function openCrowd(url, count, { store, apiKey }) {
  const { port } = new URL(url);
  const length = 'Content-Length: 100000\r\n\r\n';
  const beginnings = [
    `POST /api/webhooks/stripe HTTP/1.1\r\nHost: x\r\n${length}`,
    `POST /stores/${store.id}/products HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${apiKey.key}\r\nContent-Type: application/json\r\n${length}`,
    'GET /healthz HTTP/1.1\r\nHost: x\r\nX-Slow: ',
  ];
  const sockets = [];
  let closed = false;
  const open = (i) =>
    new Promise((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(beginnings[i % beginnings.length]);
        resolve(undefined);
      });
      sockets[i] = socket;
      socket.on('error', () => {});
      socket.on('close', () => closed || open(i));
    });
  await Promise.all(Array.from({ length: count }, (_, i) => open(i)));
  let next = 0;
  // In small continuous portions, like real clients.
  const dripping = setInterval(() => {
    for (let n = 0; n < count / (interval / 10); n++) sockets[next++ % count].write(' ');
  }, 10);
  return {
    close() {
      closed = true;
      clearInterval(dripping);
      for (const socket of sockets) socket.destroy();
    },
  };
}
