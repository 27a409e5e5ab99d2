import { expect, it } from 'vitest';
import { hasPostalCode } from './postal-codes.ts';

it.each(['HK', 'ae', ' QA ', 'AO', 'Hong Kong SAR China', 'qatar', 'United Arab Emirates'])(
  'addresses in %j have no postal code',
  (country) => expect(hasPostalCode(country)).toBe(false),
);

it.each(['GB', 'UK', 'de', 'US', 'JP', 'France', 'united kingdom', 'ZZ', 'EL', 'Narnia', ''])(
  'addresses in %j have a postal code, or may have one',
  (country) => expect(hasPostalCode(country)).toBe(true),
);
