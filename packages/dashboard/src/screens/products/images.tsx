import { useRef, useState } from 'preact/hooks';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import { Icon } from '../../icons/icon.tsx';
import { act, Button, type Form, Section } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { MediaPicker } from '../media/picker.tsx';
import { keepPicture, type Media, pictureOf } from '../media/pictures.ts';
import { Picture } from '../media/thumb.tsx';
import { DropArea, useUploads } from '../media/uploads.tsx';
import { imagesOf, moved, withUpload } from './image-order.ts';
import type { ProductValues } from './values.ts';

const words = t.products.images;

/** The pictures of a product in their order: dropped here, dragged or moved by buttons, with the primary one marked. */
export function ImagesSection({ form }: { form: Form<ProductValues> }) {
  const [isPicking, setPicking] = useState(false);
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
  const add = (chosen: readonly string[]) => {
    setPicking(false);
    const next = [...new Set([...ids, ...chosen])];
    put(next, main ?? next[0] ?? null);
    setSaid(words.added(next.length - ids.length));
  };
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
    <Section
      title={t.products.form.images}
      actions={
        can('media.read') && (
          <Button icon="media" onClick={() => setPicking(true)}>
            {words.choose}
          </Button>
        )
      }
    >
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
            <Image id={id} number={i + 1} isMain={id === main} />
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
                icon="star"
                label={words.makeMain(i + 1)}
                pressed={id === main}
                onClick={() => {
                  hasChosen.current = true;
                  put(ids, id);
                }}
              />
              <Button kind="quiet" icon="trash" label={words.remove(i + 1)} onClick={() => remove(id)} />
            </div>
          </li>
        ))}
      </ol>
      {can('media.write') && <DropArea uploads={uploads} label={words.drop} />}
      {isPicking && <MediaPicker isMany onPick={add} onClose={() => setPicking(false)} />}
    </Section>
  );
}

function Image({ id, number, isMain }: { id: string; number: number; isMain: boolean }) {
  const media = pictureOf(id).value;
  return (
    <>
      <span class="gallery-picture">
        {media ? <Picture media={media} width={320} alt="" /> : <Icon name="media" />}
        {isMain && <span class="main-mark">{words.main}</span>}
      </span>
      {media && can('media.write') ? (
        <AltText media={media} number={number} />
      ) : (
        <span class="gallery-text" dir="auto">
          {media === null ? words.gone : media && (media.altText || <span class="missing">{t.media.noAlt}</span>)}
        </span>
      )}
    </>
  );
}

/** The alternative text of a picture. It belongs to the picture, so it is saved at once, when its field is left. */
function AltText({ media, number }: { media: Media; number: number }) {
  const { id, altText } = media;
  const save = async (typed: string) => {
    if (typed === (altText ?? '')) return;
    await act(async () => {
      keepPicture((await itemsOf('media').update(id, { altText: typed || null }, undefined)).item);
    }, t.media.altSaved);
  };
  return (
    <input
      class="alt-text"
      aria-label={words.altText(number)}
      placeholder={t.media.noAlt}
      value={altText ?? ''}
      dir="auto"
      autoComplete="off"
      onChange={({ currentTarget }) => void save(currentTarget.value.trim())}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        event.currentTarget.blur();
      }}
    />
  );
}
