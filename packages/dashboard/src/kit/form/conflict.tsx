import { useState } from 'preact/hooks';
import { formatList } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import type { Values } from './merge.ts';
import type { Form } from './use-form.ts';

/** Both versions of the fields that two people have changed: the user chooses one for each field. */
export function ConflictDialog<T extends Values>({ form }: { form: Form<T> }) {
  const [choice, setChoice] = useState<Record<string, 'mine' | 'theirs'>>({});
  const open = form.conflict.value;
  if (!open) return null;
  const { conflicts, taken, values } = open.merge;
  const nameOf = (field: string) => form.labels[field as keyof T & string] ?? field;
  const close = () => {
    form.conflict.value = undefined;
  };
  const resolve = () => {
    const chosen: Values = { ...values };
    for (const { field, mine, theirs } of conflicts) chosen[field] = choice[field] === 'theirs' ? theirs : mine;
    void form.resolve(chosen as T);
  };
  return (
    <Dialog
      wide
      title={t.kit.conflict.title}
      onClose={close}
      actions={
        <>
          <Button onClick={close}>{t.kit.conflict.back}</Button>
          <Button kind="primary" onClick={resolve}>
            {t.kit.conflict.save}
          </Button>
        </>
      }
    >
      {taken.length > 0 && <p>{t.kit.conflict.taken(formatList(taken.map(nameOf)))}</p>}
      {conflicts.length === 0 && <p>{t.kit.conflict.none}</p>}
      {conflicts.map(({ field, mine, theirs }) => (
        <fieldset key={field} class="versions">
          <legend>{nameOf(field)}</legend>
          {(['mine', 'theirs'] as const).map((side) => (
            <label key={side}>
              <input
                type="radio"
                name={`version-${field}`}
                checked={(choice[field] ?? 'mine') === side}
                onChange={() => setChoice({ ...choice, [field]: side })}
              />
              <span>
                <strong>{t.kit.conflict[side]}</strong>
                <span class="version" dir="auto">
                  {shown(side === 'mine' ? mine : theirs)}
                </span>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </Dialog>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined || value === '') return t.kit.conflict.empty;
  if (Array.isArray(value)) {
    const list: readonly unknown[] = value;
    if (list.length === 0) return t.kit.conflict.empty;
    const texts = (of: readonly unknown[]): of is string[] => of.every((one) => typeof one === 'string');
    // Tags, and names with values.
    if (texts(list)) return formatList(list);
    const rows = list.filter((one): one is string[] => Array.isArray(one) && texts(one));
    if (rows.length === list.length) return rows.map((row) => row.join(': ')).join('\n');
  }
  return typeof value === 'object' ? JSON.stringify(value, undefined, 2) : String(value);
}
