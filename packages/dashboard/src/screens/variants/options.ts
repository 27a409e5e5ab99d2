import type { Schemas } from '../../api/types.ts';

// Options and their combinations. Each variant is a product; its attributes say its combination.

export type Product = Schemas['Product'];
type Attributes = Product['attributes'];

/** A value of an option. Its key stays when its text is changed. */
export interface Value {
  key: number;
  /** The stored text; undefined for a new value. */
  was: string | undefined;
  text: string;
}

export interface Option {
  key: number;
  /** The stored name; undefined for a new option. */
  was: string | undefined;
  name: string;
  values: readonly Value[];
}

/** Keys of values, one of each option. */
export type Combination = readonly number[];

export const maxOptions = 3;
/** Most variants that the options of a product may give. */
export const maxVariants = 250;

/** The texts that an attribute has in these variants, each once. */
export function textsIn(variants: readonly Pick<Product, 'attributes'>[], name: string): string[] {
  return [...new Set(variants.map(({ attributes }) => attributes[name] ?? ''))];
}

/**
 * The options of stored variants: the first attributes that together tell the variants apart. Others may differ, too, such as a material that
 * only one of them has.
 * @param variants the oldest first: names and values come in their order
 */
export function optionsOf(variants: readonly Pick<Product, 'attributes'>[], nextKey: () => number): Option[] {
  const names: string[] = [];
  const told = () =>
    new Set(variants.map(({ attributes }) => JSON.stringify(names.map((name) => attributes[name] ?? '')))).size;
  for (const name of new Set(variants.flatMap(({ attributes }) => Object.keys(attributes)))) {
    if (told() === variants.length) break;
    if (textsIn(variants, name).length > 1) names.push(name);
  }
  return names.map((name) => ({
    key: nextKey(),
    was: name,
    name,
    values: textsIn(variants, name).map((text) => ({ key: nextKey(), was: text, text })),
  }));
}

/** Options as they count: with a name, and their values that have a text. Those that are still empty are left out. */
export function filledOptions(options: readonly Option[]): Option[] {
  return options
    .map((option) => ({ ...option, values: option.values.filter(({ text, was }) => text.trim() !== '' || was === '') }))
    .filter(({ values, was }) => values.length > 0 || was !== undefined);
}

/** Every combination, in the order of the values. */
export function combinations(options: readonly Option[]): Combination[] {
  if (options.length === 0) return [];
  return options.reduce<Combination[]>(
    (all, { values }) => all.flatMap((start) => values.map(({ key }) => [...start, key])),
    [[]],
  );
}

export const comboKey = (combination: Combination): string => combination.join('-');

/**
 * The combination of a stored variant. It has the first value of a new option, unless its attributes already name another. A variant that
 * was saved with a new name or text, while others failed, is found by these.
 * @returns undefined if one of its values was removed
 */
export function combinationOf(attributes: Attributes, options: readonly Option[]): Combination | undefined {
  const keys = options.map(({ was, name, values }) => {
    const renamed = attributes[name.trim()];
    const stored = was === undefined ? renamed : (attributes[was] ?? renamed ?? '');
    const found =
      values.find((value) => value.was !== undefined && value.was === stored) ??
      values.find(({ text }) => text.trim() === stored);
    return (found ?? (was === undefined ? values[0] : undefined))?.key;
  });
  return keys.includes(undefined) ? undefined : (keys as number[]);
}

/** The texts of a combination. */
export function textsOf(combination: Combination, options: readonly Option[]): string[] {
  return combination.map((key, i) => options[i]?.values.find((value) => value.key === key)?.text.trim() ?? '');
}

/**
 * The attributes of a variant: its options first, then its other attributes.
 * @param stored names of the options before the change
 */
export function attributesFor(
  attributes: Attributes,
  combination: Combination,
  options: readonly Option[],
  stored: readonly string[],
): Attributes {
  const texts = textsOf(combination, options);
  const own = options.map(({ name }, i) => [name.trim(), texts[i] ?? ''] as const);
  const others = Object.entries(attributes).filter(
    ([name]) => !stored.includes(name) && !own.some(([option]) => option === name),
  );
  return Object.fromEntries([...own.filter(([, text]) => text !== ''), ...others]);
}

export type Refused = 'unnamed' | 'nameTwice' | 'valueTwice' | 'valueEmpty' | 'tooMany';

/**
 * Finds a mistake in the options.
 * @returns the first one, with the name or the value
 */
export function mistakeIn(options: readonly Option[]): { mistake: Refused; text: string } | undefined {
  const names = options.map(({ name }) => name.trim());
  for (const [i, { values }] of options.entries()) {
    const name = names[i] ?? '';
    if (name === '') return { mistake: 'unnamed', text: values[0]?.text ?? '' };
    if (names.indexOf(name) !== i) return { mistake: 'nameTwice', text: name };
    // A stored variant can lack an attribute that the others have.
    const texts = values.filter(({ text, was }) => text.trim() !== '' || was !== '').map(({ text }) => text.trim());
    const twice = texts.find((text, n) => texts.indexOf(text) !== n);
    if (twice !== undefined) return { mistake: 'valueTwice', text: twice };
    if (texts.includes('')) return { mistake: 'valueEmpty', text: name };
  }
  return combinations(options).length > maxVariants ? { mistake: 'tooMany', text: String(maxVariants) } : undefined;
}
