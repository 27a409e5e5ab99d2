// npm run soak -- [--minutes 10]
//
// Runs harmful and normal clients together. Compares the waits of the normal ones with a quiet minute of the same run. Also measures how much
// memory the server uses over time, and what it leaves open.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
const bin = fileURLToPath(new URL('../packages/cli/bin/commerce.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'commerce-soak-'));
const server = spawn(
  process.execPath,
  [
    bin,
    'serve',
    '--db',
    join(folder, 'soak.db'),
    '--port',
    '0',
    '--json',
    '--metrics',
    '--media-dir',
    join(folder, 'm'),
  ],
  { env: { ...process.env, COMMERCE_LOG: 'off' }, stdio: ['ignore', 'pipe', 'inherit'] },
);
let exited = false;
server.on('exit', () => {
  exited = true;
});
const first = await new Promise((resolve, reject) => {
  let text = '';
  server.stdout.on('data', (chunk) => {
    text += chunk;
    if (text.includes('\n')) resolve(JSON.parse(text.split('\n')[0]));
  });
  server.once('exit', (code) => reject(new Error(`serve ended with ${code}`)));
});
const port = Number(new URL(first.url).port);
const store = `/stores/${first.store.id}`;
const created = spawnSync(
  process.execPath,
  [bin, 'keys', 'create', '--db', join(folder, 'soak.db'), '--name', 'soak', '--preset', 'full', '--json'],
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
const authorization = `Bearer ${JSON.parse(created.stdout).item.key}`;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });

/** One request of a normal client. */
function ask(method, path, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const type = bytes === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
    const sent = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      agent,
      headers: { authorization, ...type, ...headers },
    });
    sent.setTimeout(30_000, () => sent.destroy(new Error('no answer for 30 s')));
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    sent.end(bytes);
  });
}

function form(content) {
  const head =
    '--b\r\nContent-Disposition: form-data; name="files"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n';
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\r\n--b--\r\n')]);
}
const formType = { 'content-type': 'multipart/form-data; boundary=b' };

const { default: sharp } = await import('sharp');
const noise = Buffer.allocUnsafe(1200 * 1200 * 3).map(() => Math.random() * 256);
const picture = await sharp(noise, { raw: { width: 1200, height: 1200, channels: 3 } })
  .png()
  .toBuffer();
const flat = await sharp({ create: { width: 6300, height: 6300, channels: 3, background: '#888' } })
  .png()
  .toBuffer();
const broken = Buffer.from(flat);
broken.fill(0xff, 200, 400);
for (let i = 0; i < 200; i++) {
  const product = { title: `Mug ${i}`, slug: `mug-${i}`, price: '5', description: 'A mug. '.repeat(100) };
  await ask('POST', `${store}/products`, product);
}
const { items } = JSON.parse((await ask('POST', `${store}/media`, form(picture), formType)).text);
const image = new URL(items[0].url, first.url).pathname;

let stopped = false;
let made = 0;
const failures = new Map();

/** Reads and writes like a shop until it is told to end; returns how long each request took, in milliseconds. */
async function normal(until) {
  const times = [];
  while (!until()) {
    const turn = made++;
    const [method, path, body] =
      turn % 10 === 0
        ? ['POST', `${store}/products`, { title: 'Mug', slug: `soak-${turn}`, price: '5' }]
        : turn % 10 === 5
          ? ['GET', image]
          : ['GET', `${store}/products?limit=20&offset=${turn % 150}`];
    const from = performance.now();
    const { status } = await ask(method, path, body).catch((error) => ({ status: error.code ?? error.message }));
    times.push(performance.now() - from);
    if (status !== 200 && status !== 201) failures.set(status, (failures.get(status) ?? 0) + 1);
    await wait(10);
  }
  return times;
}

