import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { area, Fields, FormView, Section, UserText, useItemForm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { Order } from './states.tsx';

const fields = { merchantNote: area(t.orders.note.title, { rows: 3 }) };

/** The internal note, which buyers do not see. */
export function Note({ read, onSaved }: { read: Versioned<Order>; onSaved(saved: Versioned<Order>): void }) {
  if (!can('order.write')) {
    return read.item.merchantNote ? (
      <Section title={t.orders.note.title}>
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
    saved: t.orders.note.saved,
    onSaved,
  });
  return (
    <Section title={t.orders.note.title}>
      <FormView form={form} saveLabel={t.orders.note.save}>
        <Fields form={form} of={fields} but={{ merchantNote: { label: t.orders.note.label } }} />
      </FormView>
    </Section>
  );
}
