import { describe, expect, it } from 'vitest';
import { KeyMatcher } from './keyboard.ts';

describe('shortcuts', () => {
  const table = ['/', 'g o', 'g p', 'j', 'mod+s', 'Escape', '?'].map((keys) => ({ keys }));
  const press = (key: string, rest = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    inText: false,
    ...rest,
  });

  it('are single keys, and pairs that come soon enough', () => {
    const keys = new KeyMatcher();
    const at = (key: string, now: number, rest = {}) => keys.match(table, press(key, rest), true, now)?.keys;
    expect(at('/', 0)).toBe('/');
    expect(at('g', 0)).toBe(undefined);
    expect(at('o', 500)).toBe('g o');
    expect(at('o', 600)).toBe(undefined);
    expect(at('g', 1000)).toBe(undefined);
    expect(at('o', 3000)).toBe(undefined);
    expect(at('g', 4000)).toBe(undefined);
    expect(at('Shift', 4100)).toBe(undefined);
    expect(at('p', 4200)).toBe('g p');
    expect(at('?', 5000)).toBe('?');
  });

  it('leave alone what is typed, but for those with Ctrl and Escape', () => {
    const keys = new KeyMatcher();
    const typed = { inText: true };
    expect(keys.match(table, press('j', typed), true, 0)).toBe(undefined);
    expect(keys.match(table, press('s', { ...typed, metaKey: true }), true, 0)?.keys).toBe('mod+s');
    expect(keys.match(table, press('S', { ...typed, ctrlKey: true }), true, 0)?.keys).toBe('mod+s');
    expect(keys.match(table, press('Escape', typed), true, 0)?.keys).toBe('Escape');
    expect(keys.match(table, press('j', { ctrlKey: true }), true, 0)).toBe(undefined);
  });

  it('can be switched off where they are single keys', () => {
    const keys = new KeyMatcher();
    expect(keys.match(table, press('j'), false, 0)).toBe(undefined);
    expect(keys.match(table, press('s', { ctrlKey: true }), false, 0)?.keys).toBe('mod+s');
  });
});
