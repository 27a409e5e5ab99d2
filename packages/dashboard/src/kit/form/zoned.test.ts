import { describe, expect, it } from 'vitest';
import { fromWallTime, toWallTime } from './zoned.ts';

describe('wall times of a zone', () => {
  it.each([
    ['2026-11-22T17:00', 'UTC', '2026-11-22T17:00:00.000Z'],
    ['2026-11-22T17:00', 'Europe/Berlin', '2026-11-22T16:00:00.000Z'],
    ['2026-07-01T00:30', 'Europe/Berlin', '2026-06-30T22:30:00.000Z'],
    ['2026-01-01T09:00', 'Asia/Kathmandu', '2026-01-01T03:15:00.000Z'],
    ['2026-12-31T20:00', 'Pacific/Kiritimati', '2026-12-31T06:00:00.000Z'],
  ])('%s in %s is one time, and back', (wall, zone, at) => {
    expect(fromWallTime(wall, zone)).toBe(at);
    expect(toWallTime(at, zone)).toBe(wall);
  });

  it('that clocks show twice are the first, and that they skip the later', () => {
    expect(fromWallTime('2026-10-25T02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(fromWallTime('2026-03-29T02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30:00.000Z');
    expect(toWallTime('2026-03-29T01:30:00.000Z', 'Europe/Berlin')).toBe('2026-03-29T03:30');
  });

  it('are nothing for other texts', () => {
    for (const text of ['', '2026-11-22', '2026-13-01T00:00', 'now']) expect(fromWallTime(text, 'UTC')).toBe(undefined);
    expect(toWallTime('never', 'UTC')).toBe('');
  });
});