const sockets = new Set();
function dial(bytes, { reads }) {
  const socket = connect(port, '127.0.0.1');
  sockets.add(socket);
  socket.on('error', () => {});
  socket.on('close', () => sockets.delete(socket));
  if (!reads) socket.pause();
  socket.write(bytes);
  return socket;
}
const head = (path) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n\r\n`;

/** Each repeats one harmful request. */
const hostile = {
  async 'pipeline and read nothing'() {
    const paths = ['/docs/redoc.js', '/openapi.json', image, `${store}/products?limit=200`, '/healthz', '/nothing'];
    const held = paths.map((path) => dial(head(path).repeat(1300), { reads: false }));
    await wait(3000);
    for (const socket of held) socket.destroy();
  },
  async 'read slowly'() {
    const held = Array.from({ length: 20 }, () => {
      const socket = dial(head(image), { reads: false });
      const timer = setInterval(() => socket.read(1024), 100);
      socket.on('close', () => clearInterval(timer));
      return socket;
    });
    await wait(5000);
    for (const socket of held) socket.destroy();
  },
  async 'stall bodies'() {
    const bytes = `POST /api/webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${' '.repeat(900_000)}`;
    const held = Array.from({ length: 20 }, () => dial(bytes, { reads: false }));
    await wait(2000);
    for (const socket of held) socket.destroy();
  },
  async 'break off uploads'() {
    const body = form(picture);
    const upload = `POST ${store}/media HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\nContent-Type: ${formType['content-type']}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const socket = dial(upload, { reads: true });
    socket.write(body.subarray(0, Math.floor(Math.random() * body.length)));
    await wait(100);
    socket.destroy();
  },
  async 'send images that are costly or broken'() {
    for (const bytes of [flat, broken]) await ask('POST', `${store}/media`, form(bytes), formType).catch(() => {});
    await wait(500);
  },
};

async function sample() {
  const { text } = await ask('GET', '/metrics');
  const of = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return of('process_resident_memory_bytes') / 1024 / 1024;
}
const descriptors = () => (process.platform === 'linux' ? readdirSync(`/proc/${server.pid}/fd`).length : Number.NaN);
const p99 = (times) => [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)];

const quietFor = Math.min(60_000, minutes * 20_000);
const clients = 4;
const runFor = async (ms) => {
  const end = performance.now() + ms;
  const all = await Promise.all(Array.from({ length: clients }, () => normal(() => performance.now() > end)));
  return all.flat();
};
await runFor(3000);
const quiet = await runFor(quietFor);
agent.destroy();
await wait(500);
const before = descriptors();
const attacks = Object.values(hostile).map(async (attack) => {
  while (!stopped && !exited) await attack();
});
const memory = [];
const sampling = (async () => {
  while (!stopped && !exited) {
    memory.push(await sample().catch(() => Number.NaN));
    await wait(1000);
  }
})();
const under = await runFor(minutes * 60_000);
stopped = true;
await Promise.all([...attacks, sampling]);
for (const socket of sockets) socket.destroy();
agent.destroy();
await wait(3000);
const after = descriptors();

const known = memory.filter((value) => !Number.isNaN(value));
const middle = (part) => [...part].sort((a, b) => a - b)[Math.floor(part.length / 2)] ?? Number.NaN;
const rest = known.slice(Math.min(60, Math.floor(known.length / 3)));
const half = Math.floor(rest.length / 2);
const rows = [
  ['Requests of normal clients, quiet and under attack', `${quiet.length}, ${under.length}`],
  ['p99 quiet', `${p99(quiet).toFixed(1)} ms`],
  ['p99 under attack', `${p99(under).toFixed(1)} ms`],
  ['p99 under attack / quiet', `${(p99(under) / p99(quiet)).toFixed(1)}`],
  ['Requests of normal clients that failed', failures.size === 0 ? '0' : JSON.stringify([...failures])],
  [
    'Memory at the start, median of the first half and of the second half after that, most',
    `${[known[0], middle(rest.slice(0, half)), middle(rest.slice(half)), Math.max(...known)].map((value) => value.toFixed(0)).join(', ')} MiB`,
  ],
  ['Descriptors before and after', `${before}, ${after}`],
  ['The process at the end', exited ? 'gone' : 'runs'],
];
console.log(`\nSoak of ${minutes} minutes, after ${quietFor / 1000} quiet seconds\n\n| What | Measured |\n|---|---|`);
for (const [what, measured] of rows) console.log(`| ${what} | ${measured} |`);
server.kill();
await rm(folder, { recursive: true, force: true, maxRetries: 5 });
process.exit(exited ? 1 : 0);
