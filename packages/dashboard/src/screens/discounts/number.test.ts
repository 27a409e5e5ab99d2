import { describe, expect, it } from 'vitest';
import { numberOr } from './number.ts';

describe('a limit that is typed', () => {
  it('is a number, none, or left for the service to refuse', () => {
    expect(['', ' ', '3', ' 12 ', '0', '1.5', 'many'].map(numberOr)).toEqual([null, null, 3, 12, 0, '1.5', 'many']);
  });
});
