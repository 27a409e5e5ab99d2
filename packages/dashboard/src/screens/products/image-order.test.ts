import { describe, expect, it } from 'vitest';
import { imagesOf, moved } from './image-order.ts';

describe('the order of pictures', () => {
  it('begins with a main one that is none of the others', () => {
    expect(imagesOf({ mediaIds: ['a', 'b'], primaryMediaId: 'b' })).toEqual(['a', 'b']);
    expect(imagesOf({ mediaIds: ['a', 'b'], primaryMediaId: 'c' })).toEqual(['c', 'a', 'b']);
    expect(imagesOf({ mediaIds: [], primaryMediaId: null })).toEqual([]);
  });

  it('is changed one at a time', () => {
    const list = ['a', 'b', 'c'];
    expect(moved(list, 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(list, 2, 0)).toEqual(['c', 'a', 'b']);
    expect(list).toEqual(['a', 'b', 'c']);
  });
});
