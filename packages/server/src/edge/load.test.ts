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

  it('gives the place of the answer that has waited longest for its client to another request', () => {
    const load = new Load(2);
    const cut: string[] = [];
    const left = ['a', 'b', 'c'].map((name) =>
      load.leave(() => {
        cut.push(name);
        left[cut.length - 1]?.();
        load.underWay--;
      }),
    );
    load.underWay = 3;
    expect(load.refusal()).toBeUndefined();
    expect(cut).toEqual(['a']);
    load.underWay = 4;
    expect(load.refusal()).toMatchObject({ kind: 'unavailable' });
    expect(cut).toEqual(['a', 'b']);
  });

  it('holds so many bytes of answers, and cuts those that are not taken before it refuses others', () => {
    const mebibyte = 1024 * 1024;
    const load = new Load(2);
    expect(load.makeRoom(100 * mebibyte)).toBe(true);
    load.hold(30 * mebibyte);
    expect(load.makeRoom(mebibyte)).toBe(true);
    expect(load.makeRoom(4 * mebibyte)).toBe(false);
    const left = load.leave(() => {
      left();
      load.hold(-20 * mebibyte);
    });
    expect(load.makeRoom(4 * mebibyte)).toBe(true);
    expect(load.makeRoom(40 * mebibyte)).toBe(false);
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
