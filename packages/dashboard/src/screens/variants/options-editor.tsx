import { Button, confirm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { maxOptions, type Option, type Value } from './options.ts';
import type { Variants } from './use-variants.ts';

const words = t.variants;

/** The options of a product: names, and values as fields, of which the last one is empty and adds a value. */
export function OptionsEditor({ variants }: { variants: Variants }) {
  const { options, rows, setOptions, nextKey } = variants;
  const put = (next: Option) => setOptions(options.map((old) => (old.key === next.key ? next : old)));
  const removeValue = async (option: Option, value: Value) => {
    const at = options.filter(({ values }) => values.length > 0).indexOf(option);
    const gone = rows.filter(({ variant, combination }) => variant && combination[at] === value.key).length;
    const { sure, sureText, sureYes } = words.remove;
    if (gone > 0 && !(await confirm(sure(value.text), sureText(gone), { yes: sureYes }))) return;
    put({ ...option, values: option.values.filter(({ key }) => key !== value.key) });
  };
  const add = () => setOptions([...options, { key: nextKey(), was: undefined, name: '', values: [] }]);
  return (
    <div class="options">
      {options.map((option, i) => (
        <fieldset key={option.key} class="option">
          <legend class="unseen">{option.name || words.nth(i + 1)}</legend>
          <div class="option-name">
            <label>
              <span>{words.name}</span>
              <input
                value={option.name}
                placeholder={words.exampleName}
                dir="auto"
                autoComplete="off"
                onKeyDown={stayInForm}
                onInput={({ currentTarget }) => put({ ...option, name: currentTarget.value })}
                onBlur={() => {
                  // An attribute that the variants already have brings its values.
                  if (option.values.length > 0) return;
                  const values = variants
                    .textsOf(option.name.trim())
                    .map((text) => ({ key: nextKey(), was: undefined, text }));
                  if (values.length > 0) put({ ...option, values });
                }}
              />
            </label>
            {/* An option with several values would leave variants that no longer differ. */}
            {option.values.filter(({ was }) => was !== undefined).length < 2 && (
              <Button
                kind="quiet"
                icon="trash"
                label={words.removeOption(option.name || words.nth(i + 1))}
                onClick={() => setOptions(options.filter(({ key }) => key !== option.key))}
              />
            )}
          </div>
          <Values
            option={option}
            onChange={put}
            onRemove={(value) => void removeValue(option, value)}
            nextKey={nextKey}
          />
        </fieldset>
      ))}
      {options.length < maxOptions && (
        <Button icon="plus" onClick={add}>
          {options.length === 0 ? words.addFirst : words.addAnother}
        </Button>
      )}
    </div>
  );
}

function Values({
  option,
  onChange,
  onRemove,
  nextKey,
}: {
  option: Option;
  onChange(next: Option): void;
  onRemove(value: Value): void;
  nextKey(): number;
}) {
  const { values } = option;
  const name = option.name || words.thisOption;
  return (
    <div class="option-values">
      <span class="option-label">{words.values}</span>
      <ul>
        {values.map((value, i) => (
          <li key={value.key}>
            <input
              aria-label={words.value(name, i + 1)}
              value={value.text}
              dir="auto"
              autoComplete="off"
              onKeyDown={nextValue}
              onInput={({ currentTarget }) =>
                onChange({
                  ...option,
                  values: values.map((old) => (old.key === value.key ? { ...old, text: currentTarget.value } : old)),
                })
              }
              onBlur={() => {
                // A new value that was emptied again is none.
                if (value.text.trim() === '' && value.was === undefined) onRemove(value);
              }}
            />
            <Button kind="quiet" icon="close" label={words.removeValue(value.text)} onClick={() => onRemove(value)} />
          </li>
        ))}
        <li>
          {/* The first letter makes it a value, and the next empty field follows. */}
          <input
            key={`new ${values.length}`}
            aria-label={words.newValue(name)}
            placeholder={values.length === 0 ? words.exampleValue : words.addValue}
            value=""
            dir="auto"
            autoComplete="off"
            data-new
            onKeyDown={(event) => {
              const { value } = event.currentTarget;
              if (event.key !== 'Enter' && event.key !== ',') return;
              event.preventDefault();
              addValue(value);
            }}
            onBlur={({ currentTarget }) => addValue(currentTarget.value)}
          />
        </li>
      </ul>
    </div>
  );

  function addValue(typed: string): void {
    const texts = typed
      .split(',')
      .map((text) => text.trim())
      .filter((text, i, all) => text !== '' && all.indexOf(text) === i && !values.some((old) => old.text === text));
    if (texts.length === 0) return;
    onChange({
      ...option,
      values: [...values, ...texts.map((text) => ({ key: nextKey(), was: undefined, text }))],
    });
    // The field for the next value takes the place of this one.
    if (document.activeElement?.matches('[data-new]')) {
      const list = document.activeElement.closest('ul');
      setTimeout(() => list?.querySelector<HTMLElement>('[data-new]')?.focus());
    }
  }
}

/** The form of the product is around the options: Enter does not send it. */
function stayInForm(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault();
}

/** Enter goes to the next value. */
function nextValue(event: KeyboardEvent): void {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  const item = (event.currentTarget as HTMLElement).closest('li');
  item?.nextElementSibling?.querySelector('input')?.focus();
}
