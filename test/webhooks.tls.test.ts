import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { client, initShop } from '@commerce/test-support/fixtures/served-shop';
import { newCertificate } from '@commerce/test-support/harness/certificate';
import { type RunningServer, startServer } from '@commerce/test-support/harness/processes';
import { type RawSubscriber, startRawSubscriber } from '@commerce/test-support/harness/raw-subscriber';
import { until } from '@commerce/test-support/harness/until';
import { afterAll, beforeAll, expect, it } from 'vitest';

const good = newCertificate();

/** Subscribers by their expected result; the server trusts the issuer of every certificate except one. */
const subscribers = {
  'with a good certificate': { certificate: good, known: true, error: null },
  'that would rather speak HTTP/2': {
    certificate: good,
    known: true,
    error: null,
    protocols: ['h2', 'http/1.1'],
  },
  'with a certificate for another host': {
    certificate: newCertificate({ host: 'other.example' }),
    known: true,
    error: /ERR_TLS_CERT_ALTNAME_INVALID/,
  },
  'with a certificate that ran out': {
    certificate: newCertificate({ expired: true }),
    known: true,
    error: /CERT_HAS_EXPIRED/,
  },
  'with a certificate that nobody knows': {
    certificate: newCertificate(),
    known: false,
    error: /DEPTH_ZERO_SELF_SIGNED_CERT/,
  },
} as const;

const folder = mkdtempSync(join(tmpdir(), 'commerce-test-'));
const started = new Map<string, RawSubscriber>();
const attempts = new Map<string, { responseCode: number | null; error: string | null }[]>();
let server: RunningServer;

beforeAll(async () => {
  const authorities = join(folder, 'authorities.pem');
  const known = Object.values(subscribers).filter((one) => one.known);
  writeFileSync(authorities, known.map(({ certificate }) => certificate.cert).join(''));
  const address = join(folder, 'commerce.db');
  const shop = await initShop(address);
  process.env.NODE_EXTRA_CA_CERTS = authorities;
  try {
    server = await startServer(address, ['--webhook-allow', '127.0.0.0/8']);
  } finally {
    delete process.env.NODE_EXTRA_CA_CERTS;
  }
  const api = client(server.url, shop);
  const ids = new Map<string, string>();
  for (const [name, { certificate, ...options }] of Object.entries(subscribers)) {
    const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';
    const subscriber = await startRawSubscriber((socket) => void socket.write(answer), {
      certificate,
      ...('protocols' in options && { protocols: options.protocols }),
    });
    started.set(name, subscriber);
    const made = await api('POST', '/webhooks', { url: subscriber.url, events: ['product.*'], retries: 0 });
    expect(made.status).toBe(201);
    ids.set(name, made.body.item.id);
  }
  expect((await api('POST', '/products', { title: 'Mug', slug: 'mug', price: '1' })).status).toBe(201);
  await until('each was attempted', async () => {
    for (const [name, id] of ids) {
      const { items } = (await api('GET', `/webhooks/${id}/deliveries`)).body;
      if (items[0]?.attempts.length > 0) attempts.set(name, items[0].attempts);
    }
    return attempts.size === ids.size;
  });
});
afterAll(async () => {
  await server?.stop();
  for (const subscriber of started.values()) await subscriber.close();
  await rm(folder, { recursive: true, force: true });
});

it.each(Object.entries(subscribers))('a subscriber over TLS, %s', (name, { error }) => {
  const expected =
    error === null ? { responseCode: 200, error } : { responseCode: null, error: expect.stringMatching(error) };
  expect(attempts.get(name)).toEqual([expect.objectContaining(expected)]);
  const requests = started.get(name)?.requests ?? [];
  expect(requests).toEqual(error === null ? [expect.stringMatching(/^POST \/hook HTTP\/1\.1\r\n/)] : []);
});
