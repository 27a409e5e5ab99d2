import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { openAddressGuard } from '../network/address-guard.ts';
import { callOutbound } from '../network/outbound.ts';
import { asLookupFunction, type NameLookup, openNames } from './names.ts';

describe('names of other machines', () => {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-names-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  let files = 0;
  function fileOf(text: string): string {
    const path = join(folder, `file-${++files}`);
    writeFileSync(path, text);
    return path;
  }

  /** A name server on UDP with these addresses; it never answers a name whose addresses are undefined. */
  async function startServer(zone: Record<string, string[] | undefined>) {
    const asked: string[] = [];
    const socket = createSocket('udp4');
    sockets.push(socket);
    socket.on('message', (query, from) => {
      const labels: string[] = [];
      let at = 12;
      for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
        labels.push(query.toString('latin1', at + 1, at + 1 + length));
        at += 1 + length;
      }
      const name = labels.join('.').toLowerCase();
      const type = query.readUInt16BE(at + 1);
      asked.push(name);
      if (name in zone && zone[name] === undefined) return;
      const found = (zone[name] ?? []).filter((address) => isIPv6(address) === (type === 28));
      const head = Buffer.from(query.subarray(0, 12));
      // An answer; if the name does not exist, the answer says so.
      head.writeUInt16BE(name in zone ? 0x8180 : 0x8183, 2);
      head.writeUInt16BE(found.length, 6);
      head.writeUInt32BE(0, 8);
      const records = found.map((address) => {
        const bytes = isIPv6(address)
          ? Buffer.from(
              address
                .split(':')
                .map((part) => part.padStart(4, '0'))
                .join(''),
              'hex',
            )
          : Buffer.from(address.split('.').map(Number));
        const record = Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length]);
        return Buffer.concat([record, bytes]);
      });
      socket.send(Buffer.concat([head, query.subarray(12, at + 5), ...records]), from.port, from.address);
    });
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return { servers: [`127.0.0.1:${socket.address().port}`], asked };
  }

  const find = (names: NameLookup, name: string, family: 0 | 4 | 6 = 0) =>
    new Promise<string[]>((resolve, reject) => {
      names(name, family, (error, found) => (error ? reject(error) : resolve(found.map(({ address }) => address))));
    });
  const six = '2001:0db8:0000:0000:0000:0000:0000:0001';

  it('are asked of name servers, for both families', async () => {
    const { servers } = await startServer({
      'both.example': ['192.0.2.1', '192.0.2.2', six],
      'four.example': ['192.0.2.3'],
      'six.example': [six],
      'none.example': [],
    });
    const names = openNames({ servers, hosts: fileOf(''), resolvConf: fileOf('') });
    expect(await find(names, 'Both.Example')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1']);
    expect(await find(names, 'both.example.', 6)).toEqual(['2001:db8::1']);
    expect(await find(names, 'both.example', 4)).toEqual(['192.0.2.1', '192.0.2.2']);
    expect(await find(names, 'four.example')).toEqual(['192.0.2.3']);
    expect(await find(names, 'six.example')).toEqual(['2001:db8::1']);
    await expect(find(names, 'none.example')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(find(names, 'missing.example')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('are those of this machine first: its file of hosts, localhost and addresses', async () => {
    const { servers, asked } = await startServer({ 'kept.example': ['192.0.2.9'] });
    const hosts = fileOf(
      `# a comment\n10.0.0.1\tinside.example Inside # another\n10.0.0.2 inside.example\nfd00::1 kept.example\nnonsense x\n`,
    );
    const names = openNames({ servers, hosts, resolvConf: fileOf('') });
    expect(await find(names, 'inside.example')).toEqual(['10.0.0.1', '10.0.0.2']);
    expect(await find(names, 'INSIDE')).toEqual(['10.0.0.1']);
    expect(await find(names, 'localhost')).toEqual(['127.0.0.1', '::1']);
    expect(await find(names, 'shop.localhost.', 4)).toEqual(['127.0.0.1']);
    expect(await find(names, '192.0.2.7')).toEqual(['192.0.2.7']);
    expect(await find(names, 'kept.example', 6)).toEqual(['fd00::1']);
    expect(asked).toEqual([]);
    expect(await find(names, 'kept.example', 4)).toEqual(['192.0.2.9']);
  });

  it('that are short are looked for in the domains of the system', async () => {
    const { servers, asked } = await startServer({
      'receiver.shop.cluster.test': ['10.1.0.1'],
      'receiver.other.cluster.test': ['10.1.0.2'],
    });
    const resolvConf = fileOf('nameserver 127.0.0.1\nsearch shop.cluster.test cluster.test\noptions ndots:5\n');
    const names = openNames({ servers, hosts: fileOf(''), resolvConf });
    expect(await find(names, 'receiver')).toEqual(['10.1.0.1']);
    expect(await find(names, 'receiver.other')).toEqual(['10.1.0.2']);
    asked.length = 0;
    await expect(find(names, 'receiver.other.')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(new Set(asked)).toEqual(new Set(['receiver.other']));
  });

  it('that are slow keep no thread from what reads files', async () => {
    const { servers } = await startServer(
      Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`slow-${i}.example`, undefined])),
    );
    const names = openNames({ servers, hosts: fileOf(''), resolvConf: fileOf('') });
    let ended = 0;
    const waiting = Array.from({ length: 40 }, (_, i) =>
      find(names, `slow-${i}.example`).catch(() => {
        ended++;
      }),
    );
    const path = fileOf('read');
    for (let n = 0; n < 20; n++) expect(await readFile(path, 'utf8')).toBe('read');
    expect(ended).toBe(0);
    await Promise.all(waiting);
    expect(ended).toBe(40);
  });

  it('are refused where the guard refuses one of the addresses they are found to have', async () => {
    const { servers } = await startServer({
      'rebound.example': ['192.0.2.1', '127.0.0.1'],
      'fine.example': ['93.184.216.34'],
    });
    const guard = openAddressGuard([], openNames({ servers, hosts: fileOf(''), resolvConf: fileOf('') }));
    const request = { method: 'GET', headers: {}, body: undefined, timeout: 5000, maxAnswer: 1024, guard } as const;
    await expect(callOutbound({ ...request, url: 'http://rebound.example/' })).rejects.toThrow(
      /rebound\.example: (192\.0\.2\.1|127\.0\.0\.1) is .*, and requests to such addresses are refused/,
    );
    const found = await new Promise<string | LookupAddress[]>((resolve, reject) => {
      guard.lookup('fine.example', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
    });
    expect(found).toEqual([{ address: '93.184.216.34', family: 4 }]);
  });

  it('answer net.connect in both of its forms', async () => {
    const lookup = asLookupFunction(openNames());
    const one = await new Promise((resolve) => {
      lookup('localhost', { family: 4 }, (error, address, family) => resolve([error, address, family]));
    });
    expect(one).toEqual([null, '127.0.0.1', 4]);
  });
});
