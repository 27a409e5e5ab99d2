import { describe, expect, it } from 'vitest';
import { de } from './de.ts';
import { en } from './en.ts';

/** The keys of the sentences with what they are, such as `app.menu: string`. */
const keysOf = (of: object, path = ''): string[] =>
  Object.entries(of).flatMap(([name, value]) =>
    typeof value === 'object' ? keysOf(value as object, `${path}${name}.`) : [`${path}${name}: ${typeof value}`],
  );

const textsOf = (of: object): string[] =>
  Object.values(of).flatMap((value) => (typeof value === 'object' ? textsOf(value as object) : [String(value)]));

describe('the languages', () => {
  it('have the same keys, in the same order', () => {
    expect(keysOf(de)).toEqual(keysOf(en));
    expect(keysOf(en).length).toBeGreaterThan(300);
  });

  it('have the same places for elements', () => {
    const places = (of: object) => textsOf(of).map((text) => text.match(/(?<!\$)\{\w+\}/g)?.sort() ?? []);
    const keys = keysOf(en);
    const found = places(en).map((own, i) => [keys[i], own]);
    expect(places(de).map((own, i) => [keys[i], own])).toEqual(found);
  });
});
