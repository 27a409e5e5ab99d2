import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { AreaField, FormView, Section, UserText, useItemForm, withNulls } from '../../kit/index.ts';
import type { Order } from './states.tsx';

type Values = { merchantNote: string | null };

/** The note of those who run the shop, which no buyer sees. */
export function Note({ read, onSaved }: { read: Versioned<Order>; onSaved(saved: Versioned<Order>): void }) {
  if (!can('order.write')) {
    return read.item.merchantNote ? (
      <Section title="Our note">
        <UserText block>{read.item.merchantNote}</UserText>
      </Section>
    ) : null;
  }
  return <NoteForm read={read} onSaved={onSaved} />;
}

function NoteForm({ read, onSaved }: Parameters<typeof Note>[0]) {
  const { id } = read.item;
  const form = useItemForm<'orders', Values>({
    of: 'orders',
    id,
    key: `orders/${id}/note`,
    read,
    saved: 'The note is saved.',
    toValues: (order) => ({ merchantNote: order?.merchantNote ?? '' }),
    toBody: (values) => withNulls(values, []),
    onSaved,
  });
  return (
    <Section title="Our note">
      <FormView form={form} saveLabel="Save the note" labels={{ merchantNote: 'Our note' }}>
        <AreaField form={form} name="merchantNote" label="Not seen by the buyer" rows={3} />
      </FormView>
    </Section>
  );
}
