import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { toApiError } from '../../api/errors.ts';
import { act, Button, confirm, Fields, FormView, formatMoney, Section } from '../../kit/index.ts';
import { providerNames } from '../../kit/terms/payment.ts';
import { countryName, formatList } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { pages, type Way } from './fields.ts';
import { type FormProps, readSettings, saveSettings, useSettings } from './use-settings.ts';
import { WayDialog } from './way-dialog.tsx';

const words = t.settings.ways;

/** The ways to pay in their order, and the limit of unpaid orders. */
export function WaysForm(props: FormProps) {
  const form = useSettings('ways', pages.ways, props);
  return (
    <>
      <WaysToPay {...props} />
      <FormView form={form}>
        <Section title={words.open}>
          <Fields form={form} of={pages.ways} />
        </Section>
      </FormView>
    </>
  );
}

/** A list that is saved with every change: dragged or moved by buttons, switched on and off, edited in a dialog. */
function WaysToPay({ read, onSaved }: FormProps) {
  const { paymentMethods: stored, currency } = read.item;
  // The list as it will be, while it is dragged or saved.
  const [draft, setDraft] = useState<Way[]>();
  const [dragged, setDragged] = useState<string>();
  const [edited, setEdited] = useState<Way | 'new'>();
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
  const ways = draft ?? stored;
  // A button that moved with its row keeps the focus.
  useLayoutEffect(() => {
    if (!focused.current) return;
    list.current?.querySelector<HTMLElement>(`[data-move="${focused.current}"]`)?.focus();
    focused.current = undefined;
  });

  /** Shows a change at once, and saves it after those that are being saved. */
  const put = (change: (list: readonly Way[]) => Way[]) => {
    setDraft((now) => change(now ?? stored));
    waiting.current++;
    saving.current = saving.current.then(async () => {
      await act(() => save(change(base.current.item.paymentMethods)), words.saved);
      if (--waiting.current === 0) setDraft(undefined);
    });
  };
  const save = async (next: Way[]) => {
    try {
      base.current = await saveSettings({ paymentMethods: next }, base.current.etag);
    } catch (thrown) {
      if (toApiError(thrown).status !== 409) throw thrown;
      // Another user has changed the settings: shows theirs.
      base.current = await readSettings();
      throw thrown;
    } finally {
      onSaved(base.current);
    }
  };
  const moveBy = (way: Way, step: -1 | 1) => {
    const to = ways.indexOf(way) + step;
    if (to < 0 || to >= ways.length) return;
    focused.current = `${way.id} ${step}`;
    setSaid(words.moved(way.name, to + 1, ways.length));
    put((list) => moved(list, way.id, to));
  };
  const remove = async (way: Way) => {
    const text = ways.length === 1 ? words.removeLast : words.removeText;
    if (await confirm(words.removeTitle(way.name), text, { yes: words.removeYes })) {
      put((list) => list.filter(({ id }) => id !== way.id));
    }
  };
  return (
    <Section
      title={words.title}
      actions={
        <Button icon="plus" onClick={() => setEdited('new')}>
          {words.add}
        </Button>
      }
    >
      <p class="unseen" role="status">
        {said}
      </p>
      {ways.length === 0 ? (
        <>
          <p>{words.empty}</p>
          <p class="quiet">{words.emptyHint}</p>
        </>
      ) : (
        <p class="quiet">{words.hint}</p>
      )}
      <ol
        class="ways"
        ref={list}
        onDragEnter={(event) => dragged !== undefined && event.preventDefault()}
        onDragOver={(event) => dragged !== undefined && event.preventDefault()}
        onDrop={(event) => {
          if (dragged === undefined) return;
          event.preventDefault();
          setDragged(undefined);
          const to = ways.findIndex(({ id }) => id === dragged);
          if (draft) put((list) => moved(list, dragged, to));
        }}
      >
        {ways.map((way, i) => (
          <li
            key={way.id}
            draggable
            class={dragged === way.id ? 'dragged' : ''}
            onDragStart={(event) => {
              event.dataTransfer?.setData('text/plain', way.name);
              setDragged(way.id);
            }}
            onDragOver={() => {
              if (dragged !== undefined && dragged !== way.id) setDraft(moved(ways, dragged, i));
            }}
            onDragEnd={() => {
              // Without a drop before it, it was cancelled.
              if (dragged !== undefined) setDraft(undefined);
              setDragged(undefined);
            }}
          >
            <span class="way">
              <strong dir="auto">{way.name}</strong>
              <span class="quiet">{factsOf(way, currency)}</span>
            </span>
            <label class="check">
              <input
                type="checkbox"
                aria-label={words.offer(way.name)}
                checked={way.active}
                onChange={({ currentTarget }) => {
                  const active = currentTarget.checked;
                  put((list) => list.map((one) => (one.id === way.id ? { ...one, active } : one)));
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
                  label={step < 0 ? words.up(way.name) : words.down(way.name)}
                  attributes={{ 'data-move': `${way.id} ${step}` } as object}
                  onClick={() => moveBy(way, step)}
                />
              ))}
              <Button kind="quiet" icon="edit" label={words.edit(way.name)} onClick={() => setEdited(way)} />
              <Button kind="quiet" icon="trash" label={words.remove(way.name)} onClick={() => void remove(way)} />
            </span>
          </li>
        ))}
      </ol>
      {edited && (
        <WayDialog
          way={edited === 'new' ? undefined : edited}
          read={read}
          onSaved={(saved) => {
            setEdited(undefined);
            onSaved(saved);
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Section>
  );
}

/** The list with one way at another place. */
function moved(list: readonly Way[], id: string, to: number): Way[] {
  const next = list.filter((way) => way.id !== id);
  const way = list.find((one) => one.id === id);
  if (way) next.splice(to, 0, way);
  return next;
}

/** Type, countries and limits of a way to pay in one line. */
export function factsOf({ kind, provider, countries, minTotal, maxTotal }: Way, currency: string): string {
  const min = minTotal && formatMoney(minTotal, currency);
  const max = maxTotal && formatMoney(maxTotal, currency);
  const { limits } = words;
  return [
    provider ? providerNames[provider] : words.kinds[kind],
    countries && words.onlyCountries(formatList(countries.map(countryName))),
    min && max ? limits.between(min, max) : min ? limits.from(min) : max && limits.to(max),
  ]
    .filter(Boolean)
    .join(' · ');
}
