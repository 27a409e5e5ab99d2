import { stripeMethods } from '@commerce/core';
import { expect, it } from 'vitest';
import { isDelayed, methodGroups } from './stripe-methods.ts';

it('all methods of the service can be chosen, by when their money comes', () => {
  const shown = methodGroups.flatMap(({ options }) => options.map(([name]) => name));
  expect(shown.toSorted()).toEqual(Object.keys(stripeMethods).sort());
  for (const [name, speed] of Object.entries(stripeMethods)) expect(isDelayed(name)).toBe(speed === 'delayed');
});
