import { expect, it } from 'vitest';
import { countries, countryCodes } from './countries.ts';

it('Every country of ISO 3166 has a name, and the list follows the language', () => {
  expect(countryCodes).toHaveLength(249);
  expect(new Set(countryCodes).size).toBe(249);
  const all = countries();
  expect(all.every(([code, name]) => name !== code)).toBe(true);
  expect(all.find(([code]) => code === 'AT')).toEqual(['AT', 'Austria']);
  const names = all.map(([, name]) => name);
  expect(names).toEqual([...names].sort(new Intl.Collator('en').compare));
});
