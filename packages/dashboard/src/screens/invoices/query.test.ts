import { expect, it } from 'vitest';
import { queryOf } from './query.ts';

it('the last day of a list of invoices belongs to it, and the search is for a number', () => {
  expect(queryOf({})).toEqual({});
  expect(queryOf({ search: 'INV-1', kind: 'credit_note', from: '2026-02-01', to: '2026-02-28' })).toEqual({
    number: 'INV-1',
    kind: 'credit_note',
    from: '2026-02-01',
    to: '2026-03-01',
  });
  // The interface says what is wrong with it.
  expect(queryOf({ to: 'soon' })).toEqual({ to: 'soon' });
});
