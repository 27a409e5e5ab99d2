import { describe, expect, it } from 'vitest';
import { EndsOfPages } from './ends-of-pages.ts';

const page = (last: string) => [{ id: 'first' }, { id: last }];

describe('the windows of a long list', () => {
  it('begin behind a product that was seen, where an offset would cost', () => {
    const ends = new EndsOfPages();
    ends.note({}, 0, page('a'));
    ends.note({}, 4998, page('b'));
    expect(ends.windowOf({}, { limit: 50, offset: 2 })).toEqual({ limit: 50, offset: 2 });
    expect(ends.windowOf({}, { limit: 50, offset: 5000 })).toEqual({ limit: 50, after: 'b' });
    expect(ends.windowOf({}, { limit: 50, offset: 5050 })).toEqual({ limit: 50, offset: 5050 });
  });

  it('forget what was seen with other filters', () => {
    const ends = new EndsOfPages();
    ends.note({ status: 'draft' }, 4998, page('b'));
    expect(ends.windowOf({}, { limit: 50, offset: 5000 })).toEqual({ limit: 50, offset: 5000 });
    expect(ends.windowOf({ status: 'draft' }, { limit: 50, offset: 5000 })).toEqual({ limit: 50, offset: 5000 });
  });
});
