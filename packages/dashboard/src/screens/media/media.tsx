import { can } from '../../api/session.ts';
import { query, setQuery } from '../../browser/router.ts';
import { Icon } from '../../icons/icon.tsx';
import { Button, Empty, Page, Shown, useLoad } from '../../kit/index.ts';
import { ListFilters } from '../../kit/list/filters.tsx';
import { t } from '../../words/words.ts';
import { findPictures, maxSearched } from './find.ts';
import { MediaDialog } from './media-dialog.tsx';
import { keepPicture } from './pictures.ts';
import { Picture } from './thumb.tsx';
import { DropArea, useUploads } from './uploads.tsx';

/** Pictures per page. */
const pageSize = 60;
const words = t.media;

const filters = [
  {
    name: 'type',
    label: words.type,
    options: [
      ['image/jpeg', 'JPEG'],
      ['image/png', 'PNG'],
      ['image/webp', 'WebP'],
      ['image/gif', 'GIF'],
    ],
  },
  {
    name: 'alt',
    label: words.alt,
    options: [
      ['missing', words.altMissing],
      ['there', words.altWritten],
    ],
  },
] as const;

/** The pictures of the shop. */
export default function MediaScreen() {
  const values = Object.fromEntries(
    ['search', 'type', 'alt'].flatMap((name) => {
      const value = query.value.get(name);
      return value ? [[name, value] as const] : [];
    }),
  );
  const from = Math.max(1, Number.parseInt(query.value.get('from') ?? '1', 10) || 1);
  const openId = query.value.get('open');
  const loaded = useLoad(
    'media',
    (signal) => findPictures(values, { limit: pageSize, offset: from - 1 }, signal),
    JSON.stringify([values, from]),
  );
  const uploads = useUploads(() => loaded.reload());
  const open = loaded.data?.items.find(({ id }) => id === openId);
  const close = () => setQuery({ open: undefined });
  const isFiltered = Object.keys(values).length > 0;
  return (
    <Page title={words.title}>
      {can('media.write') && <DropArea uploads={uploads} label={words.drop} />}
      <ListFilters search={words.search} filters={filters} values={values} />
      <Shown of={loaded} what={words.these} rows={6}>
        {({ items, total, isCut }) => (
          <>
            <p class="list-count" role="status">
              {words.count(total)}
              {isCut && `. ${words.newestOf(maxSearched)}`}
            </p>
            {items.length === 0 &&
              (isFiltered ? (
                <Empty title={words.noMatch} icon="search" />
              ) : (
                <Empty title={words.empty.title} icon="media">
                  <p>{words.empty.text}</p>
                </Empty>
              ))}
            <ul class="gallery">
              {items.map((media) => (
                <li key={media.id}>
                  <button type="button" onClick={() => setQuery({ open: media.id })}>
                    <span class="gallery-picture">
                      <Picture media={media} width={320} alt="" />
                    </span>
                    <span class="gallery-text" dir="auto">
                      {media.altText || (
                        <span class="missing">
                          <Icon name="warning" />
                          {words.noAlt}
                        </span>
                      )}
                    </span>
                    <span class="quiet">
                      {media.width} × {media.height}
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            <Pages from={from} shown={items.length} total={total} />
          </>
        )}
      </Shown>
      {openId && (
        <MediaDialog
          key={openId}
          id={openId}
          known={open}
          onClose={close}
          onChanged={(media) => {
            keepPicture(media);
            if (loaded.data) {
              const items = loaded.data.items.map((one) => (one.id === media.id ? media : one));
              loaded.set({ ...loaded.data, items });
            }
          }}
          onDeleted={() => {
            close();
            loaded.reload();
          }}
        />
      )}
    </Page>
  );
}

function Pages({ from, shown, total }: { from: number; shown: number; total: number }) {
  if (total <= pageSize) return null;
  const go = (to: number) => {
    setQuery({ from: to <= 1 ? undefined : String(to) });
    scrollTo(0, 0);
  };
  return (
    <nav class="blocks" aria-label={words.parts}>
      {from > 1 && <Button onClick={() => go(from - pageSize)}>{words.newer}</Button>}
      <span>{words.range(from, from + shown - 1, total)}</span>
      {from + shown <= total && <Button onClick={() => go(from + pageSize)}>{words.older}</Button>}
    </nav>
  );
}
