import { describe, expect, it } from 'vitest';
import { knownSort, nextSort, orderOf } from './sorting.ts';

const placed = { sort: { asc: 'oldest', desc: 'newest', initial: 'desc' } } as const;
const total = { sort: { asc: 'total', desc: '-total' }, end: true } as const;
const name = { sort: { asc: 'name', desc: '-name' } } as const;

describe('the order of a list', () => {
  it('belongs to the column that the address names, or to the initial one', () => {
    expect([placed, total, {}].map((column) => orderOf(column, null))).toEqual(['desc', undefined, undefined]);
    expect([placed, total].map((column) => orderOf(column, '-total'))).toEqual([undefined, 'desc']);
    expect(orderOf(total, 'total')).toBe('asc');
  });

  it('turns with each click, and begins with the largest number or the first letter', () => {
    expect(nextSort(total, null)).toBe('-total');
    expect(nextSort(total, '-total')).toBe('total');
    expect(nextSort(name, '-total')).toBe('name');
    expect(nextSort(placed, null)).toBe('oldest');
    expect(nextSort(placed, 'oldest')).toBeUndefined();
    expect(nextSort({}, null)).toBeUndefined();
  });

  it('is not sent if no column has it', () => {
    expect(knownSort([placed, total, {}], 'total')).toBe('total');
    expect(knownSort([placed, total, {}], 'price')).toBeUndefined();
    expect(knownSort([placed], null)).toBeUndefined();
    const orders = ['', 'bestselling'].map((value) => ({ value, label: value }));
    expect(knownSort([total], 'bestselling', orders)).toBe('bestselling');
    expect(knownSort([total], '', orders)).toBeUndefined();
  });
});
