import { refusal } from '../../api/errors.ts';
import { type FieldKind, own } from '../../kit/form/kinds.ts';

// Texts by name, such as attributes of a product, as rows that people edit.

export type Pair = readonly [name: string, value: string];

/** Stored texts as rows, in display order. */
export const pairsOf = (stored: unknown): Pair[] => Object.entries((stored ?? {}) as Record<string, string>);

/** Rows as they are sent, without empty ones. */
export function textsOf(rows: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(([name, value]) => [name.trim(), value.trim()] as const).filter(([name, value]) => name || value),
  );
}

/** What is wrong with rows: a name that is there twice, or a row that `wrong` finds something in. */
export function pairsRefusal(
  rows: readonly Pair[],
  twice: (name: string) => string,
  wrong?: (name: string, value: string) => string | undefined,
): string | undefined {
  const typed = rows
    .map(([name, value]) => [name.trim(), value.trim()] as const)
    .filter(([name, value]) => name || value);
  const names = typed.map(([name]) => name).filter(Boolean);
  const double = names.find((name, i) => names.indexOf(name) !== i);
  if (double !== undefined) return twice(double);
  for (const [name, value] of typed) {
    const said = wrong?.(name, value);
    if (said !== undefined) return said;
  }
  return undefined;
}

/** A field of texts by name, which a screen shows as rows. */
export function pairsField(field: string, label: string, ...rules: Rules): FieldKind<Pair[]> {
  return {
    ...own<Pair[]>(label, []),
    read: pairsOf,
    sent(rows) {
      const said = pairsRefusal(rows, ...rules);
      if (said !== undefined) throw refusal(field, said);
      return textsOf(rows);
    },
  };
}

type Rules = [twice: (name: string) => string, wrong?: (name: string, value: string) => string | undefined];
