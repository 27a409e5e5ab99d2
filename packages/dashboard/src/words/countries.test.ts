import { expect, it } from 'vitest';
import { countries, countryCodes, countryGroups, grouped } from './countries.ts';

it('Every country of ISO 3166 has a name, and the list follows the language', () => {
  expect(countryCodes).toHaveLength(249);
  expect(new Set(countryCodes).size).toBe(249);
  const all = countries();
  expect(all.every(([code, name]) => name !== code)).toBe(true);
  expect(all.find(([code]) => code === 'AT')).toEqual(['AT', 'Austria']);
  const names = all.map(([, name]) => name);
  expect(names).toEqual([...names].sort(new Intl.Collator('en').compare));
});

it('Countries are said as groups where all of a group are there', () => {
  const union = countryGroups.union;
  const without = (...codes: string[]) => union.filter((code) => !codes.includes(code));
  expect(grouped([...union, 'CH', 'NO'])).toEqual({ groups: [{ group: 'union', without: [] }], left: ['CH', 'NO'] });
  expect(grouped(without('DE'))).toEqual({ groups: [{ group: 'union', without: ['DE'] }], left: [] });
  expect(grouped(without('DE', 'AT', 'FR', 'IT')).groups.map(({ group }) => group)).toEqual(['benelux']);
  expect(grouped(['DE', 'AT', 'CH'])).toEqual({ groups: [{ group: 'german', without: [] }], left: [] });
  expect(grouped(['DE', 'AT']).groups).toEqual([]);
  expect(grouped([])).toEqual({ groups: [], left: [] });
  const members = Object.values(countryGroups).flat();
  expect(members.filter((code) => !countryCodes.includes(code))).toEqual([]);
});
