import { describe, expect, it } from 'vitest';
import { pathOf } from '../edge/request-target.ts';
import { originOf } from './origin.ts';

describe('the origin of a request', () => {
  const origin = (headers: Record<string, string>, trustProxy = true) => originOf({ headers }, trustProxy);
  const forwarded = (proto?: string, host?: string) => ({
    host: 'inside:3000',
    ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }),
    ...(host === undefined ? {} : { 'x-forwarded-host': host }),
  });

  it('is what the client says where no proxy is known', () => {
    expect(origin(forwarded('https', 'shop.example'), false)).toBe('http://inside:3000');
  });

  it.each([
    [forwarded(), 'http://inside:3000'],
    [forwarded('https'), 'https://inside:3000'],
    [forwarded('HTTPS', 'Shop.Example'), 'https://shop.example'],
    [forwarded('https, http', 'shop.example, inside'), 'https://shop.example'],
    [forwarded('https', 'shop.example:8443'), 'https://shop.example:8443'],
    [forwarded('https', '192.0.2.1:1'), 'https://192.0.2.1:1'],
    [forwarded('https', '[2001:db8::1]:65535'), 'https://[2001:db8::1]:65535'],
  ])('is what the proxy says: %j', (headers, expected) => {
    expect(origin(headers)).toBe(expected);
  });

  it.each([
    forwarded('javascript'),
    forwarded('ftp'),
    forwarded(''),
    forwarded('https', ''),
    forwarded('https', 'a b'),
    forwarded('https', 'shop.example/path'),
    forwarded('https', 'user@shop.example'),
    forwarded('https', 'shop.example:0'),
    forwarded('https', 'shop.example:65536'),
    forwarded('https', 'shop.example:'),
    forwarded('https', 'shop.example"><script>'),
    forwarded('https', '[::1'),
    forwarded('https', '[:::::]'),
    forwarded('https', '[::g]'),
    forwarded('https', '-a.example'),
    forwarded('https', `${'a'.repeat(64)}.example`),
    forwarded('https', 'a..example'),
    {},
  ])('is not known where it is not well-formed: %j', (headers) => {
    expect(origin(headers)).toBeUndefined();
  });
});

describe('the path of a request target', () => {
  it.each([
    ['/a/b?c=d', '/a/b?c=d'],
    ['//a', '//a'],
    ['http://shop.example/a?b', '/a?b'],
    ['HTTPS://shop.example:1/a', '/a'],
    ['http://shop.example', '/'],
    ['http://shop.example?a=b', '/?a=b'],
    ['*', '*'],
    ['ftp://shop.example/a', 'ftp://shop.example/a'],
    ['shop.example:443', 'shop.example:443'],
  ])('%j: %j', (target, path) => {
    expect(pathOf(target)).toBe(path);
  });
});
