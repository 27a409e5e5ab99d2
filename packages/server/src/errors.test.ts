import { CommerceError } from '@commerce/core';
import { expect, it } from 'vitest';
import { toErrorAnswer } from './errors.ts';

it('tell clients of an error its code, message, reason and fields, and nothing that is for the process that asked', () => {
  const error = new CommerceError('validation', 'url: is refused', {
    details: [{ field: 'url', reason: 'is refused', code: 'NOT_A_URL', limits: { max: 2048 } }],
    cause: new Error('of the machine'),
    reason: 'addressRefused',
    about: '10.0.0.5',
  });
  const { status, body } = toErrorAnswer(error, 'r1');
  expect(status).toBe(400);
  expect(JSON.parse(String(body))).toEqual({
    error: {
      code: 'VALIDATION_ERROR',
      message: 'url: is refused',
      reason: 'addressRefused',
      details: [
        { field: 'url', reason: 'is refused', message: 'is refused', code: 'NOT_A_URL', limits: { max: 2048 } },
      ],
    },
  });
});
