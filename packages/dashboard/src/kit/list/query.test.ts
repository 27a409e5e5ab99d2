import { describe, expect, it } from 'vitest';
import { keyOf, valuesOf } from './query.ts';

describe('filters in the address', () => {
  it('are read by their names, and empty ones are none', () => {
    const params = new URLSearchParams('status=paid&search=&other=1&tab=all');
    expect(valuesOf(params, ['tab', 'search', 'status'])).toEqual({ tab: 'all', status: 'paid' });
  });

  it('ask the same question in any order', () => {
    expect(keyOf({ a: '1', b: '2' })).toBe(keyOf({ b: '2', a: '1' }));
    expect(keyOf({ a: '1' })).not.toBe(keyOf({ a: '2' }));
  });
});
