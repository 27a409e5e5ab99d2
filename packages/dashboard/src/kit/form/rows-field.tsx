import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { AmountInput, amountRefusal, shopDecimals, useGuard } from './amount-input.tsx';
import { CountriesInput, CountrySelect } from './countries-input.tsx';
import type { FieldProps } from './fields.tsx';
import type { Values } from './merge.ts';

/**
 * A field of each row; texts and amounts are typed, an `area` is a text of several lines, `one` marks exactly one row, a `country` is chosen by name and kept as a code,
 * `countries` are a list of them.
 */
export interface RowField {
  name: string;
  label: string;
  kind?: 'text' | 'area' | 'money' | 'one' | 'country' | 'countries';
  hint?: string;
  placeholder?: string;
}

type Row = Record<string, unknown>;

interface RowsProps<T extends Values> extends FieldProps<T> {
  /** Noun for a row, as inside a sentence: "address". */
  one: string;
  fields: readonly RowField[];
  blank: Row;
  /** Name of a row; its number by default. */
  titleOf?(row: Row, index: number): string;
  /** Whether the order of the rows matters. */
  ordered?: boolean;
}

/** A list that is edited as a whole: rows are added, changed, moved and removed, and then saved together. */
export function RowsField<T extends Values>(props: RowsProps<T>) {
  const { form, name, label, hint, one, fields, blank, titleOf, ordered = false } = props;
  const rows = form.values.value[name] as Row[];
  const reason = form.errors.value[name];
  const place = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  const added = useRef(false);
  const count = rows.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a row was added
  useLayoutEffect(() => {
    if (!added.current) return;
    added.current = false;
    place.current?.querySelector<HTMLElement>('.row-fields:last-of-type input')?.focus();
  }, [count]);
  useGuard(form, () => {
    const amounts = fields.filter((field) => field.kind === 'money');
    const now = form.values.value[name] as Row[];
    return Object.fromEntries(
      now.flatMap((row, i) =>
        amounts.map((field) => [
          `${name}.${i}.${field.name}`,
          amountRefusal(String(row[field.name] ?? ''), shopDecimals()),
        ]),
      ),
    );
  });
  const put = (next: Row[]) => form.set(name, next as T[typeof name]);
  const move = (from: number, to: number) => {
    const next = [...rows];
    next.splice(to, 0, ...next.splice(from, 1));
    put(next);
  };
  return (
    <fieldset class="row-list" ref={place}>
      <legend>{label}</legend>
      {hint && <p class="hint">{hint}</p>}
      {reason && (
        <p class="reason" dir="auto">
          {reason}
        </p>
      )}
      {rows.map((row, i) => {
        const title = titleOf?.(row, i) || t.kit.rows.nameOf(one, i + 1);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row that is new has no id
          <fieldset key={i} class="row-fields">
            <legend class="unseen">{title}</legend>
            <div class="row-head">
              <h3 dir="auto">{title}</h3>
              {ordered && i > 0 && (
                <Button kind="quiet" icon="up" label={t.kit.rows.up(title)} onClick={() => move(i, i - 1)} />
              )}
              {ordered && i < rows.length - 1 && (
                <Button kind="quiet" icon="down" label={t.kit.rows.down(title)} onClick={() => move(i, i + 1)} />
              )}
              <Button
                kind="quiet"
                icon="trash"
                label={t.kit.rows.remove(title)}
                onClick={() => put(rows.filter((_, n) => n !== i))}
              />
            </div>
            <div class="field-row">
              {fields.map((field) => (
                <RowInput
                  key={field.name}
                  field={field}
                  id={`${id}-${i}-${field.name}`}
                  row={row}
                  group={`${id}-${name}`}
                  reason={form.errors.value[`${name}.${i}.${field.name}`]}
                  onChange={(value) =>
                    put(
                      rows.map((other, n) => {
                        if (n === i) return { ...other, [field.name]: value };
                        return field.kind === 'one' ? { ...other, [field.name]: false } : other;
                      }),
                    )
                  }
                />
              ))}
            </div>
          </fieldset>
        );
      })}
      <Button
        icon="plus"
        onClick={() => {
          added.current = true;
          put([...rows, { ...blank }]);
        }}
      >
        {t.kit.rows.add(one)}
      </Button>
    </fieldset>
  );
}

interface InputProps {
  field: RowField;
  id: string;
  row: Row;
  group: string;
  reason: string | undefined;
  onChange(value: unknown): void;
}

function RowInput({ field, id, row, group, reason, onChange }: InputProps) {
  const { name, label, kind, hint, placeholder } = field;
  if (kind === 'one') {
    return (
      <label class="check">
        <input type="radio" name={group} checked={row[name] === true} onChange={() => onChange(true)} />
        {label}
      </label>
    );
  }
  const described = [hint && `${id}-hint`, reason && `${id}-reason`].filter(Boolean).join(' ') || undefined;
  const control = {
    id,
    'aria-invalid': reason ? ('true' as const) : undefined,
    'aria-describedby': described,
  };
  return (
    <div class="field">
      <label htmlFor={id}>{label}</label>
      {kind === 'money' ? (
        <AmountInput
          {...control}
          placeholder={placeholder}
          value={String(row[name] ?? '')}
          decimals={shopDecimals()}
          onValue={onChange}
        />
      ) : kind === 'area' ? (
        <textarea
          {...control}
          rows={3}
          dir="auto"
          placeholder={placeholder}
          value={String(row[name] ?? '')}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : kind === 'countries' ? (
        <CountriesInput {...control} value={(row[name] as string[] | undefined) ?? []} onValue={onChange} />
      ) : kind === 'country' ? (
        <CountrySelect {...control} value={String(row[name] ?? '')} onValue={onChange} />
      ) : (
        <input
          {...control}
          placeholder={placeholder}
          dir="auto"
          autoComplete="off"
          value={String(row[name] ?? '')}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {reason && (
        <p class="reason" id={`${id}-reason`} dir="auto">
          {reason}
        </p>
      )}
    </div>
  );
}

/** Names for errors in fields of rows: `addresses.0.city`. */
export function placesOf(name: string, rows: readonly unknown[], fields: readonly RowField[]): string[] {
  return rows.flatMap((_, i) => fields.map((field) => `${name}.${i}.${field.name}`));
}
