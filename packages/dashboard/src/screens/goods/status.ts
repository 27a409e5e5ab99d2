import { choice, type FieldKind } from '../../kit/form/kinds.ts';

export type PublishingStatus = 'draft' | 'published' | 'archived' | 'deleted';
type Chosen = Exclude<PublishingStatus, 'deleted'>;

/** The statuses to choose from. */
export const statusOptions: readonly (readonly [value: Chosen, label: string])[] = [
  ['draft', 'Draft'],
  ['published', 'Published'],
  ['archived', 'Archived'],
];

/** The status as a field. A deleted item shows as archived, because a form cannot delete. @param start of a new item */
export function publishing(label: string, start: Chosen, hint?: string): FieldKind<Chosen> {
  const field = choice<Chosen>(label, statusOptions, { start, hint });
  return { ...field, read: (stored) => (stored === 'deleted' ? 'archived' : field.read(stored)) };
}
