import { describe, expect, it } from 'vitest';
import { placeErrors } from './field-errors.ts';

describe('reasons of a refusal', () => {
  it('go to their fields, and the rest to the form', () => {
    const details = [
      { field: 'price', reason: 'must be a decimal string', code: 'NOT_AN_AMOUNT', limits: { decimals: 2 } },
      { field: 'attributes.size', reason: 'is too long', code: 'TOO_LONG', limits: { max: 9 } },
      { field: 'attributes.colour', reason: 'is odd' },
      { field: 'address.city', reason: 'is missing', said: 'Choose a city.' },
      { field: '', reason: 'must be an object' },
      { field: 'ids.3', reason: 'is unknown' },
    ];
    expect(placeErrors(details, ['price', 'attributes', 'address', 'address.city'])).toEqual({
      placed: {
        price: 'Enter an amount such as 48.50.',
        attributes: 'size: Enter at most 9 characters. colour: This value is not accepted.',
        'address.city': 'Choose a city.',
      },
      rest: [details[4], details[5]],
    });
  });
});
