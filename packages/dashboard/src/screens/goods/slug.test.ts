import { describe, expect, it } from 'vitest';
import { slugOf } from './slug.ts';

describe('slugs made of titles', () => {
  it.each([
    ['Blue mug, large', 'blue-mug-large'],
    ['  Größe – Ærø’s Øl  ', 'grosse-aeros-ol'],
    ['<img src=x onerror=1>', 'img-src-x-onerror-1'],
    ['Чашка «Йога»', 'chashka-yoga'],
    ['Ελληνικό λάδι', 'elliniko-ladi'],
    ['日本のお茶', ''],
    ['—', ''],
  ])('%s → %s', (title, slug) => expect(slugOf(title)).toBe(slug));

  it('leaves room for an ending', () => expect(slugOf('a'.repeat(400))).toHaveLength(200));
});
