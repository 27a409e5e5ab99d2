import { describe, expect, it } from 'vitest';
import { changedFields, isSame, merge } from './merge.ts';

describe('saving what somebody else has changed', () => {
  const read = { title: 'Bowl', price: '10.00', tags: ['a'], attributes: { size: 'S', colour: 'red' } };

  it('sends the changed fields alone', () => {
    expect(changedFields(read, { ...read, price: '12.00', attributes: { colour: 'red', size: 'S' } })).toEqual({
      price: '12.00',
    });
    expect(changedFields(read, { ...read, tags: ['a', 'b'] })).toEqual({ tags: ['a', 'b'] });
    expect(isSame(undefined, null)).toBe(true);
    expect(isSame(['a', 'b'], ['b', 'a'])).toBe(false);
  });

  it('takes over what only the other one has changed, and asks about the rest', () => {
    const merged = merge(read, { ...read, title: 'My bowl', price: '12.00' }, { ...read, price: '11.00', tags: ['b'] });
    expect(merged).toEqual({
      conflicts: [{ field: 'price', mine: '12.00', theirs: '11.00' }],
      taken: ['tags'],
      values: { ...read, title: 'My bowl', price: '12.00', tags: ['b'] },
    });
  });

  it('asks nothing where both have changed to the same', () => {
    const same = { ...read, price: '12.00' };
    expect(merge(read, same, same)).toMatchObject({ conflicts: [], values: same });
  });
});
