import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codingFor } from '../request/encodings.ts';
import { prepare } from './compress.ts';

describe('Accept-Encoding', () => {
  it.each([
    ['gzip', true],
    ['x-gzip', true],
    ['GZip', true],
    ['gzip, deflate, br', true],
    ['br;q=1.0, gzip;q=0.8, *;q=0.1', true],
    ['*', true],
    ['*;q=0.5', true],
    ['gzip;q=0.001', true],
    ['gzip; q=1.000', true],
    ['identity, gzip', true],
    ['identity;q=0.5, gzip;q=1', true],
    ['identity;q=0, *', true],
    ['', false],
    ['br', false],
    ['identity', false],
    ['gzip;q=0', false],
    ['gzip;q=0.000', false],
    ['gzip;q=0, *', false],
    ['*;q=0', false],
    ['identity, gzip;q=0.5', false],
    ['gzip;q=2', false],
    ['gzip;q=yes', false],
    ['gzipped', false],
  ])('%j takes gzip: %s', (header, takes) => {
    const expected = takes ? 'gzip' : undefined;
    expect(codingFor(header, ['gzip'])).toBe(expected);
    // As it is cached.
    expect(codingFor(header, ['gzip'])).toBe(expected);
  });

  it.each([
    ['gzip, deflate, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.5', 'br'],
    ['gzip', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *;q=0.2', 'gzip'],
    ['br;q=0.8, gzip;q=0.9, identity;q=1', undefined],
    ['br;q=0, gzip;q=0', undefined],
  ])('%j of both takes %s', (header, coding) => {
    expect(codingFor(header, ['br', 'gzip'])).toBe(coding);
  });

  it('fills no memory with what is made up', () => {
    for (let i = 0; i < 1000; i++) expect(codingFor(`gzip, x${i}`, ['gzip'])).toBe('gzip');
  });
});

describe('an answer', () => {
  const text = (bytes: number) => JSON.stringify('x'.repeat(bytes - 2));
  const answer = (body: string, headers = {}) => ({ status: 200, headers, body });

  it('of fewer than 2 KiB stays as it is', () => {
    const small = answer(text(2047));
    expect(prepare(small, 'gzip')).toEqual({ ...small, length: 2047 });
  });

  it('of 2 KiB is compressed where that is taken, and says in any case that it depends', async () => {
    const body = text(2048);
    expect(prepare(answer(body), undefined)).toEqual({ ...answer(body, { Vary: 'Accept-Encoding' }), length: 2048 });
    const compressed = await prepare(answer(body, { ETag: '"v"', Vary: 'Origin' }), 'gzip');
    expect(compressed.headers).toEqual({
      ETag: 'W/"v"',
      Vary: 'Origin, Accept-Encoding',
      'Content-Encoding': 'gzip',
    });
    expect(compressed.length).toBe(compressed.body?.length);
    expect(gunzipSync(compressed.body as Buffer).toString()).toBe(body);
  });

  it('is measured in bytes, not in characters', async () => {
    const { body } = await prepare(answer(JSON.stringify('ä'.repeat(1100))), 'gzip');
    expect(gunzipSync(body as Buffer).toString()).toBe(JSON.stringify('ä'.repeat(1100)));
  });

  it('without a body has none', () => {
    expect(prepare({ status: 204 }, 'gzip')).toEqual({ status: 204, length: 0 });
  });
});
