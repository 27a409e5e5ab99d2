import { describe, expect, it } from 'vitest';
import { axisSteps } from './axis.ts';

describe('the axis of a plot', () => {
  it('goes in round steps to at least the largest value', () => {
    expect(axisSteps(0)).toEqual([0, 1]);
    expect(axisSteps(4)).toEqual([0, 1, 2, 3, 4]);
    expect(axisSteps(213.9)).toEqual([0, 100, 200, 300]);
    expect(axisSteps(1000)).toEqual([0, 250, 500, 750, 1000]);
    expect(axisSteps(0.3)).toEqual([0, 0.1, 0.2, 0.3]);
    for (const max of [0.01, 7, 99, 101, 12_345, 9_999_999]) {
      const steps = axisSteps(max);
      expect(steps.at(-1)).toBeGreaterThanOrEqual(max);
      expect(steps.length).toBeLessThanOrEqual(6);
    }
  });
});
