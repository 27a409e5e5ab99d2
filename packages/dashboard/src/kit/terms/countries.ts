import { countryGroups, type FoundGroup, grouped } from '../../words/countries.ts';
import { countryName, formatList } from '../../words/forms.ts';
import { t } from '../../words/words.ts';

/** Countries of one text that are named one by one. */
const most = 8;

/** Countries in few words: groups by their names, then the others, of a long list only the first ones. */
export function countriesText(codes: readonly string[]): string {
  const { groups, left } = grouped(codes);
  const named = left.length > most ? left.slice(0, most - 1) : left;
  return formatList([
    ...groups.map(groupName),
    ...named.map(countryName),
    ...(named.length < left.length ? [t.countries.more(left.length - named.length)] : []),
  ]);
}

/** A group of countries, with those that are not in it. */
export function groupName({ group, without }: FoundGroup): string {
  const name = t.countries.groups[group];
  return without.length === 0 ? name : t.countries.without(name, formatList(without.map(countryName)));
}

/** The member states of the European Union. */
export const unionStates: readonly string[] = countryGroups.union;
