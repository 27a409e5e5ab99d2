import { describe, expect, it } from 'vitest';
import { imagesOf, moved, withUpload } from './image-order.ts';

describe('the order of pictures', () => {
  it('begins with a main one that is none of the others', () => {
    expect(imagesOf({ mediaIds: ['a', 'b'], primaryMediaId: 'b' })).toEqual(['a', 'b']);
    expect(imagesOf({ mediaIds: ['a', 'b'], primaryMediaId: 'c' })).toEqual(['c', 'a', 'b']);
    expect(imagesOf({ mediaIds: [], primaryMediaId: null })).toEqual([]);
  });

  it('is the order of the drop, whichever upload ends first', () => {
    const places = new Map<string, number>();
    const arrive = (before: Parameters<typeof withUpload>[0], names: string, hasChosen = false) =>
      [...names].reduce((now, name) => {
        places.set(name, name.charCodeAt(0));
        return withUpload(now, name, places, hasChosen);
      }, before);
    const none = { mediaIds: [], primaryMediaId: null };
    for (const names of ['abc', 'acb', 'bac', 'bca', 'cab', 'cba']) {
      places.clear();
      expect(arrive(none, names), names).toEqual({ mediaIds: ['a', 'b', 'c'], primaryMediaId: 'a' });
    }
    places.clear();
    const some = { mediaIds: ['x', 'y'], primaryMediaId: 'y' };
    expect(arrive(some, 'ba')).toEqual({ mediaIds: ['x', 'y', 'a', 'b'], primaryMediaId: 'y' });
    places.clear();
    expect(arrive({ mediaIds: ['x'], primaryMediaId: null }, 'ba')).toEqual({
      mediaIds: ['x', 'a', 'b'],
      primaryMediaId: 'x',
    });
    places.clear();
    expect(arrive(arrive(none, 'cb'), 'a', true)).toEqual({ mediaIds: ['a', 'b', 'c'], primaryMediaId: 'b' });
  });

  it('is changed one at a time', () => {
    const list = ['a', 'b', 'c'];
    expect(moved(list, 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moved(list, 2, 0)).toEqual(['c', 'a', 'b']);
    expect(list).toEqual(['a', 'b', 'c']);
  });
});
