import { describe, expect, it } from 'vitest';
import { ApiError, errorOf, refusal } from './errors.ts';
import { explain, permissionOf, reasonOf } from './explain.ts';

const answer = (status: number, error: object = {}, headers = {}) =>
  errorOf(new Response(null, { status, headers }), { error: { message: 'must be a $tring', ...error } });

describe('a refusal of the interface', () => {
  it.each([
    [400, {}, 'Some values are not accepted.'],
    [
      400,
      {
        details: [
          { field: 'a', reason: 'x', code: 'TOO_LONG', limits: { max: 1000 } },
          { field: 'b', reason: 'x', code: 'NEWER' },
          { field: 'c', reason: 'x' },
        ],
      },
      'Enter at most 1,000 characters. This value is not accepted.',
    ],
    [403, { message: 'the API key does not have the scope apiKey.write' }, /permission to edit API keys/],
    [403, { message: 'no' }, /Your key does not allow this/],
    [409, { code: 'INSUFFICIENT_STOCK' }, 'There is not enough stock.'],
    [409, { code: 'CONFLICT', reason: 'orderStatus' }, 'The status of the order does not allow it.'],
    [409, { code: 'CONFLICT', reason: 'toString' }, /Reload it/],
    [500, {}, /request ID/],
    [502, {}, /request ID/],
  ])('with %i %j is told in words: %s', (status, error, hint) => {
    const [title, said] = explain(answer(status, error));
    expect(said).toMatch(hint);
    expect(title + said).not.toContain('$tring');
  });

  it('says how long to wait', () => {
    expect(explain(answer(429, {}, { 'Retry-After': '7' }))).toEqual(['Too many requests', 'Try again in 7 seconds.']);
  });

  it('keeps what it knows with other details', () => {
    const error = answer(400, { reason: 'taken' }, { 'X-Request-Id': 'r-1' }).with([{ field: 'a', reason: 'b' }]);
    expect(error).toMatchObject({ status: 400, message: 'must be a $tring', isAnswer: true, requestId: 'r-1' });
    expect(error.details).toEqual([{ field: 'a', reason: 'b' }]);
  });
});

it('What these pages refuse themselves is told in their own words', () => {
  expect(explain(refusal('name', 'Choose a name.'))).toEqual(['Check your input', 'Choose a name.']);
  expect(explain(new ApiError({ status: 409, code: 'CONFLICT', message: 'Somebody was faster.' }))[1]).toBe(
    'Somebody was faster.',
  );
  expect(reasonOf({ said: 'Choose a name.', code: 'TAKEN' })).toBe('Choose a name.');
});

it('Amounts and limits are written in the language', () => {
  expect(reasonOf({ code: 'NOT_AN_AMOUNT', limits: { decimals: 0 } })).toBe('Enter an amount such as 49.');
  expect(reasonOf({ code: 'NOT_AN_AMOUNT', limits: { decimals: 3 } })).toBe('Enter an amount such as 48.500.');
  expect(reasonOf({ code: 'TOO_LARGE', limits: { max: '1000000.50' } })).toBe('Enter 1,000,000.5 or less.');
});

it('Scopes are told as permissions; an unknown scope is left as it is', () => {
  expect(permissionOf('customer.delete')).toBe('delete customers');
  expect(permissionOf('rocket.read')).toBe('rocket.read');
});
