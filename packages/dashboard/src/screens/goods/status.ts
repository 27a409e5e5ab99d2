import { choice, type FieldKind } from '../../kit/form/kinds.ts';
import { t } from '../../words/words.ts';

export type PublishingStatus = 'draft' | 'published' | 'archived' | 'deleted';
type Chosen = Exclude<PublishingStatus, 'deleted'>;

/** The statuses to choose from. */
export const statusOptions = (['draft', 'published', 'archived'] as const satisfies readonly Chosen[]).map(
  (status) => [status, t.products.status[status]] as const,
);

/** The status as a field. A deleted item shows as archived, because a form cannot delete. @param start of a new item */
export function publishing(label: string, start: Chosen, hint?: string): FieldKind<Chosen> {
  const field = choice<Chosen>(label, statusOptions, { start, hint });
  return { ...field, read: (stored) => (stored === 'deleted' ? 'archived' : field.read(stored)) };
}
