import { describe, expect, it } from 'vitest';
import { BareLimits } from './bare-limits.ts';

describe('the limits of notifications that name no store', () => {
  it('allow two per second for each address', () => {
    const limits = new BareLimits();
    const count = (address: string, now: number) => () => limits.countNotification(address, now);
    for (const now of [1000, 1999]) expect(count('a', now)).not.toThrow();
    expect(count('a', 1999)).toThrow(/2 per second/);
    expect(count('b', 1999)).not.toThrow();
    expect(count('a', 2000)).not.toThrow();
  });

  it('remember a limited number of addresses, until their second is over', () => {
    const limits = new BareLimits();
    for (let i = 0; i < 10_000; i++) limits.countNotification(`10.0.${i}`, 1000);
    expect(() => limits.countNotification('another', 1500)).toThrow(/too many addresses/);
    expect(() => limits.countNotification('another', 2000)).not.toThrow();
  });

  it('allow eight calls at once, also after one of them failed', async () => {
    const limits = new BareLimits();
    let underWay = 0;
    let most = 0;
    const call = (i: number) =>
      limits.call(async () => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 2));
        underWay--;
        if (i % 3 === 0) throw new Error('it did not answer');
      });
    const results = await Promise.allSettled(Array.from({ length: 60 }, (_, i) => call(i)));
    expect(most).toBe(8);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(20);
  });

  it('turn calls away when two hundred wait', async () => {
    const limits = new BareLimits();
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const waiting = Array.from({ length: 208 }, () => limits.call(() => gate));
    await expect(limits.call(() => gate)).rejects.toMatchObject({ kind: 'unavailable' });
    open();
    await Promise.all(waiting);
    await expect(limits.call(async () => 'again')).resolves.toBe('again');
  });

  it('forget failures after a minute', () => {
    const limits = new BareLimits();
    limits.recordFailure('account 1', 5000);
    expect([limits.hasFailed('account 1', 64_999), limits.hasFailed('account 1', 65_000)]).toEqual([true, false]);
    expect(limits.hasFailed('account 2', 5000)).toBe(false);
  });
});
