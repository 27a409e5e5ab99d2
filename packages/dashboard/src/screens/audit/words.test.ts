import { describe, expect, it } from 'vitest';
import { changesOf, summaryOf } from './words.ts';

describe('what changed', () => {
  const changes = {
    price: { from: '10.00', to: '12.50' },
    tags: { from: null, to: ['a'] },
    reason: 'sent\nback',
    isActive: { from: true, to: false },
    note: { to: 'x'.repeat(50), from: '', by: 'ada' },
  };

  it('is told field by field', () => {
    expect(changesOf({ changes }).slice(0, 4)).toEqual([
      { field: 'price', from: '10.00', to: '12.50' },
      { field: 'tags', from: '–', to: '[\n  "a"\n]' },
      { field: 'reason', to: 'sent\nback' },
      { field: 'isActive', from: 'yes', to: 'no' },
    ]);
    // Not a pair, although it has such fields.
    expect(changesOf({ changes })[4]?.from).toBe(undefined);
  });

  it('is told in a line', () => {
    const { note: _, ...rest } = changes;
    expect(summaryOf({ changes: rest })).toBe(
      'price: 10.00 → 12.50; tags: – → [ "a" ]; reason: sent back; isActive: yes → no',
    );
    expect(summaryOf({ changes: { note: 'x'.repeat(50) } })).toBe(`note: ${'x'.repeat(40)}…`);
  });
});
