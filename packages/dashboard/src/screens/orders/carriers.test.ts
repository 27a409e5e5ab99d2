import { describe, expect, it } from 'vitest';
import { carriers, linkTo } from './carriers.ts';

const home = { country: 'NL', postalCode: '1012 AB' };

describe('links of carriers', () => {
  it.each(carriers.map(({ name }) => name))('follow a parcel of %s at a public https page', (name) => {
    const link = linkTo(name, '0034 0434/1?&#', home) ?? '';
    const url = new URL(link);
    expect(url.protocol).toBe('https:');
    // The number stays one word of the address, whatever was typed.
    expect(link).toContain('00340434%2F1%3F%26%23');
    expect(link.length).toBeLessThan(255);
  });

  it('are found by the name in any case, and only with a number', () => {
    expect(linkTo(' dpd ', '01234567890123')).toBe('https://tracking.dpd.de/status/en_US/parcel/01234567890123');
    expect(linkTo('DPD', '  ')).toBeUndefined();
    expect(linkTo('Bike messenger', '1')).toBeUndefined();
    expect(linkTo('', '1')).toBeUndefined();
  });

  it('have the destination where the carrier asks for it', () => {
    expect(linkTo('PostNL', '3SABC', home)).toBe('https://jouw.postnl.nl/track-and-trace/3SABC-NL-1012AB');
    expect(linkTo('PostNL', '3SABC', { country: 'NL', postalCode: null })).toBeUndefined();
    expect(linkTo('PostNL', '3SABC')).toBeUndefined();
  });

  it('have names that differ', () => {
    expect(new Set(carriers.map(({ name }) => name.toLowerCase())).size).toBe(carriers.length);
  });
});
