import { describe, expect, it } from 'vitest';
import { slugOf } from './slug.ts';

describe('the slug of a title', () => {
  it.each([
    ['Über uns', 'uber-uns'],
    ['  Terms & Conditions (2026) ', 'terms-conditions-2026'],
    ['Straße', 'strasse'],
    ['<script>', 'script'],
    ['配送', ''],
    [`${'a'.repeat(254)} b`, 'a'.repeat(254)],
  ])('%s is %s', (title, slug) => expect(slugOf(title)).toBe(slug));
});
