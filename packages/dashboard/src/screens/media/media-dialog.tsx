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
import { addressOf, type Media } from './pictures.ts';
import { Picture } from './thumb.tsx';

const fields = {
  altText: area('Description (alternative text)', {
    rows: 3,
    hint: 'Describes the picture for screen readers and search engines',
  }),
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
    const isSure = await confirm(
      'Delete this picture?',
      'Its file is deleted permanently, in all sizes. Products, categories and pages that show it lose it. Which ones those are, ' +
        'cannot be shown.',
      { yes: 'Delete picture' },
    );
    if (!isSure) return;
    try {
      await itemsOf('media').remove(id);
      toast('Picture deleted.');
      onDeleted?.();
    } catch (thrown) {
      toast(explain(toApiError(thrown))[1], { tone: 'bad' });
    }
  };
  return (
    <Dialog wide title="Picture" onClose={onClose}>
      <div class="picture-detail">
        <div class="picture-large">{media && <Picture media={media} width={640} alt={media.altText ?? ''} />}</div>
        <Shown of={loaded} what="the picture" rows={3}>
          {(versioned) => (
            <>
              {can('media.write') ? (
                <AltForm read={versioned} onSaved={onChanged} />
              ) : (
                <UserText block>{versioned.item.altText ?? 'No description'}</UserText>
              )}
              <MediaFacts media={versioned.item} />
              {can('media.delete') && onDeleted && (
                <Button kind="danger" icon="trash" onClick={() => void remove()}>
                  Delete
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
        ['Type', mimeType.replace('image/', '').toUpperCase()],
        [
          'Size',
          `${width} × ${height}, ${(fileSize / 1024).toLocaleString(undefined, { maximumFractionDigits: 1 })} KiB`,
        ],
        ['Uploaded', <Time key="t" at={createdAt} />],
        [
          'Address',
          <span key="a" class="address">
            <code>{address}</code> <Copy text={address} what="the address" />
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
    saved: 'Description saved.',
    onSaved: ({ item }) => onSaved(item),
  });
  return (
    <FormView form={form} saveLabel="Save description">
      <Fields form={form} of={fields} />
    </FormView>
  );
}
