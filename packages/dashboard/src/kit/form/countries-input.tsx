import { useMemo, useRef, useState } from 'preact/hooks';
import { countries } from '../../words/countries.ts';
import { countryName } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Suggest } from './suggest.tsx';

const words = t.countries;

/** Countries that are offered at once. */
const most = 8;

/** Several countries: chosen by name, kept as codes. */
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
  const all = useMemo(countries, []);
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const found = countriesLike(typed, all)
    .filter(([code]) => !value.includes(code))
    .slice(0, most);
  return (
    <div>
      {value.length > 0 && (
        <ul class="chips">
          {value.map((code) => (
            <li key={code}>
              {countryName(code)}
              <Button
                kind="quiet"
                icon="close"
                label={words.remove(countryName(code))}
                onClick={() => {
                  onValue(value.filter((other) => other !== code));
                  input.current?.focus();
                }}
              />
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
        found={found.map(([code, name]) => ({ value: code, shown: name }))}
        onPick={(code) => {
          onValue([...value, code]);
          setTyped('');
        }}
      />
      {typed.trim() !== '' && found.length === 0 && <p class="hint">{words.none}</p>}
    </div>
  );
}

/** Countries whose name contains a text, or whose code it is; those that begin with it come first. */
function countriesLike(typed: string, all: ReturnType<typeof countries>): ReturnType<typeof countries> {
  const text = typed.trim().toLowerCase();
  if (text === '') return [];
  const begins = (name: string) => name.toLowerCase().startsWith(text);
  return all
    .filter(([code, name]) => name.toLowerCase().includes(text) || code.toLowerCase() === text)
    .sort(([, one], [, other]) => Number(begins(other)) - Number(begins(one)));
}
