import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NameLookup } from '../kernel/names.ts';
import { openAddressGuard } from './address-guard.ts';
import { callOutbound } from './outbound.ts';

/** The host of a URL in any spelling, as a subscription's address is read. */
const hostOf = (spelling: string) => new URL(`https://${spelling}/hook`).hostname;

describe('the guard of addresses', () => {
  const guard = openAddressGuard();

  it.each([
    [
      'a loopback',
      ['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '127.0.0.1.'],
    ],
    [
      'a loopback',
      ['127.255.255.254', '①②⑦.⓪.⓪.①', '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
    ],
    ['a loopback', ['localhost', 'LOCALHOST', 'localhost.', 'a.localhost']],
    [
      'a private',
      ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.1.1', '3232235777', '[::ffff:10.0.0.1]'],
    ],
    ['a private', ['[fc00::1]', '[fdff::1]', '[fec0::1]']],
    [
      'a link-local (cloud metadata)',
      ['169.254.169.254', '2852039166', '0xa9fea9fe', '[::ffff:a9fe:a9fe]', '[fe80::1]', '[febf::1]'],
    ],
    ['a carrier NAT', ['100.64.0.1', '100.127.255.255']],
    ['a multicast', ['224.0.0.1', '239.255.255.255', '[ff02::1]']],
    ['a documentation', ['192.0.2.1', '198.51.100.1', '203.0.113.1', '[2001:db8::1]', '[3fff::1]']],
    ['a 6to4', ['192.88.99.1', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]']],
    ['a NAT64', ['[64:ff9b::7f00:1]', '[64:ff9b::a9fe:a9fe]', '[64:ff9b:1::1]']],
    [
      'a reserved',
      ['0.0.0.0', '0', '0.1.2.3', '192.0.0.1', '198.18.0.1', '198.19.255.255', '240.0.0.1', '255.255.255.255'],
    ],
    ['a reserved', ['[::]', '[::10.0.0.1]', '[100::1]', '[2001::1]', '[2001:10::1]', '[4000::1]', '[5f00::1]']],
  ])('refuses %s address in every spelling: %j', (name, spellings) => {
    for (const spelling of spellings) {
      const { reason } = guard.refuseHost(hostOf(spelling)) ?? {};
      expect(reason, spelling).toContain(` is ${name} address`);
      expect(reason).toContain('refused unless the service allows them');
    }
  });

  it.each('8.8.8.8 1.1.1.1 172.15.0.1 172.32.0.1 100.63.0.1 100.128.0.1 169.253.0.1 192.169.0.1'.split(' '))(
    'lets a public address through: %s',
    (address) => {
      expect(guard.refuseHost(hostOf(address))).toBeUndefined();
      expect(guard.refuseHost(hostOf(`[::ffff:${address}]`))).toBeUndefined();
    },
  );
  it.each(['[2606:4700::1111]', '[2a00:1450::1]', '[2003::1]', 'example.com', 'localhost.example.com', 'nolocalhost'])(
    'lets a public address or a name through: %s',
    (host) => {
      expect(guard.refuseHost(hostOf(host))).toBeUndefined();
    },
  );

  it('lets through what is allowed, and nothing beside it', () => {
    const open = openAddressGuard(['10.1.0.0/16', 'fd00::/8', '127.0.0.1/32']);
    for (const host of ['10.1.2.3', '[::ffff:10.1.2.3]', '[fd12::1]', '127.0.0.1', 'localhost']) {
      expect(open.refuseHost(hostOf(host)), host).toBeUndefined();
    }
    for (const host of ['10.2.0.1', '[fc00::1]', '127.0.0.2', '[::1]', '169.254.169.254']) {
      expect(open.refuseHost(hostOf(host)), host).toBeDefined();
    }
  });

  it.each([
    '10.0.0.0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    'private',
    '',
    '10.0.0/8',
    '::1/129',
    '10.0.0.0/-1',
    'fe80::1%lo/64',
  ])('takes no range that is none: %j', (range) => {
    expect(() => openAddressGuard([range])).toThrow(/^webhookAllow: must be ranges such as/);
  });
});

describe('requests to addresses that a client named', () => {
  let port = 0;
  let requests = 0;
  const inside = createServer((_, response) => {
    requests++;
    response.end('secret of the inside');
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
    port = (inside.address() as AddressInfo).port;
  });
  afterAll(() => inside.close());
  beforeEach(() => {
    requests = 0;
  });

  const call = (host: string, guard = openAddressGuard()) =>
    callOutbound({
      method: 'POST',
      url: `http://${host}:${port}/hook`,
      headers: {},
      body: Buffer.from('{}'),
      timeout: 5000,
      maxAnswer: 1024,
      guard,
    });

  it.each(['127.0.0.1', '127.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', '0.0.0.0'])(
    'do not connect to %s',
    async (host) => {
      await expect(call(host)).rejects.toThrow(/address, and requests to such addresses are refused/);
      expect(requests).toBe(0);
    },
  );

  it('connect there when that is allowed', async () => {
    const answer = await call('127.0.0.1', openAddressGuard(['127.0.0.0/8']));
    expect(answer.body.toString()).toBe('secret of the inside');
    expect(requests).toBe(1);
  });

  /** Answers each look-up with the next of these lists of addresses, and repeats the last one. */
  function resolverOf(...answers: string[][]) {
    let asked = 0;
    const resolve: NameLookup = (_hostname, _family, callback) => {
      const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      );
    };
    return { resolve, asked: () => asked };
  }

  it('fail when any address of a name is refused', async () => {
    for (const addresses of [['127.0.0.1'], ['93.184.216.34', '127.0.0.1'], ['::1'], ['2606:4700::1111', 'fd00::1']]) {
      const guard = openAddressGuard([], resolverOf(addresses).resolve);
      await expect(call('name.example', guard)).rejects.toThrow(
        /name\.example: .* address, and requests to such addresses/,
      );
    }
    expect(requests).toBe(0);
  });

  it('are refused 1,000 times of 1,000 when a name that was fine before answers with loopback', async () => {
    // Allowed addresses represent the public internet, which no test contacts.
    const resolver = resolverOf(['127.0.0.1'], ['127.0.0.2']);
    const guard = openAddressGuard(['127.0.0.1/32'], resolver.resolve);
    expect((await call('first.example', guard)).status).toBe(200);
    requests = 0;
    const errors = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        call(`rebound-${i}.example`, guard).then(String, (error) => error.message),
      ),
    );
    expect(errors.filter((message) => /127\.0\.0\.2 is a loopback address/.test(message))).toHaveLength(1000);
    expect(requests).toBe(0);
  });

  it('look a name up once for a connection, so that a second answer changes nothing', async () => {
    const resolver = resolverOf(['127.0.0.1'], ['127.0.0.2']);
    const answer = await call('once.example', openAddressGuard(['127.0.0.1/32'], resolver.resolve));
    expect(answer.body.toString()).toBe('secret of the inside');
    expect(resolver.asked()).toBe(1);
  });

  it('go over a connection that was checked, or over one that is checked anew', async () => {
    const resolver = resolverOf(['127.0.0.1'], ['127.0.0.2']);
    const guard = openAddressGuard(['127.0.0.1/32'], resolver.resolve);
    for (let n = 0; n < 3; n++) {
      expect((await call('kept.example', guard)).status).toBe(200);
      // Until the client has seen that nothing else arrives.
      await sleep(50);
    }
    // Kept open since the first request, regardless of the name's present address.
    expect(resolver.asked()).toBe(1);
    inside.closeAllConnections();
    await expect(call('kept.example', guard)).rejects.toThrow(/127\.0\.0\.2 is a loopback address/);
    expect(requests).toBe(3);
  });

  it('share no connection with those that go anywhere', async () => {
    const anywhere = { method: 'GET', url: `http://127.0.0.1:${port}/`, headers: {}, body: undefined } as const;
    expect((await callOutbound({ ...anywhere, timeout: 5000, maxAnswer: 1024 })).status).toBe(200);
    await expect(call('127.0.0.1')).rejects.toThrow(/127\.0\.0\.1 is a loopback address/);
    expect(requests).toBe(1);
  });

  it('follow no redirect to where they may not go', async () => {
    const outside = createServer((_, response) => {
      response.writeHead(307, { location: `http://127.0.0.2:${port}/secret` }).end();
    });
    await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
    const guard = openAddressGuard(['127.0.0.1/32']);
    const request = {
      method: 'POST',
      url,
      headers: {},
      body: Buffer.from('{}'),
      timeout: 5000,
      maxAnswer: 1024,
    } as const;
    expect((await callOutbound({ ...request, guard })).status).toBe(307);
    expect(requests).toBe(0);
    outside.close();
    outside.closeAllConnections();
  });
});
