import { describe, expect, it } from 'vitest';
import { placeErrors } from './field-errors.ts';

describe('reasons of a refusal', () => {
  it('go to their fields, and the rest to the form', () => {
    const details = [
      { field: 'price', reason: 'must be a decimal string' },
      { field: 'attributes.size', reason: 'is too long' },
      { field: 'attributes.colour', reason: 'is empty' },
      { field: 'address.city', reason: 'is missing' },
      { field: '', reason: 'must be an object' },
      { field: 'ids.3', reason: 'is unknown' },
    ];
    expect(placeErrors(details, ['price', 'attributes', 'address', 'address.city'])).toEqual({
      placed: {
        price: 'must be a decimal string',
        attributes: 'size: is too long; colour: is empty',
        'address.city': 'is missing',
      },
      rest: [details[4], details[5]],
    });
  });
});
