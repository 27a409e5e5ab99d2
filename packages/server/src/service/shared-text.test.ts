import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { SharedText } from './shared-text.ts';

const request = { method: 'GET', url: '/', headers: {}, readBody: () => Promise.resolve(Buffer.alloc(0)) };

describe('a text that answers share', () => {
  const long = 'A mug, ünïcode and all. '.repeat(5000);

  it.each(['', '}', ',"servers":[{"url":"http://shop.example"}]}', 'x'.repeat(100_000)])(
    'is the same compressed and not, with the end %#',
    async (end) => {
      const text = await SharedText.of(long);
      const { status, headers, shared } = text.answer(request, { 'Content-Type': 'text/plain' }, end);
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'Content-Type': 'text/plain', 'X-Content-Type-Options': 'nosniff' });
      expect(Buffer.concat(shared?.plain ?? []).toString()).toBe(long + end);
      expect(gunzipSync(Buffer.concat(shared?.gzip ?? [])).toString()).toBe(long + end);
      expect(Buffer.concat(shared?.gzip ?? []).length).toBeLessThan(long.length / 10);
    },
  );

  it('has the same bytes in every answer, not a copy of them', async () => {
    const text = await SharedText.of(long);
    const [first, second] = [text.answer(request, {}, 'a'), text.answer(request, {}, 'b')];
    expect(first.shared?.plain[0]).toBe(second.shared?.plain[0]);
    expect(first.shared?.gzip[0]).toBe(second.shared?.gzip[0]);
  });

  it('has a tag of its own for each end, by which it is known again', async () => {
    const text = await SharedText.of(long);
    const tags = ['', 'a', 'b'].map((end) => text.answer(request, {}, end).headers?.ETag ?? '');
    expect(new Set(tags).size).toBe(3);
    const known = (tag = '') => text.answer({ ...request, headers: { 'if-none-match': tag } }, {}, 'a').status;
    expect(tags.map(known)).toEqual([200, 304, 200]);
    expect(known(`W/${tags[1]}`)).toBe(304);
  });
});
