import { expect, it } from 'vitest';
import { lineText } from './line.ts';

it('A line is told from others of its product by its variant and by what the buyer chose', () => {
  const attributesSnapshot = { color: 'blue', size: 'L' };
  expect(lineText({ variantTitle: null, attributesSnapshot, options: {} })).toBe('blue, L');
  expect(lineText({ variantTitle: 'Large', attributesSnapshot, options: { Engraving: 'Ada', Font: 'A' } })).toBe(
    'Large · Engraving: Ada · Font: A',
  );
  expect(lineText({ variantTitle: null, attributesSnapshot: {}, options: { Engraving: 'Ada' } })).toBe(
    'Engraving: Ada',
  );
});
