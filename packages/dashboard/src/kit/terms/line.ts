import type { Schemas } from '../../api/types.ts';

type Line = Schemas['Order']['items'][number];

/** Which variant a line of an order is. */
export function variantText({
  variantTitle,
  attributesSnapshot,
}: Pick<Line, 'variantTitle' | 'attributesSnapshot'>): string {
  return variantTitle ?? Object.values(attributesSnapshot).join(', ');
}

/** What tells a line from others of the same product: its variant, and what the buyer chose. */
export function lineText(line: Pick<Line, 'variantTitle' | 'attributesSnapshot' | 'options'>): string {
  const chosen = Object.entries(line.options).map(([name, value]) => `${name}: ${value}`);
  return [variantText(line), ...chosen].filter(Boolean).join(' · ');
}
