import { useId } from 'preact/hooks';
import { t } from '../../words/words.ts';
import type { FieldProps } from './fields.tsx';
import type { Values } from './merge.ts';

export interface CheckGroup {
  label: string;
  options: readonly (readonly [value: string, label: string])[];
}

/** A choice of several options, in groups; each group can be ticked as a whole. The value is the list of ticked options. */
export function ChecksField<T extends Values>({
  form,
  name,
  label,
  hint,
  groups,
}: FieldProps<T> & { groups: readonly CheckGroup[] }) {
  const id = useId();
  const chosen = new Set(form.values.value[name] as string[]);
  const reason = form.errors.value[name];
  const all = groups.flatMap(({ options }) => options.map(([value]) => value));
  const set = (values: readonly string[], on: boolean) => {
    const next = new Set(chosen);
    for (const value of values) {
      if (on) next.add(value);
      else next.delete(value);
    }
    // In a fixed order, so that the same choice is not a change.
    form.set(name, all.filter((value) => next.has(value)) as T[typeof name]);
  };
  return (
    <fieldset class="checks" aria-describedby={reason ? `${id}-reason` : hint ? `${id}-hint` : undefined}>
      <legend>{label}</legend>
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
      <div class="check-groups">
        {groups.map(({ label: group, options }) => {
          const values = options.map(([value]) => value);
          const isAll = values.every((value) => chosen.has(value));
          return (
            <fieldset key={group} class="check-group">
              <legend class="unseen">{group}</legend>
              <label class="check whole">
                <input
                  type="checkbox"
                  checked={isAll}
                  indeterminate={!isAll && values.some((value) => chosen.has(value))}
                  aria-label={t.kit.form.all(group)}
                  onChange={() => set(values, !isAll)}
                />
                {group}
              </label>
              {options.map(([value, text]) => (
                <label key={value} class="check">
                  <input
                    type="checkbox"
                    checked={chosen.has(value)}
                    aria-label={t.kit.form.one(group, text)}
                    onChange={({ currentTarget }) => set([value], currentTarget.checked)}
                  />
                  {text}
                </label>
              ))}
            </fieldset>
          );
        })}
      </div>
    </fieldset>
  );
}
