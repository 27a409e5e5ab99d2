import { describe, expect, it } from 'vitest';
import { blockOf, pagesOf, rowsInView } from './window.ts';

describe('the window of a long list', () => {
  it('draws what is seen and a little around it', () => {
    expect(rowsInView(0, 560, 56, 1000)).toEqual({ first: 0, end: 18 });
    expect(rowsInView(5600, 560, 56, 1000)).toEqual({ first: 92, end: 118 });
    expect(rowsInView(-400, 560, 56, 3)).toEqual({ first: 0, end: 3 });
    expect(rowsInView(99_999, 560, 56, 10)).toEqual({ first: 10, end: 10 });
    expect(rowsInView(0, 560, 56, 0)).toEqual({ first: 0, end: 0 });
  });

  it('loads whole pages', () => {
    expect(pagesOf({ first: 0, end: 18 }, 0)).toEqual([0]);
    expect(pagesOf({ first: 92, end: 118 }, 10_000)).toEqual([10_050, 10_100]);
    expect(pagesOf({ first: 10, end: 10 }, 0)).toEqual([]);
  });

  it('finds the block of a row of the address', () => {
    expect([null, '', '1', '10000', '10001', 'x', '-5'].map(blockOf)).toEqual([0, 0, 0, 0, 10_000, 0, 0]);
  });
});
