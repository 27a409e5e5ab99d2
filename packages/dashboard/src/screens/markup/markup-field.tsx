import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { can } from '../../api/session.ts';
import type { IconName } from '../../icons/icon.tsx';
import { Button, Field, type Form } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { MediaPicker } from '../media/picker.tsx';
import { addressOf, pictureOf } from '../media/pictures.ts';
import { bold, type Edit, heading, italic, link, list, picture, type Selected } from './edits.ts';
import type { Markup } from './nodes.ts';
import { Preview } from './preview.tsx';

const words = t.markup;

/** Edits of the selection, each with its sign, its name, and its key together with Ctrl or ⌘. */
const tools: readonly { icon: IconName; label: string; key?: string; edit(at: Selected, markup: Markup): Edit }[] = [
  { icon: 'heading', label: words.heading, edit: heading },
  { icon: 'bold', label: words.bold, key: 'b', edit: bold },
  { icon: 'italic', label: words.italic, key: 'i', edit: italic },
  { icon: 'list', label: words.list, edit: list },
  { icon: 'link', label: words.link, key: 'k', edit: (at, markup) => link(at, markup, words.linkText) },
];

/** Replaces a part of a text as typing does, so that it can be undone. */
function perform(area: HTMLTextAreaElement, { from, to, insert, start, end }: Edit): void {
  area.focus();
  area.setSelectionRange(from, to);
  // The only way of browsers to change a text and keep what undo knows; it sends the input event, too.
  const isDone = insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert);
  if (!isDone) {
    area.setRangeText(insert, from, to);
    area.dispatchEvent(new Event('input', { bubbles: true }));
  }
  area.setSelectionRange(start, end);
}

/**
 * A text in Markdown or HTML: buttons that work on the selection, and a preview.
 * @param markup undefined for plain text, which has neither
 */
export function MarkupField<T extends Record<string, unknown>>({
  form,
  name,
  label,
  hint,
  rows,
  markup,
}: {
  form: Form<T>;
  name: keyof T & string;
  label: string;
  hint?: ComponentChildren;
  rows: number;
  markup: Markup | undefined;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [isPreview, setPreview] = useState(false);
  const [picks, setPicks] = useState<Selected>();
  const text = String(form.values.value[name] ?? '');
  // A refused text is shown with its reason.
  const seen = isPreview && markup !== undefined && !form.errors.value[name];
  const selection = (): Selected => {
    const { selectionStart: start = 0, selectionEnd: end = 0 } = area.current ?? {};
    return { text: area.current?.value ?? '', start, end };
  };
  const run = (edit: (typeof tools)[number]['edit']) => {
    if (area.current && markup) perform(area.current, edit(selection(), markup));
  };
  return (
    <Field form={form} name={name} label={label} hint={hint}>
      {(control) => (
        <div class="markup">
          {markup && (
            <div class="markup-tools">
              <div role="toolbar" aria-label={words.tools(label)} aria-controls={control.id} hidden={seen}>
                {tools.map(({ icon, label: tool, edit }) => (
                  <Button key={icon} kind="quiet" icon={icon} label={tool} onClick={() => run(edit)} />
                ))}
                {can('media.read') && (
                  <Button kind="quiet" icon="media" label={words.picture} onClick={() => setPicks(selection())} />
                )}
              </div>
              <Button kind="quiet" pressed={seen} onClick={() => setPreview(!seen)}>
                {words.preview}
              </Button>
            </div>
          )}
          <textarea
            {...control}
            ref={area}
            dir="auto"
            rows={rows}
            hidden={seen}
            value={text}
            onInput={({ currentTarget }) => form.set(name, currentTarget.value as T[typeof name])}
            onKeyDown={(event) => {
              if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
              const tool = tools.find(({ key }) => key === event.key.toLowerCase());
              if (!tool || !markup) return;
              event.preventDefault();
              run(tool.edit);
            }}
          />
          {seen && <Preview text={text} markup={markup} label={words.previewOf(label)} />}
          {picks && (
            <MediaPicker
              onClose={() => setPicks(undefined)}
              onPick={([id = '']) => {
                setPicks(undefined);
                const media = pictureOf(id).peek();
                if (area.current && markup && media)
                  perform(area.current, picture(picks, markup, addressOf(media), media.altText ?? ''));
              }}
            />
          )}
        </div>
      )}
    </Field>
  );
}
