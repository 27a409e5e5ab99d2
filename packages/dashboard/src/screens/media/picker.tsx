import { useEffect, useRef, useState } from 'preact/hooks';
import { can } from '../../api/session.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, Dialog, Empty, Shown, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { findPictures, maxSearched } from './find.ts';
import { keepPicture } from './pictures.ts';
import { Picture } from './thumb.tsx';
import { DropArea, useUploads } from './uploads.tsx';

const words = t.media.picker;

/** Pictures per page of the dialog. */
const pageSize = 60;
/** Milliseconds after the last key before a search runs. */
const pause = 250;

/** A choice of pictures of the media library, which can also be uploaded here. Arrow keys move in the grid, the space bar chooses. */
export function MediaPicker({
  isMany = false,
  onPick,
  onClose,
}: {
  /** Whether several can be chosen, in the order of the choice. */
  isMany?: boolean;
  onPick(ids: string[]): void;
  onClose(): void;
}) {
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState(pageSize);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const loaded = useLoad(
    'media/picker',
    (signal) => findPictures(search === '' ? {} : { search }, { limit: Math.min(shown, 200), offset: 0 }, signal),
    `${search} ${shown}`,
  );
  const toggle = (id: string) => {
    if (!isMany) return setChosen([id]);
    setChosen((old) => (old.includes(id) ? old.filter((one) => one !== id) : [...old, id]));
  };
  const uploads = useUploads((media) => {
    toggle(media.id);
    loaded.reload();
  });
  return (
    <Dialog
      wide
      title={isMany ? words.titleMany : words.title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t.kit.cancel}</Button>
          <Button kind="primary" attributes={{ disabled: chosen.length === 0 }} onClick={() => onPick([...chosen])}>
            {words.use(chosen.length)}
          </Button>
        </>
      }
    >
      {can('media.write') && <DropArea uploads={uploads} label={t.media.drop} />}
      <label class="search-field">
        <span class="unseen">{t.kit.list.search(t.media.search)}</span>
        <Icon name="search" />
        <input
          type="search"
          placeholder={t.media.search}
          dir="auto"
          autoComplete="off"
          // The dialog can be inside of a form, which Enter would send.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          onInput={({ currentTarget }) => {
            clearTimeout(timer.current);
            timer.current = setTimeout(() => setSearch(currentTarget.value.trim()), pause);
          }}
        />
      </label>
      <Shown of={loaded} what={t.media.these} rows={4}>
        {({ items, total, isCut }) => (
          <>
            <p class="list-count" role="status">
              {t.media.count(total)}
              {isCut && `. ${t.media.newestOf(maxSearched)}`}
            </p>
            {items.length === 0 && <Empty title={search ? t.media.noMatch : t.media.empty.title} icon="media" />}
            <div class="gallery picker" role="group" aria-label={words.title} onKeyDown={moveInGrid}>
              {items.map((media) => (
                <button
                  key={media.id}
                  type="button"
                  aria-pressed={chosen.includes(media.id)}
                  aria-label={media.altText || words.unnamed}
                  onClick={() => {
                    keepPicture(media);
                    toggle(media.id);
                  }}
                  onDblClick={() => {
                    if (isMany) return;
                    keepPicture(media);
                    onPick([media.id]);
                  }}
                >
                  <span class="gallery-picture">
                    <Picture media={media} width={320} alt="" />
                    {chosen.includes(media.id) && (
                      <span class="picked">
                        <Icon name="check" />
                      </span>
                    )}
                  </span>
                  <span class="gallery-text" dir="auto">
                    {media.altText || <span class="quiet">{t.media.noAlt}</span>}
                  </span>
                </button>
              ))}
            </div>
            {items.length < total && shown < 200 && (
              <p class="blocks">
                <Button onClick={() => setShown(200)}>{words.more}</Button>
              </p>
            )}
          </>
        )}
      </Shown>
    </Dialog>
  );
}

/** Arrow keys move the focus by one picture, or by one line. */
function moveInGrid(event: KeyboardEvent): void {
  const grid = event.currentTarget as HTMLElement;
  const all = [...grid.querySelectorAll<HTMLElement>('button')];
  const i = all.indexOf(document.activeElement as HTMLElement);
  const top = all[0]?.offsetTop;
  const columns = Math.max(1, all.filter((one) => one.offsetTop === top).length);
  const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  const step = steps[event.key];
  if (i === -1 || step === undefined) return;
  event.preventDefault();
  all[Math.max(0, Math.min(all.length - 1, i + step))]?.focus();
}
