import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { newProduct, newShop, useCommerce } from '@commerce/test-support/fixtures/shop';
import { newCertificate } from '@commerce/test-support/harness/certificate';
import {
  drip,
  type RawOptions,
  type RawSubscriber,
  startRawSubscriber,
  writeForEver,
} from '@commerce/test-support/harness/raw-subscriber';
import { forEachStorage } from '@commerce/test-support/harness/storages';
import { startSubscriber } from '@commerce/test-support/harness/subscriber';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Context, createWebhook, type DeliveryAttempt, listDeliveries, updateProduct } from '../index.ts';

interface Case extends RawOptions {
  name: string;
  answer: (socket: Socket) => void;
  /** Expected error in the log. */
  code: number | null;
  error: string | RegExp | null;
  body?: string | RegExp | null;
  /** True if the attempt takes the whole timeout. */
  slow?: boolean;
  /** The maximum number of bytes that the subscriber can send, including socket buffers. */
  most?: number;
}

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const timeout = 'no complete answer within 10 s';
const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024));

const cases: Case[] = [
  { name: 'answers well', answer: (s) => s.write(ok), code: 200, error: null, body: 'ok' },
  {
    name: 'answers 500',
    answer: (s) => s.write('HTTP/1.1 500 Oops\r\ncontent-length: 4\r\n\r\noops'),
    code: 500,
    error: 'answered 500',
    body: 'oops',
  },
  { name: 'hangs before its headers', answer: () => {}, code: null, error: timeout, slow: true },
  {
    name: 'hangs after its headers',
    answer: (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    code: null,
    error: timeout,
    slow: true,
  },
  {
    name: 'sends its headers a byte a second',
    answer: (s) => drip(s, 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'),
    code: null,
    error: timeout,
    slow: true,
  },
  {
    name: 'sends its body a byte a second',
    answer: (s) => {
      s.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      drip(s, 'x');
    },
    code: null,
    error: timeout,
    slow: true,
  },
  {
    name: 'sends a body without end',
    answer: (s) => {
      s.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      writeForEver(s, `4000\r\n${'y'.repeat(0x4000)}\r\n`);
    },
    code: 200,
    error: null,
    body: 'y'.repeat(1024),
    most: 32 * 1024 * 1024,
  },
  {
    name: 'sends a small body that unpacks into a large one',
    answer: (s) => {
      s.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
      s.write(bomb);
    },
    code: 200,
    error: null,
    // Unchanged: the first bytes of a gzip file.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: gzip begins with one
    body: /^\u001f\ufffd\u0008[\s\S]{1,1021}$/,
  },
  {
    name: 'sends 100,000 headers',
    answer: (s) => {
      s.write('HTTP/1.1 200 OK\r\n');
      s.write(Array.from({ length: 100_000 }, (_, i) => `x-${i}: y\r\n`).join(''));
      s.write('\r\n');
    },
    code: null,
    error: /Headers Overflow/,
  },
  {
    name: 'sends a header that is too long',
    answer: (s) => s.write(`HTTP/1.1 200 OK\r\nx-long: ${'z'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`),
    code: null,
    error: /Headers Overflow/,
  },
  {
    name: 'sends a header without end',
    answer: (s) => {
      s.write('HTTP/1.1 200 OK\r\nx-long: ');
      writeForEver(s, 'z'.repeat(0x4000));
    },
    code: null,
    error: /Headers Overflow/,
    most: 32 * 1024 * 1024,
  },
  {
    name: 'sends trailers without end',
    answer: (s) => {
      s.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n');
      writeForEver(s, `x-trailer: ${'z'.repeat(0x1000)}\r\n`);
    },
    code: null,
    error: /Headers Overflow|terminated|aborted/,
    most: 32 * 1024 * 1024,
  },
  {
    name: 'closes in the middle of its answer',
    answer: (s) => s.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'),
    code: null,
    error: /closed|terminated|aborted/,
  },
  {
    name: 'closes in the middle of its headers',
    answer: (s) => s.end('HTTP/1.1 200 OK\r\ncontent-'),
    code: null,
    error: /./,
  },
  { name: 'resets the connection', answer: (s) => s.resetAndDestroy(), code: null, error: /ECONNRESET|closed/ },
  {
    name: 'points to the metadata of the cloud',
    answer: (s) =>
      s.write('HTTP/1.1 302 Found\r\nlocation: http://169.254.169.254/latest/meta-data/\r\ncontent-length: 0\r\n\r\n'),
    code: 302,
    error: 'answered 302',
    body: '',
  },
  {
    name: 'has a certificate that nobody knows',
    answer: (s) => s.write(ok),
    certificate: newCertificate(),
    code: null,
    error: /self-signed certificate/,
  },
  {
    name: 'speaks HTTP/1.0 and gives no length',
    answer: (s) => s.end('HTTP/1.0 200 OK\r\n\r\nfrom the last century'),
    code: 200,
    error: null,
    body: 'from the last century',
  },
  {
    name: 'says beforehand that it is at work',
    answer: (s) =>
      s.write(`HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a.css>; rel=preload\r\n\r\n${ok}`),
    code: 200,
    error: null,
    body: 'ok',
  },
  {
    name: 'says beforehand, and without end, that it is at work',
    answer: (s) => writeForEver(s, 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(100)),
    code: null,
    error: 'more than 20 preliminary answers',
    most: 32 * 1024 * 1024,
  },
  {
    name: 'changes the protocol',
    answer: (s) => s.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\nhello'),
    code: null,
    error: /upgrade/,
  },
  {
    name: 'speaks no HTTP',
    answer: (s) => s.write('SSH-2.0-OpenSSH_9.9\r\n'),
    code: null,
    error: /HTTP/,
  },
  {
    name: 'contradicts itself about the length',
    answer: (s) => s.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok!'),
    code: null,
    error: /Content-Length|content-length/i,
  },
  {
    name: 'answers before it has read the request',
    early: true,
    answer: (s) => s.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'),
    code: 200,
    error: null,
    body: 'ok',
  },
  {
    name: 'never reads and never answers',
    early: true,
    answer: () => {},
    code: null,
    error: timeout,
    slow: true,
  },
  {
    name: 'answers with NUL and bytes that are no text',
    answer: (s) => s.write(Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n\0\xff\xfe', 'latin1')),
    code: 200,
    error: null,
    body: '\ufffd\ufffd\ufffd',
  },
];

/** Events sent to the healthy subscriber while the others hang. */
const updates = 20;

forEachStorage('misbehaving subscribers', (database) => {
  // All together, so that the hanging ones spend their ten seconds in parallel.
  const commerce = useCommerce(database, { allowInsecureWebhooks: true });
  const subscribers = new Map<string, RawSubscriber>();
  const attempts = new Map<string, DeliveryAttempt[]>();
  let shop: Context;
  let healthy: Awaited<ReturnType<typeof startSubscriber>>;
  let endedBeforeHealthy = -1;

  const statusOf = async (id: string | undefined) => {
    const { items } = await listDeliveries(shop, id ?? '');
    return items;
  };

  beforeAll(async () => {
    shop = await newShop(commerce());
    healthy = await startSubscriber();
    await createWebhook(shop, { url: healthy.url, events: ['product.updated'] });
    const webhooks = new Map<string, string>();
    for (const { name, answer, ...options } of cases) {
      const subscriber = await startRawSubscriber(answer, options);
      subscribers.set(name, subscriber);
      const { id } = await createWebhook(shop, { url: subscriber.url, events: ['product.created'], retries: 0 });
      webhooks.set(name, id);
    }
    const stop = commerce().startDelivery();
    // Too long for the buffers of a socket that is not read.
    const product = await newProduct(shop, { description: '€'.repeat(100_000) });
    const slow = cases.filter((one) => one.slow).map(({ name }) => name);
    await until('those that hang have been asked', () =>
      slow.every((name) => subscribers.get(name)?.requests.length === 1),
    );
    for (let n = 1; n <= updates; n++) await updateProduct(shop, product.id, { title: `Mug ${n}`, description: null });
    await until('the healthy one has everything', () => healthy.received.length >= updates);
    const hanging = await Promise.all(slow.map((name) => statusOf(webhooks.get(name))));
    endedBeforeHealthy = hanging.flat().filter(({ status }) => status !== 'pending').length;
    await until(
      'every attempt has ended',
      async () => {
        for (const [name, id] of webhooks) {
          const [delivery] = await statusOf(id);
          if (delivery && delivery.status !== 'pending') attempts.set(name, delivery.attempts);
        }
        return attempts.size === cases.length;
      },
      30_000,
    );
    await stop();
  });
  afterAll(async () => {
    await healthy.close();
    for (const subscriber of subscribers.values()) await subscriber.close();
  });

  it.each(cases)('one that $name', async ({ name, code, error, body = null, slow = false, most }) => {
    const text = (expected: string | RegExp | null) =>
      expected instanceof RegExp ? expect.stringMatching(expected) : expected;
    expect(attempts.get(name)).toEqual([
      {
        at: expect.any(String),
        latencyMs: expect.any(Number),
        responseCode: code,
        error: text(error),
        responseBody: text(body),
      },
    ]);
    const [{ latencyMs } = { latencyMs: -1 }] = attempts.get(name) ?? [];
    // Allows for a busy machine.
    expect(latencyMs).toBeLessThan(slow ? 15_000 : 9_000);
    if (slow) expect(latencyMs).toBeGreaterThan(9_900);
    const subscriber = subscribers.get(name);
    // A failed handshake leads to no request.
    expect(subscriber?.requests.length).toBe(error instanceof RegExp && error.source.includes('certificate') ? 0 : 1);
    // undici opens another connection after one that it cut off, and sends nothing over it.
    expect(subscriber?.opened()).toBeLessThanOrEqual(2);
    if (most !== undefined) expect(subscriber?.written()).toBeLessThan(most);
    // A kept-alive connection is closed after ten seconds without a request.
    await until('the connection is closed', () => subscriber?.open() === 0, 15_000);
  });

  it('a healthy one receives everything meanwhile, and waits for none of them', () => {
    expect(endedBeforeHealthy).toBe(0);
    const titles = healthy.received.map(({ body }) => JSON.parse(body.toString('utf8')).data.title);
    expect(titles.sort()).toEqual(Array.from({ length: updates }, (_, i) => `Mug ${i + 1}`).sort());
  });
});
