import type { Versioned } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { itemsOf } from '../../api/items.ts';
import { can } from '../../api/session.ts';
import {
  area,
  Button,
  Copy,
  confirm,
  Dialog,
  Facts,
  Fields,
  FormView,
  Shown,
  Time,
  toast,
  UserText,
  useItem,
  useItemForm,
} from '../../kit/index.ts';
import { explain } from '../../kit/states.tsx';
import { t } from '../../words/words.ts';
import { addressOf, type Media } from './pictures.ts';
import { sizeText } from './size.ts';
import { Picture } from './thumb.tsx';

const words = t.media;

const fields = {
  altText: area(words.alt, { rows: 3, hint: words.altHint }),
};

/** One picture: its alternative text, its address, and a button to delete it. */
export function MediaDialog({
  id,
  known,
  onChanged,
  onDeleted,
  onClose,
}: {
  id: string;
  /** The picture as far as it is known, shown until it is loaded. */
  known?: Media | undefined;
  onChanged(media: Media): void;
  onDeleted?(): void;
  onClose(): void;
}) {
  const loaded = useItem('media', id);
  const media = loaded.data?.item ?? known;
  const remove = async () => {
    if (!(await confirm(words.sure, words.sureText, { yes: words.sureYes }))) return;
    try {
      await itemsOf('media').remove(id);
      toast(words.deleted);
      onDeleted?.();
    } catch (thrown) {
      toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    }
  };
  return (
    <Dialog wide title={words.one} onClose={onClose}>
      <div class="picture-detail">
        <div class="picture-large">{media && <Picture media={media} width={640} alt={media.altText ?? ''} />}</div>
        <Shown of={loaded} what={words.it} rows={3}>
          {(versioned) => (
            <>
              {can('media.write') ? (
                <AltForm read={versioned} onSaved={onChanged} />
              ) : (
                <UserText block>{versioned.item.altText ?? words.noAlt}</UserText>
              )}
              <MediaFacts media={versioned.item} />
              {can('media.delete') && onDeleted && (
                <Button kind="danger" icon="trash" onClick={() => void remove()}>
                  {words.delete}
                </Button>
              )}
            </>
          )}
        </Shown>
      </div>
    </Dialog>
  );
}

function MediaFacts({ media }: { media: Media }) {
  const { mimeType, width, height, fileSize, createdAt } = media;
  const address = addressOf(media);
  return (
    <Facts
      of={[
        [words.type, mimeType.replace('image/', '').toUpperCase()],
        [words.size, `${width} × ${height}, ${sizeText(fileSize)}`],
        [words.uploaded, <Time key="t" at={createdAt} />],
        [
          words.address,
          <span key="a" class="address">
            <code>{address}</code> <Copy text={address} what={words.theAddress} />
          </span>,
        ],
      ]}
    />
  );
}

function AltForm({ read, onSaved }: { read: Versioned<Media>; onSaved(media: Media): void }) {
  const form = useItemForm({
    of: 'media',
    fields,
    read,
    saved: words.altSaved,
    onSaved: ({ item }) => onSaved(item),
  });
  return (
    <FormView form={form} saveLabel={words.saveAlt}>
      <Fields form={form} of={fields} />
    </FormView>
  );
}
