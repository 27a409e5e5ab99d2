import { useMemo, useRef, useState } from 'preact/hooks';
import { type CountryGroup, countries, countryGroups, grouped } from '../../words/countries.ts';
import { countryName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { groupName } from '../terms/countries.ts';
import { Suggest } from './suggest.tsx';

const words = t.countries;

/** Suggestions at once. */
const most = 8;

/** Members from which a group is one chip. */
const least = 5;

/** A country or a group of them, as it is chosen and as it is removed. */
interface Choice {
  key: string;
  name: string;
  codes: readonly string[];
  group?: CountryGroup;
}

const groups: readonly Choice[] = (Object.keys(countryGroups) as CountryGroup[]).map((group) => ({
  key: `group-${group}`,
  name: words.groups[group],
  codes: countryGroups[group],
  group,
}));

/** Several countries: chosen by name, alone or in groups, and kept as codes. */
export function CountriesInput({
  value,
  onValue,
  ...control
}: {
  value: readonly string[];
  onValue(codes: string[]): void;
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': 'true' | undefined;
}) {
  const all = useMemo(
    () => [...countries().map(([code, name]): Choice => ({ key: code, name, codes: [code] })), ...groups],
    [],
  );
  const [typed, setTyped] = useState('');
  /** Large groups whose countries are shown one by one. */
  const [opened, setOpened] = useState<readonly CountryGroup[]>([]);
  const input = useRef<HTMLInputElement>(null);
  const found = choicesLike(typed, all)
    .filter(({ codes }) => codes.some((code) => !value.includes(code)))
    .slice(0, most);
  const remove = (codes: readonly string[]) => {
    onValue(value.filter((code) => !codes.includes(code)));
    input.current?.focus();
  };
  return (
    <div>
      {value.length > 0 && (
        <ul class="chips">
          {chipsOf(value, opened).map(({ key, name, codes, group }) => (
            <li key={key}>
              {group ? words.groupOf(name, codes.length) : name}
              {group && (
                <Button
                  kind="quiet"
                  icon="down"
                  label={words.each(name)}
                  onClick={() => {
                    setOpened([...opened, group]);
                    input.current?.focus();
                  }}
                />
              )}
              <Button kind="quiet" icon="close" label={words.remove(name)} onClick={() => remove(codes)} />
            </li>
          ))}
        </ul>
      )}
      <Suggest
        {...control}
        input={input}
        label={words.found}
        placeholder={words.search}
        typed={typed}
        onTyped={setTyped}
        found={found.map(({ key, name, codes, group }) => ({
          value: key,
          shown: group ? words.groupOf(name, codes.length) : name,
        }))}
        onPick={(key) => {
          const codes = all.find((one) => one.key === key)?.codes ?? [];
          onValue([...new Set([...value, ...codes])]);
          setTyped('');
        }}
      />
      {typed.trim() !== '' && found.length === 0 && <p class="hint">{words.none}</p>}
    </div>
  );
}

/** A chip for each country, and one for each large group. */
function chipsOf(value: readonly string[], opened: readonly CountryGroup[]): Choice[] {
  const large = grouped(value).groups.flatMap(({ group, without }): Choice[] => {
    const codes = countryGroups[group].filter((code) => !without.includes(code));
    if (codes.length < least || opened.includes(group)) return [];
    return [{ key: `group-${group}`, name: groupName({ group, without }), codes, group }];
  });
  const inGroups = new Set(large.flatMap(({ codes }) => codes));
  const alone = value.filter((code) => !inGroups.has(code));
  return [...large, ...alone.map((code) => ({ key: code, name: countryName(code), codes: [code] }))];
}

/** Countries and groups whose name contains a text, or whose code it is. The code comes first, then those that begin with it. */
function choicesLike(typed: string, all: readonly Choice[]): Choice[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return [];
  const rank = ({ key, name }: Choice) =>
    key.toLowerCase() === text ? 2 : name.toLowerCase().startsWith(text) ? 1 : 0;
  return all
    .filter((choice) => choice.name.toLowerCase().includes(text) || rank(choice) > 0)
    .sort((one, other) => rank(other) - rank(one));
}

/** One country, chosen by name and kept as a code. A stored text that is no code can still be chosen. */
export function CountrySelect({
  value,
  onValue,
  none = t.countries.choose,
  ...control
}: {
  value: string;
  onValue(code: string): void;
  /** The choice of no country. */
  none?: string;
  id?: string;
  name?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: 'true' | undefined;
}) {
  const options = useMemo(() => withCountry(value), [value]);
  return (
    <select {...control} value={value} onChange={({ currentTarget }) => onValue(currentTarget.value)}>
      <option value="">{none}</option>
      {options.map(([code, name]) => (
        <option key={code} value={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** All countries, and a text that somebody has typed as one. */
export function withCountry(stored: string): readonly (readonly [code: string, name: string])[] {
  const all = countries();
  return stored === '' || all.some(([code]) => code === stored) ? all : [[stored, stored], ...all];
}
