import type { Versioned } from '../../api/client.ts';
import { can } from '../../api/session.ts';
import { area, Fields, FormView, Section, UserText, useItemForm } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { metadataFields, tagFields } from '../labels/fields.ts';
import { MetadataFacts, MetadataField } from '../labels/metadata.tsx';
import { TagLinks, TagsField } from '../labels/tags.tsx';
import type { Order } from './states.tsx';

const words = t.orders.note;

const fields = { merchantNote: area(words.title, { rows: 3 }) };

/** What only the shop sees: the internal note, tags, and texts for other programs. */
export function Note({ read, onSaved }: { read: Versioned<Order>; onSaved(saved: Versioned<Order>): void }) {
  if (can('order.write')) return <NoteForm read={read} onSaved={onSaved} />;
  const { merchantNote, tags, metadata } = read.item;
  if (!merchantNote && tags.length === 0 && Object.keys(metadata).length === 0) return null;
  return (
    <Section title={words.section}>
      <UserText block>{merchantNote}</UserText>
      <TagLinks tags={tags} to={withTag} />
      <MetadataFacts metadata={metadata} />
    </Section>
  );
}

/** The list that the tag of an order leads to. */
const withTag = 'orders?tab=all';

function NoteForm({ read, onSaved }: Parameters<typeof Note>[0]) {
  const form = useItemForm({
    of: 'orders',
    fields: { ...fields, ...tagFields, ...metadataFields },
    key: `orders/${read.item.id}/note`,
    read,
    saved: words.saved,
    onSaved,
  });
  return (
    <Section title={words.section}>
      <FormView form={form} saveLabel={words.save}>
        <Fields form={form} of={fields} but={{ merchantNote: { label: words.label } }} />
        <TagsField form={form} />
        <MetadataField form={form} />
      </FormView>
    </Section>
  );
}
