import type { Product } from '../products/fields.ts';

/** The values of each attribute in which the members of a group differ, those of earlier members first. */
export type Options = ReadonlyMap<string, ReadonlySet<string>>;

/** Values of an option in an answer. */
const maxValues = 100;

export function optionsOf(members: readonly Product[]): Options {
  const values = new Map<string, Set<string>>();
  const having = new Map<string, number>();
  for (const { attributes } of members) {
    for (const [name, value] of Object.entries(attributes)) {
      const known = values.get(name) ?? new Set<string>();
      values.set(name, known);
      if (known.size < maxValues) known.add(value);
      having.set(name, (having.get(name) ?? 0) + 1);
    }
  }
  // One that only some have is a difference, too.
  return new Map([...values].filter(([name, known]) => known.size > 1 || (having.get(name) ?? 0) < members.length));
}

/** True if a variant has all these options. */
export function hasOptions({ attributes }: Product, wanted: readonly { name: string; label: string }[]): boolean {
  return wanted.every(({ name, label }) => Object.hasOwn(attributes, name) && attributes[name] === label);
}
