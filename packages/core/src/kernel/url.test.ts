import { describe, expect, it } from 'vitest';
import { isLoopbackHost, listeningUrl, parseOrigin, parseUrl, parseWebAddress } from './url.ts';

describe('addresses', () => {
  it('are parsed alike however often others were before', () => {
    // `URL.canParse` of Node.js 22 refuses such a host after some 5,000 calls; `URL.parse` must not.
    for (let call = 0; call < 20_000; call++) {
      const parsed = parseUrl(call % 2 ? 'https://shop.example' : 'https://BÜCHER.example');
      expect(parsed?.hostname).toBe(call % 2 ? 'shop.example' : 'xn--bcher-kva.example');
    }
  });

  it.each(['', 'shop.example', 'https://', 'https://a b', 'https://[::1', 'https://shop.example:65536'])(
    'are undefined when invalid: %s',
    (address) => expect(parseUrl(address)).toBeUndefined(),
  );

  it('of the web are http and https', () => {
    expect(parseWebAddress('HTTP://Shop.example/a?b')?.href).toBe('http://shop.example/a?b');
    expect(parseWebAddress('https://shop.example')?.href).toBe('https://shop.example/');
    for (const other of ['ftp://shop.example', 'javascript:alert(1)', 'mailto:a@b.example', 'shop.example:80']) {
      expect(parseWebAddress(other)).toBeUndefined();
    }
  });

  it('are origins without user name, path, query and fragment', () => {
    expect(parseOrigin('https://Shop.example:443/')?.origin).toBe('https://shop.example');
    for (const rest of ['/a', '?a', '#a']) expect(parseOrigin(`https://shop.example${rest}`)).toBeUndefined();
    for (const user of ['a@', 'a:b@', ':b@']) expect(parseOrigin(`https://${user}shop.example`)).toBeUndefined();
    expect(parseOrigin('ftp://shop.example')).toBeUndefined();
  });

  it.each([
    ['127.0.0.1', 'http://127.0.0.1:3000', true],
    ['127.1.2.3', 'http://127.1.2.3:3000', true],
    ['localhost', 'http://localhost:3000', true],
    ['LOCALHOST.', 'http://LOCALHOST.:3000', true],
    ['shop.localhost', 'http://shop.localhost:3000', true],
    ['::1', 'http://[::1]:3000', true],
    ['::ffff:127.0.0.1', 'http://[::ffff:127.0.0.1]:3000', true],
    ['0.0.0.0', 'http://127.0.0.1:3000', false],
    ['0', 'http://127.0.0.1:3000', false],
    ['::', 'http://[::1]:3000', false],
    ['::0', 'http://[::1]:3000', false],
    ['0:0:0:0:0:0:0:0', 'http://[::1]:3000', false],
    ['::ffff:0.0.0.0', 'http://127.0.0.1:3000', false],
    ['', 'http://127.0.0.1:3000', false],
    ['10.0.0.7', 'http://10.0.0.7:3000', false],
    ['fd00::7', 'http://[fd00::7]:3000', false],
    ['fe80::1%eth0', 'http://[fe80::1%eth0]:3000', false],
    ['shop.internal', 'http://shop.internal:3000', false],
    ['127.0.0.1.shop.example', 'http://127.0.0.1.shop.example:3000', false],
    ['notlocalhost', 'http://notlocalhost:3000', false],
  ])('of a server that listens on %j are %s', (host, url, isLoopback) => {
    expect([listeningUrl(host, 3000), isLoopbackHost(host)]).toEqual([url, isLoopback]);
  });
});
