import { describe, expect, it } from 'vitest';
import { noSelection, toggle, toggleAll } from './selection.ts';

describe('selecting rows', () => {
  const order = ['a', 'b', 'c', 'd', 'e'];

  it('switches one row, and with Shift those up to it', () => {
    const one = toggle(noSelection, 'b', order);
    expect([...one.ids]).toEqual(['b']);
    const range = toggle(one, 'd', order, true);
    expect([...range.ids]).toEqual(['b', 'c', 'd']);
    const less = toggle(toggle(range, 'd', order), 'c', order, true);
    expect([...less.ids]).toEqual(['b']);
    expect([...toggle(toggle(noSelection, 'e', order), 'c', order, true).ids].sort()).toEqual(['c', 'd', 'e']);
  });

  it('begins no range at a row that is gone', () => {
    const gone = { ids: new Set<string>(), anchor: 'z' };
    expect([...toggle(gone, 'c', order, true).ids]).toEqual(['c']);
  });

  it('switches all, and then none', () => {
    const all = toggleAll(toggle(noSelection, 'b', order), order);
    expect(all.ids.size).toBe(5);
    expect(toggleAll(all, order).ids.size).toBe(0);
  });
});
