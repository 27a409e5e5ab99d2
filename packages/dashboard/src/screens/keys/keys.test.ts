import { scopes } from '@commerce/core';
import { describe, expect, it } from 'vitest';
import { madeBy } from './made-by.ts';
import { allScopes } from './scopes.ts';

describe('keys', () => {
  it('can be given every scope that guards something', () => {
    expect([...allScopes, 'order.delete'].sort()).toEqual([...scopes].sort());
  });

  it('end with the key that made them, however far back', () => {
    const key = (id: string, createdBy: string | null) => ({ id, createdBy });
    const all = [key('d', 'c'), key('b', 'a'), key('c', 'b'), key('a', null), key('x', null), key('y', 'x')];
    expect(madeBy('a', all).map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    expect(madeBy('d', all)).toEqual([]);
    // No store creates such a cycle, but a cycle must not cause an endless loop.
    expect(madeBy('p', [key('p', 'q'), key('q', 'p')]).map(({ id }) => id)).toEqual(['q']);
  });
});
