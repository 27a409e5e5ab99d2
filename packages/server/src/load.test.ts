import { describe, expect, it } from 'vitest';
import { Load } from './load.ts';

describe('the load of a process', () => {
  it('is too much above the most that may be under way', () => {
    const load = new Load(2);
    load.underWay = 2;
    expect(load.refusal()).toBeUndefined();
    load.underWay = 3;
    expect(load.refusal()).toMatchObject({ kind: 'unavailable' });
    load.underWay = 2;
    expect(load.refusal()).toBeUndefined();
  });

  it('is too much when the event loop is late again and again, not when it was late once', () => {
    const load = new Load(2);
    const refusedAfter = (...samples: number[]) => {
      for (const sample of samples) load.sample(sample);
      return load.refusal() !== undefined;
    };
    expect(refusedAfter(0, 30_000, 0)).toBe(false);
    expect(refusedAfter(2000, 2000)).toBe(false);
    expect(refusedAfter(900, 2000, 2000)).toBe(false);
    expect(refusedAfter(2000)).toBe(true);
    expect(refusedAfter(2000)).toBe(true);
    expect(refusedAfter(0)).toBe(false);
  });

  it('is watched by the clock of the process', async () => {
    const load = new Load(2);
    load.start();
    const samples: number[] = [];
    load.sample = (lateness) => samples.push(lateness);
    const block = (ms: number) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    block(1700);
    await new Promise((resolve) => setTimeout(resolve, 700));
    load.stop();
    expect(samples[0]).toBeGreaterThan(1000);
    expect(samples.slice(1).every((lateness) => lateness < 1000)).toBe(true);
    const { length } = samples;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(samples).toHaveLength(length);
  });
});
