import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { area, Fields, FormView, Section, UserText, useItemForm } from '../../kit/index.ts';
import type { Order } from './states.tsx';

const fields = { merchantNote: area('Our note', { rows: 3 }) };

/** The internal note, which buyers do not see. */
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
  const form = useItemForm({
    of: 'orders',
    fields,
    key: `orders/${read.item.id}/note`,
    read,
    saved: 'Note saved.',
    onSaved,
  });
  return (
    <Section title="Our note">
      <FormView form={form} saveLabel="Save note">
        <Fields form={form} of={fields} but={{ merchantNote: { label: 'Not seen by the buyer' } }} />
      </FormView>
    </Section>
  );
}
