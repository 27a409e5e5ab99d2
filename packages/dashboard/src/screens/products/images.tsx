import { useRef, useState } from 'preact/hooks';
import { can } from '../../api/session.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, type Form, Section } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { pictureOf } from '../media/pictures.ts';
import { Picture } from '../media/thumb.tsx';
import { DropArea, useUploads } from '../media/uploads.tsx';
import { imagesOf, moved, withUpload } from './image-order.ts';
import type { ProductValues } from './values.ts';

const words = t.products.images;

/** The pictures of a product in their order: dropped here, dragged or moved by buttons, with the primary one marked. */
export function ImagesSection({ form, onDescribe }: { form: Form<ProductValues>; onDescribe(id: string): void }) {
  const [dragged, setDragged] = useState<number>();
  const [said, setSaid] = useState('');
  const places = useRef(new Map<string, number>());
  const hasChosen = useRef(false);
  const ids = imagesOf(form.values.value);
  const main = form.values.value.primaryMediaId ?? ids[0];
  const put = (mediaIds: string[], primaryMediaId: string | null) => {
    form.set('mediaIds', mediaIds);
    form.set('primaryMediaId', primaryMediaId);
  };
  const uploads = useUploads(({ id }, place) => {
    places.current.set(id, place);
    const next = withUpload(form.values.value, id, places.current, hasChosen.current);
    put(next.mediaIds, next.primaryMediaId);
  });
  const move = (from: number, to: number) => {
    if (to < 0 || to >= ids.length || to === from) return;
    put(moved(ids, from, to), main ?? null);
    setSaid(words.moved(from + 1, to + 1, ids.length));
  };
  const moveAndStay = (id: string, step: -1 | 1, button: EventTarget | null) => {
    const i = ids.indexOf(id);
    move(i, i + step);
    // The browser removes the focus from a moved element.
    setTimeout(() => button instanceof HTMLElement && button.focus());
  };
  const remove = (id: string) => {
    const left = ids.filter((one) => one !== id);
    put(left, main === id ? (left[0] ?? null) : (main ?? null));
    setSaid(words.removed);
  };
  const reason = form.errors.value.mediaIds ?? form.errors.value.primaryMediaId;
  return (
    <Section title={t.products.form.images}>
      <p class="unseen" role="status">
        {said}
      </p>
      {reason && (
        <p class="reason" dir="auto">
          {reason}
        </p>
      )}
      <ol class="images">
        {ids.map((id, i) => (
          <li
            key={id}
            draggable
            class={dragged === i ? 'dragged' : ''}
            onDragStart={(event) => {
              event.dataTransfer?.setData('text/plain', id);
              setDragged(i);
            }}
            onDragEnd={() => setDragged(undefined)}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              if (dragged !== i) {
                move(dragged, i);
                setDragged(i);
              }
            }}
            onDrop={(event) => dragged !== undefined && event.preventDefault()}
          >
            <Image id={id} isMain={id === main} />
            <div class="image-actions">
              <Button
                kind="quiet"
                icon="next"
                label={words.earlier(i + 1)}
                onClick={({ currentTarget }) => moveAndStay(id, -1, currentTarget)}
              />
              <Button
                kind="quiet"
                icon="next"
                label={words.later(i + 1)}
                onClick={({ currentTarget }) => moveAndStay(id, 1, currentTarget)}
              />
              <Button
                kind="quiet"
                icon="check"
                label={words.makeMain(i + 1)}
                pressed={id === main}
                onClick={() => {
                  hasChosen.current = true;
                  put(ids, id);
                }}
              />
              <Button kind="quiet" icon="edit" label={words.describe(i + 1)} onClick={() => onDescribe(id)} />
              <Button kind="quiet" icon="trash" label={words.remove(i + 1)} onClick={() => remove(id)} />
            </div>
          </li>
        ))}
      </ol>
      {can('media.write') && <DropArea uploads={uploads} label={words.drop} />}
    </Section>
  );
}

function Image({ id, isMain }: { id: string; isMain: boolean }) {
  const media = pictureOf(id).value;
  return (
    <>
      <span class="gallery-picture">
        {media ? <Picture media={media} width={320} alt="" /> : <Icon name="media" />}
        {isMain && <span class="main-mark">{words.main}</span>}
      </span>
      <span class="gallery-text" dir="auto">
        {media === null ? words.gone : media && (media.altText || <span class="missing">{t.media.noAlt}</span>)}
      </span>
    </>
  );
}
