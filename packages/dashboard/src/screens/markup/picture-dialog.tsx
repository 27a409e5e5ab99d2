import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { Button, Dialog, Empty, Shown, useLoad } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { Media } from '../media/pictures.ts';
import { Picture } from '../media/thumb.tsx';

/** Pictures of a page. */
const limit = 24;

/** Chooses one of the shop's pictures. */
export function PictureDialog({ onPick, onClose }: { onPick(media: Media): void; onClose(): void }) {
  const [offset, setOffset] = useState(0);
  const loaded = useLoad(
    'pictures',
    (signal) => had(api.GET('/stores/{storeId}/media', { params: { path: at(), query: { limit, offset } }, signal })),
    String(offset),
  );
  const total = loaded.data?.total ?? 0;
  return (
    <Dialog wide title={t.markup.choose} onClose={onClose}>
      <Shown of={loaded} what={t.media.these} rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t.media.empty.title} icon="media" />
          ) : (
            <ul class="picture-choice">
              {items.map((media, i) => (
                <li key={media.id}>
                  <button
                    type="button"
                    aria-label={media.altText || t.markup.pictureNumber(offset + i + 1)}
                    title={media.altText ?? undefined}
                    onClick={() => onPick(media)}
                  >
                    <Picture media={media} width={160} alt="" />
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {total > limit && (
        <div class="blocks">
          {offset > 0 && <Button onClick={() => setOffset(offset - limit)}>{t.kit.list.previous}</Button>}
          <span>{t.kit.list.range(offset + 1, Math.min(total, offset + limit), total)}</span>
          {offset + limit < total && <Button onClick={() => setOffset(offset + limit)}>{t.kit.list.next}</Button>}
        </div>
      )}
    </Dialog>
  );
}
