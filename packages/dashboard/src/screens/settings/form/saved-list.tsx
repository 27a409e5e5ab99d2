import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Versioned } from '../../../api/client.ts';
import { toApiError } from '../../../api/errors.ts';
import type { Schemas } from '../../../api/types.ts';
import { act, Button, confirm, Section } from '../../../kit/index.ts';
import { t } from '../../../words/words.ts';
import type { Settings } from './fields.ts';
import { type FormProps, readSettings, saveSettings } from './use-settings.ts';

const words = t.settings.lists;

/** The settings that are lists of ways that buyers choose from. */
export type ListName = 'paymentMethods' | 'shippingMethods';

interface Entry {
  id: string;
  name: string;
  active: boolean;
}

interface DialogProps<T> {
  /** Undefined for a new one. */
  entry: T | undefined;
  read: Versioned<Settings>;
  onSaved(saved: Versioned<Settings>): void;
  onClose(): void;
}

interface SavedListProps<T> extends FormProps {
  name: ListName;
  title: string;
  /** The button that adds one. */
  add: string;
  saved: string;
  /** Above the list; the one without entries says what that means. */
  hint: ComponentChildren;
  empty: ComponentChildren;
  /** What removing one does. @param isLast whether the list is empty then */
  removeText(isLast: boolean): string;
  /** An entry in one line. */
  factsOf(entry: T): ComponentChildren;
  dialog(props: DialogProps<T>): ComponentChildren;
}

const listOf = <T,>(settings: Settings, name: ListName) => settings[name] as unknown as readonly T[];
const bodyOf = (name: ListName, list: readonly object[]) => ({ [name]: list }) as Schemas['SettingsChanges'];

/** A list that is saved with every change: dragged or moved by buttons, switched on and off, edited in a dialog. */
export function SavedList<T extends Entry>(props: SavedListProps<T>) {
  const { read, onSaved, name, title, add, saved, hint, empty, removeText, factsOf, dialog } = props;
  const stored = listOf<T>(read.item, name);
  // The list as it will be, while it is dragged or saved.
  const [draft, setDraft] = useState<T[]>();
  const [dragged, setDragged] = useState<string>();
  const [edited, setEdited] = useState<T | 'new'>();
  const [said, setSaid] = useState('');
  // The version that the next change is based on.
  const base = useRef(read);
  const shown = useRef(read);
  if (shown.current !== read) {
    shown.current = read;
    base.current = read;
  }
  const saving = useRef(Promise.resolve());
  /** Changes that are not saved yet. */
  const waiting = useRef(0);
  const list = useRef<HTMLOListElement>(null);
  const focused = useRef<string>(undefined);
  const entries = draft ?? stored;
  // A button that moved with its row keeps the focus.
  useLayoutEffect(() => {
    if (!focused.current) return;
    list.current?.querySelector<HTMLElement>(`[data-move="${focused.current}"]`)?.focus();
    focused.current = undefined;
  });

  /** Shows a change at once, and saves it after those that are being saved. */
  const put = (change: (list: readonly T[]) => T[]) => {
    setDraft((now) => change(now ?? stored));
    waiting.current++;
    saving.current = saving.current.then(async () => {
      await act(() => save(change(listOf<T>(base.current.item, name))), saved);
      if (--waiting.current === 0) setDraft(undefined);
    });
  };
  const save = async (next: T[]) => {
    try {
      base.current = await saveSettings(bodyOf(name, next), base.current.etag);
    } catch (thrown) {
      if (toApiError(thrown).status !== 409) throw thrown;
      // Another user has changed the settings: shows theirs.
      base.current = await readSettings();
      throw thrown;
    } finally {
      onSaved(base.current);
    }
  };
  const moveBy = (entry: T, step: -1 | 1) => {
    const to = entries.indexOf(entry) + step;
    if (to < 0 || to >= entries.length) return;
    focused.current = `${entry.id} ${step}`;
    setSaid(words.moved(entry.name, to + 1, entries.length));
    put((list) => moved(list, entry.id, to));
  };
  const remove = async (entry: T) => {
    const text = removeText(entries.length === 1);
    if (await confirm(words.removeTitle(entry.name), text, { yes: words.removeYes })) {
      put((list) => list.filter(({ id }) => id !== entry.id));
    }
  };
  return (
    <Section
      title={title}
      actions={
        <Button icon="plus" onClick={() => setEdited('new')}>
          {add}
        </Button>
      }
    >
      <p class="unseen" role="status">
        {said}
      </p>
      {entries.length === 0 ? empty : <p class="quiet">{hint}</p>}
      <ol
        class="ways"
        ref={list}
        onDragEnter={(event) => dragged !== undefined && event.preventDefault()}
        onDragOver={(event) => dragged !== undefined && event.preventDefault()}
        onDrop={(event) => {
          if (dragged === undefined) return;
          event.preventDefault();
          setDragged(undefined);
          const to = entries.findIndex(({ id }) => id === dragged);
          if (draft) put((list) => moved(list, dragged, to));
        }}
      >
        {entries.map((entry, i) => (
          <li
            key={entry.id}
            draggable
            class={dragged === entry.id ? 'dragged' : ''}
            onDragStart={(event) => {
              event.dataTransfer?.setData('text/plain', entry.name);
              setDragged(entry.id);
            }}
            onDragOver={() => {
              if (dragged !== undefined && dragged !== entry.id) setDraft(moved(entries, dragged, i));
            }}
            onDragEnd={() => {
              // Without a drop before it, it was cancelled.
              if (dragged !== undefined) setDraft(undefined);
              setDragged(undefined);
            }}
          >
            <span class="way">
              <strong dir="auto">{entry.name}</strong>
              <span class="quiet">{factsOf(entry)}</span>
            </span>
            <label class="check">
              <input
                type="checkbox"
                aria-label={words.offer(entry.name)}
                checked={entry.active}
                onChange={({ currentTarget }) => {
                  const active = currentTarget.checked;
                  put((list) => list.map((one) => (one.id === entry.id ? { ...one, active } : one)));
                }}
              />
              {words.offered}
            </label>
            <span class="way-actions">
              {([-1, 1] as const).map((step) => (
                <Button
                  key={step}
                  kind="quiet"
                  icon={step < 0 ? 'up' : 'down'}
                  label={step < 0 ? words.up(entry.name) : words.down(entry.name)}
                  attributes={{ 'data-move': `${entry.id} ${step}` } as object}
                  onClick={() => moveBy(entry, step)}
                />
              ))}
              <Button kind="quiet" icon="edit" label={words.edit(entry.name)} onClick={() => setEdited(entry)} />
              <Button kind="quiet" icon="trash" label={words.remove(entry.name)} onClick={() => void remove(entry)} />
            </span>
          </li>
        ))}
      </ol>
      {edited &&
        dialog({
          entry: edited === 'new' ? undefined : edited,
          read,
          onSaved(now) {
            setEdited(undefined);
            onSaved(now);
          },
          onClose: () => setEdited(undefined),
        })}
    </Section>
  );
}

