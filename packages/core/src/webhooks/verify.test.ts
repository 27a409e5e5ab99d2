import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { type Signing, webhookHeaders } from './signature.ts';
import { verifyWebhook, type WebhookProblem, WebhookVerificationError } from './verify.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const now = Date.UTC(2026, 10, 20, 12);
const event = {
  id: '0193d3f5-03d0-76bd-8f90-a5273846e517',
  type: 'order.paid',
  storeId: 's',
  createdAt: now,
  data: '{}',
};
const expected = {
  id: event.id,
  type: 'order.paid',
  timestamp: '2026-11-20T12:00:00.000Z',
  storeId: 's',
  data: { id: 'o' },
};
const body = Buffer.from(JSON.stringify({ ...expected, event: expected.type }));
const sent = (signing: Partial<Signing> = {}, bytes = body) =>
  webhookHeaders(event, bytes, { secrets: [secret], signatureFormat: 'sha256', ...signing }, now);

function problemOf(work: () => unknown): { problem: WebhookProblem; message: string } {
  try {
    work();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { problem: error.problem, message: error.message };
    throw error;
  }
  return expect.fail('it was taken for genuine');
}

describe('verifyWebhook', () => {
  it('imports nothing but what Node brings', () => {
    const source = readFileSync(new URL('./verify.ts', import.meta.url), 'utf8');
    expect([...source.matchAll(/^import (?!type ).* from '([^']+)'/gm)].map(([, from]) => from)).toEqual([
      'node:crypto',
    ]);
  });

  it('reads what is sent, as text or bytes, from any kind of headers', () => {
    const headers = sent();
    const capitals = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
    for (const given of [headers, capitals, new Headers(headers), { ...headers, 'webhook-id': [event.id] }]) {
      expect(verifyWebhook({ body, headers: given }, secret, { now })).toEqual(expected);
    }
    expect(verifyWebhook({ body: body.toString(), headers }, secret, { now })).toEqual(expected);
    expect(verifyWebhook({ body: new Uint8Array(body), headers }, secret, { now })).toEqual(expected);
  });

  it('reads requests of the Fetch standard and of node:http', async () => {
    const headers = sent();
    const request = () => new Request('https://shop.example/hook', { method: 'POST', body, headers });
    expect(await verifyWebhook(request(), secret, { now })).toEqual(expected);
    await expect(verifyWebhook(request(), 'another', { now })).rejects.toMatchObject({ problem: 'wrong-signature' });
    const unsigned = new Request('https://shop.example/hook', { method: 'POST', body });
    await expect(verifyWebhook(unsigned, secret, { now })).rejects.toMatchObject({ problem: 'missing-signature' });
    expect(unsigned.bodyUsed).toBe(false);
    const read = request();
    await read.text();
    await expect(verifyWebhook(read, secret, { now })).rejects.toMatchObject({ problem: 'parsed-body' });
    const empty = new Request('https://shop.example/hook', { method: 'POST', headers });
    await expect(verifyWebhook(empty, secret, { now })).rejects.toMatchObject({ problem: 'parsed-body' });

    // As Express leaves a request whose type is not that of express.raw(): whoever expects no promise would not see it rejected.
    const skipped = Object.assign(Readable.from([body]), { headers, body: undefined });
    expect(problemOf(() => verifyWebhook(skipped, secret, { now })).problem).toBe('parsed-body');

    const outcomes: unknown[] = [];
    const server = createServer(async (incoming, response) => {
      const isRead = incoming.url === '/read';
      if (isRead) for await (const _ of incoming);
      const outcome = await verifyWebhook(incoming, secret, { now }).catch(({ problem }) => problem);
      outcomes.push(outcome);
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const large = Buffer.alloc(8 * 1024 * 1024 + 1);
    try {
      await fetch(url, { method: 'POST', body, headers });
      await fetch(`${url}/read`, { method: 'POST', body, headers });
      // The rest is not read.
      await fetch(url, { method: 'POST', body: large, headers }).catch(() => {});
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(outcomes).toEqual([expected, 'parsed-body', 'too-large']);
  });

  it('accepts every form: Standard Webhooks, sha256=<hex>, bare hex', () => {
    const { 'webhook-signature': _, ...plain } = sent();
    const { 'webhook-signature': __, ...hex } = sent({ signatureFormat: 'hex' });
    expect(plain['x-webhook-signature']).toMatch(/^sha256=[0-9a-f]{64}$/);
    expect(hex['x-webhook-signature']).toMatch(/^[0-9a-f]{64}$/);
    expect(verifyWebhook({ body, headers: plain }, secret, { now, acceptUntimed: true })).toEqual(expected);
    expect(verifyWebhook({ body, headers: hex }, secret, { now, acceptUntimed: true })).toEqual(expected);
  });

  it('refuses an old copy without its timed signature, unless acceptUntimed is set', () => {
    const { 'webhook-signature': _, ...untimed } = sent();
    const late = now + 30 * 24 * 60 * 60 * 1000;
    for (const at of [now, late]) {
      expect(problemOf(() => verifyWebhook({ body, headers: untimed }, secret, { now: at })).problem).toBe(
        'untimed-signature',
      );
    }
    const { 'webhook-id': __, 'webhook-timestamp': ___, ...bare } = untimed;
    expect(problemOf(() => verifyWebhook({ body, headers: bare }, secret)).problem).toBe('untimed-signature');
    // The option skips only the check of the time.
    const changed = Buffer.from(body.toString().replace('order', 'ordeR'));
    const wrong = problemOf(() => verifyWebhook({ body: changed, headers: untimed }, secret, { acceptUntimed: true }));
    expect(wrong.problem).toBe('wrong-signature');
    expect(
      problemOf(() => verifyWebhook({ body, headers: sent() }, secret, { now: late, acceptUntimed: true })).problem,
    ).toBe('stale');
  });

  it('accepts two signatures with the old secret, the new one, or both', () => {
    const renewed = 'another secret of ours';
    const headers = sent({ secrets: [renewed, secret] });
    for (const known of [secret, renewed, [renewed, secret], ['neither of them', secret]]) {
      expect(verifyWebhook({ body, headers }, known, { now })).toEqual(expected);
    }
    expect(problemOf(() => verifyWebhook({ body, headers }, 'neither of them', { now })).problem).toBe(
      'wrong-signature',
    );
  });

  it('agrees with the package of Standard Webhooks', () => {
    expect(
      new StandardWebhook(secret).verify(
        body,
        webhookHeaders(event, body, { secrets: [secret], signatureFormat: 'sha256' }, Date.now()),
      ),
    ).toMatchObject(expected);
    const signature = new StandardWebhook(secret).sign('msg_1', new Date(now), body.toString());
    const headers = {
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(now / 1000),
      'webhook-signature': `v2,x ${signature}`,
    };
    expect(verifyWebhook({ body, headers }, secret, { now })).toEqual(expected);
  });

  it('refuses times beyond the tolerance, to the second', () => {
    const at = (seconds: number) => () =>
      verifyWebhook({ body, headers: sent() }, secret, { now: now + seconds * 1000 });
    for (const seconds of [-300, 0, 300]) expect(at(seconds)()).toEqual(expected);
    expect(problemOf(at(301))).toEqual({
      problem: 'stale',
      message: expect.stringContaining('301 s old, more than the allowed 300 s'),
    });
    expect(problemOf(at(-301))).toMatchObject({ problem: 'stale', message: expect.stringContaining('301 s ahead') });
    expect(verifyWebhook({ body, headers: sent() }, secret, { now: now + 900_000, tolerance: 900 })).toEqual(expected);
  });

  it('refuses a body or a time that was changed', () => {
    const wrong = 'wrong-signature';
    for (let i = 0; i < body.length; i += 7) {
      const changed = Buffer.from(body);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(problemOf(() => verifyWebhook({ body: changed, headers: sent() }, secret, { now })).problem).toBe(wrong);
    }
    const later = { ...sent(), 'webhook-timestamp': String(now / 1000 + 1) };
    expect(problemOf(() => verifyWebhook({ body, headers: later }, secret, { now })).problem).toBe(wrong);
    const other = { ...sent(), 'webhook-id': 'another' };
    expect(problemOf(() => verifyWebhook({ body, headers: other }, secret, { now })).problem).toBe(wrong);
    // The other header is right but does not help: a copied request cannot fall back to the weaker check.
    const weaker = { ...sent(), 'webhook-signature': 'v1,AAAA' };
    expect(problemOf(() => verifyWebhook({ body, headers: weaker }, secret, { now })).problem).toBe(wrong);
  });

  it.each<[string, () => unknown, WebhookProblem, RegExp]>([
    [
      'a parsed body',
      () => verifyWebhook({ body: expected as never, headers: sent() }, secret, { now }),
      'parsed-body',
      /express\.raw/,
    ],
    [
      'a body that was printed again',
      () =>
        verifyWebhook({ body: JSON.stringify(JSON.parse(body.toString()), null, 1), headers: sent() }, secret, { now }),
      'wrong-signature',
      /printing it again/,
    ],
    ['no secret', () => verifyWebhook({ body, headers: sent() }, '', { now }), 'bad-secret', /environment variable/],
    ['no secrets', () => verifyWebhook({ body, headers: sent() }, [], { now }), 'bad-secret', /empty/],
    [
      'an undefined secret',
      () => verifyWebhook({ body, headers: sent() }, [undefined as never], { now }),
      'bad-secret',
      /empty/,
    ],
    [
      'a line break behind the secret',
      () => verifyWebhook({ body, headers: sent() }, `${secret}\n`, { now }),
      'bad-secret',
      /line break/,
    ],
    [
      'quotation marks around it',
      () => verifyWebhook({ body, headers: sent() }, `"${secret}"`, { now }),
      'bad-secret',
      /quotation/,
    ],
    [
      'its beginning left out',
      () => verifyWebhook({ body, headers: sent() }, secret.slice(6), { now }),
      'bad-secret',
      /whsec_/,
    ],
    [
      'the masked secret',
      () => verifyWebhook({ body, headers: sent() }, '••••••••••••LaSw', { now }),
      'bad-secret',
      /masked/,
    ],
    [
      'no signature',
      () => verifyWebhook({ body, headers: { host: 'x' } }, secret, { now }),
      'missing-signature',
      /proxy/,
    ],
    [
      'a signature without its time',
      () => verifyWebhook({ body, headers: { 'webhook-signature': 'v1,x' } }, secret, { now }),
      'missing-signature',
      /webhook-timestamp/,
    ],
    [
      'a malformed time',
      () => verifyWebhook({ body, headers: { ...sent(), 'webhook-timestamp': 'x' } }, secret, { now }),
      'wrong-signature',
      /./,
    ],
  ])('says what is wrong with %s', (_, work, problem, message) => {
    expect(problemOf(work)).toEqual({ problem, message: expect.stringMatching(message) });
  });

  it('reports a signed body that is not JSON', () => {
    const text = Buffer.from('hello');
    expect(problemOf(() => verifyWebhook({ body: text, headers: sent({}, text) }, secret, { now })).problem).toBe(
      'malformed-body',
    );
  });
});
