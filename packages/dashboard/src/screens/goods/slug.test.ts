import { describe, expect, it } from 'vitest';
import { randomSlug, slugOf } from './slug.ts';

describe('slugs made of titles', () => {
  it.each([
    ['Blue mug, large', 'blue-mug-large'],
    ['  Größe – Ærø’s Øl  ', 'grosse-aeros-ol'],
    ['<img src=x onerror=1>', 'img-src-x-onerror-1'],
    ['Чашка «Йога»', 'chashka-yoga'],
    ['Ελληνικό λάδι', 'elliniko-ladi'],
    ['Чайник', 'chaynik'],
    ['Καφές', 'kafes'],
    ['قهوة', 'qhwt'],
    ['日本のお茶', ''],
    ['急須 青', ''],
    ['—', ''],
  ])('%s → %s', (title, slug) => expect(slugOf(title)).toBe(slug));

  it('leaves room for an ending', () => expect(slugOf('a'.repeat(400))).toHaveLength(200));

  it('are made by chance where nothing else is left', () => {
    const made = new Set(Array.from({ length: 50 }, () => randomSlug('product')));
    expect(made.size).toBe(50);
    for (const slug of made) expect(slug).toMatch(/^product-[a-z2-9]{6}$/);
  });
});