/** The list with one entry at another place. */
function moved<T extends Entry>(list: readonly T[], id: string, to: number): T[] {
  const next = list.filter((entry) => entry.id !== id);
  const entry = list.find((one) => one.id === id);
  if (entry) next.splice(to, 0, entry);
  return next;
}

/**
 * Saves an entry of a list: in its place, or after the others. Refusals are those of its fields.
 * @param entry undefined for a new one
 * @param added gives further new entries, which come before it
 */
export async function saveEntry<T extends Entry>(
  name: ListName,
  read: Versioned<Settings>,
  given: Omit<T, 'id' | 'active'>,
  entry: T | undefined,
  added: (settings: Settings) => readonly object[] = () => [],
): Promise<Versioned<Settings>> {
  const save = (base: Versioned<Settings>) => saveInto(name, base, given, entry, added(base.item));
  try {
    return await save(read);
  } catch (thrown) {
    if (toApiError(thrown).status !== 409) throw thrown;
    // Another user has changed the settings. That is in the way only if it is this entry.
    const now = await readSettings();
    const same = listOf<T>(now.item, name).find(({ id }) => id === entry?.id);
    if (JSON.stringify(same) !== JSON.stringify(entry)) throw thrown;
    return await save(now);
  }
}

async function saveInto<T extends Entry>(
  name: ListName,
  { item, etag }: Versioned<Settings>,
  given: Omit<T, 'id' | 'active'>,
  entry: T | undefined,
  added: readonly object[],
): Promise<Versioned<Settings>> {
  const list = listOf<T>(item, name);
  const next: object[] = entry
    ? list.map((one) => (one.id === entry.id ? { ...one, ...given } : one))
    : [...list, ...added, { ...given, active: true }];
  const place = entry ? list.findIndex(({ id }) => id === entry.id) : next.length - 1;
  try {
    return await saveSettings(bodyOf(name, next), etag);
  } catch (thrown) {
    const error = toApiError(thrown);
    const prefix = `${name}.${place}.`;
    throw error.with(
      error.details.map((one) =>
        one.field.startsWith(prefix) ? { ...one, field: one.field.slice(prefix.length) } : one,
      ),
    );
  }
}
