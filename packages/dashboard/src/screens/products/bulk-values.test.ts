import { describe, expect, it } from 'vitest';
import { ApiError } from '../../api/errors.ts';
import { changesOf, fieldsOf, noChanges, targetsOf } from './bulk-values.ts';

const refused = (changes: Partial<typeof noChanges>) => {
  try {
    changesOf({ ...noChanges, ...changes });
  } catch (error) {
    return (error as ApiError).details[0]?.field;
  }
  return undefined;
};

describe('a change of many products', () => {
  it('has only what was chosen', () => {
    expect(changesOf(noChanges)).toEqual({});
    expect(changesOf({ ...noChanges, price: '9', pricePercent: '5', compare: true, names: 'a' })).toEqual({});
    expect(changesOf({ ...noChanges, how: 'percent', pricePercent: '-7,5 %', compare: true })).toEqual({
      pricePercent: '-7.5',
      comparePreviousPrice: true,
    });
    expect(changesOf({ ...noChanges, how: 'set', price: ' 9.00 ', status: 'draft' })).toEqual({
      price: '9.00',
      status: 'draft',
    });
  });

  it('adds, removes or replaces categories, and sets or removes attributes', () => {
    const categoryIds = ['a', 'b'];
    const changes = (categoryHow: string) => changesOf({ ...noChanges, categoryHow, categoryIds });
    expect(changes('add')).toEqual({ addCategoryIds: categoryIds });
    expect(changes('remove')).toEqual({ removeCategoryIds: categoryIds });
    expect(changes('set')).toEqual({ categoryIds });
    expect(changesOf({ ...noChanges, categoryHow: 'set' })).toEqual({ categoryIds: [] });
    expect(changesOf({ ...noChanges, attributeHow: 'set', attributes: [['color', ' red ']] })).toEqual({
      setAttributes: { color: 'red' },
    });
    expect(changesOf({ ...noChanges, attributeHow: 'remove', names: ' color \n\nsize' })).toEqual({
      removeAttributes: ['color', 'size'],
    });
  });

  it('is refused where a value is missing or wrong', () => {
    expect(refused({ how: 'percent', pricePercent: '1.234' })).toBe('pricePercent');
    expect(refused({ categoryHow: 'add' })).toBe('categoryIds');
    expect(refused({ attributeHow: 'set' })).toBe('attributes');
    const twice = [
      ['a', '1'],
      ['a', '2'],
    ] as const;
    expect(refused({ attributeHow: 'set', attributes: [...twice] })).toBe('attributes');
    expect(refused({ attributeHow: 'remove', names: ' \n' })).toBe('names');
  });

  it('finds the products and the fields of a refusal', () => {
    const targets = [
      { id: 'x', name: 'X' },
      { id: 'y', name: 'Y' },
    ];
    const details = [
      { field: 'ids.1', reason: 'gone' },
      { field: 'ids.7', reason: 'gone' },
    ];
    expect(targetsOf(details, targets).map(({ row }) => row.id)).toEqual(['y']);
    const error = new ApiError({
      status: 400,
      code: 'VALIDATION_ERROR',
      message: 'no',
      details: ['changes.setAttributes.color', 'changes.price', 'changes'].map((field) => ({ field, reason: 'no' })),
    });
    expect(fieldsOf(error).details.map(({ field }) => field)).toEqual(['attributes.color', 'price', 'changes']);
  });
});
