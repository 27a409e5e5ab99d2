import { api, at, hadItem, type Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { AreaField, FormView, type Read, Section, UserText, useForm } from '../../kit/index.ts';
import type { Order } from './states.tsx';

type Values = { merchantNote: string | null };

const toRead = ({ item, etag }: Versioned<Order>): Read<Values> => ({
  values: { merchantNote: item.merchantNote ?? '' },
  etag,
});

/** The note of those who run the shop, which no buyer sees. */
export function Note({
  read,
  reread,
  onSaved,
}: {
  read: Versioned<Order>;
  reread(): Promise<Versioned<Order>>;
  onSaved(saved: Versioned<Order>): void;
}) {
  if (!can('order.write')) {
    return read.item.merchantNote ? (
      <Section title="Our note">
        <UserText block>{read.item.merchantNote}</UserText>
      </Section>
    ) : null;
  }
  return <NoteForm read={read} reread={reread} onSaved={onSaved} />;
}

function NoteForm({ read, reread, onSaved }: Parameters<typeof Note>[0]) {
  const { id } = read.item;
  const form = useForm<Values>({
    key: `orders/${id}/note`,
    read: toRead(read),
    saved: 'The note is saved.',
    async save({ merchantNote }, etag) {
      const saved = await hadItem(
        api.PUT('/stores/{storeId}/orders/{id}', {
          params: { path: at({ id }), header: { 'If-Match': etag } },
          body: { merchantNote: merchantNote || null },
        }),
      );
      onSaved(saved);
      return toRead(saved);
    },
    reread: async () => toRead(await reread()),
  });
  return (
    <Section title="Our note">
      <FormView form={form} saveLabel="Save the note" labels={{ merchantNote: 'Our note' }}>
        <AreaField form={form} name="merchantNote" label="Not seen by the buyer" rows={3} />
      </FormView>
    </Section>
  );
}
