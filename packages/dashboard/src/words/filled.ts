import type { ComponentChildren } from 'preact';

/** A sentence with elements in the places of its names in braces: `filled(t.app.zone, { zone: <strong>Paris</strong> })`. */
export function filled(sentence: string, parts: Record<string, ComponentChildren>): ComponentChildren[] {
  return sentence.split(/\{(\w+)\}/).map((piece, i) => (i % 2 === 0 ? piece : parts[piece]));
}
