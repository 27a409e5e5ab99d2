import { describe, expect, it } from 'vitest';
import { dateIn, exactTime, formatAge, formatTime } from './time.ts';

describe('times', () => {
  const at = '2026-11-22T23:30:00.000Z';

  it('are those of the zone of the shop', () => {
    expect(formatTime(at, 'Europe/Berlin', 'day', ['en'])).toBe('Nov 23, 2026');
    expect(formatTime(at, 'America/New_York', 'day', ['en'])).toBe('Nov 22, 2026');
    expect(formatTime(at, 'UTC', 'minute', ['en'])).toMatch(/^Nov 22, 2026, 11:30\sPM$/);
    expect(dateIn('Asia/Tokyo', Date.parse(at))).toBe('2026-11-23');
  });

  it('have an exact form with UTC in it', () => {
    expect(exactTime(at, 'Europe/Berlin', ['en'])).toContain('Monday, November 23, 2026');
    expect(exactTime(at, 'Europe/Berlin', ['en'])).toContain('(2026-11-22T23:30:00.000Z)');
  });

  it('are told by their age', () => {
    const after = (seconds: number) => formatAge(at, Date.parse(at) + seconds * 1000, ['en']);
    expect(after(30)).toBe('30 seconds ago');
    expect(after(3 * 3600 + 5)).toBe('3 hours ago');
    expect(after(26 * 3600)).toBe('yesterday');
    expect(after(45 * 86_400)).toBe('last month');
  });
});
