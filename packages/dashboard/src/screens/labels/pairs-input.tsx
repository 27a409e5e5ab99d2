import { useId } from 'preact/hooks';
import { Button } from '../../kit/index.ts';
import type { Pair } from './pairs.ts';

/** The words of rows; `n` counts from 1. */
export interface PairWords {
  name(n: number): string;
  value(name: string): string;
  nth(n: number): string;
  remove(name: string): string;
  add: string;
  exampleName?: string;
  exampleValue?: string;
}

/**
 * Names and values, such as color and blue: one row each.
 * @param hidden names that are edited elsewhere
 */
export function PairsInput({
  rows,
  label,
  reason,
  words,
  hidden = [],
  longest = {},
  onChange,
}: {
  rows: readonly Pair[];
  label: string;
  reason?: string | undefined;
  words: PairWords;
  hidden?: readonly string[];
  /** Most characters. */
  longest?: { name?: number; value?: number };
  onChange(rows: Pair[]): void;
}) {
  const id = useId();
  const shown = rows
    .flatMap(([name, value], i) =>
      // The second of two rows with one name is shown, so that its reason can be seen.
      hidden.includes(name) && rows.findIndex(([one]) => one === name) === i ? [] : [{ name, value, i }],
    )
    .map((row, n) => ({ ...row, n: n + 1 }));
  const change = (i: number, row: Pair) => onChange(rows.map((old, at) => (at === i ? row : old)));
  return (
    <div class="field attributes" role="group" aria-label={label} aria-describedby={reason ? id : undefined}>
      {shown.map(({ name, value, i, n }) => (
        <div key={i} class="attribute">
          <input
            aria-label={words.name(n)}
            placeholder={words.exampleName}
            dir="auto"
            autoComplete="off"
            maxLength={longest.name}
            aria-invalid={reason ? 'true' : undefined}
            value={name}
            onInput={({ currentTarget }) => change(i, [currentTarget.value, value])}
          />
          <input
            aria-label={words.value(name || words.nth(n))}
            placeholder={name === '' ? words.exampleValue : undefined}
            dir="auto"
            autoComplete="off"
            maxLength={longest.value}
            value={value}
            onInput={({ currentTarget }) => change(i, [name, currentTarget.value])}
          />
          <Button
            kind="quiet"
            icon="trash"
            label={words.remove(name || words.nth(n))}
            onClick={() => onChange(rows.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      {reason && (
        <p class="reason" id={id} dir="auto">
          {reason}
        </p>
      )}
      <div>
        <Button icon="plus" onClick={() => onChange([...rows, ['', '']])}>
          {words.add}
        </Button>
      </div>
    </div>
  );
}
