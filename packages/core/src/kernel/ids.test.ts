import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isId, uuidV7Source } from './ids.ts';

describe('uuidV7Source', () => {
  it('makes version 7 of RFC 9562, with the time it was given in front', () => {
    const id = uuidV7Source().next(0x0123_4567_89ab);
    expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isId(id)).toBe(true);
  });

  it('makes each id greater than the one before, whatever the clock does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_005 }), { maxLength: 300 }),
        (times) => {
          const source = uuidV7Source();
          const ids = times.map((time) => source.next(time));
          expect(ids).toEqual([...new Set(ids)].sort());
        },
      ),
    );
  });

  it('goes on when a millisecond has no more room', () => {
    const source = uuidV7Source();
    const ids = Array.from({ length: 20_000 }, () => source.next(1_700_000_000_000));
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

describe('isId', () => {
  it.each([
    '',
    'x',
    '0190A5C8-0000-7000-8000-000000000000',
    '0190a5c8000070008000000000000000',
    '0190a5c8-0000-7000-8000-00000000000g',
    '0190a5c8-0000-7000-8000-000000000000 ',
    '0190a5c8-0000-7000-8000-000000000000\n',
    '{0190a5c8-0000-7000-8000-000000000000}',
  ])('refuses %j', (text) => {
    expect(isId(text)).toBe(false);
  });
});
