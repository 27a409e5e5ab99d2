import { Badge, type Tone } from '../../kit/index.ts';

export type PublishingStatus = 'draft' | 'published' | 'archived' | 'deleted';

const statuses: Record<PublishingStatus, readonly [Tone, string]> = {
  draft: ['wait', 'Draft'],
  published: ['good', 'Published'],
  archived: ['plain', 'Archived'],
  deleted: ['bad', 'Deleted'],
};

/** Whether shoppers see a product, a category or a page. */
export function PublishingState({ status }: { status: PublishingStatus }) {
  const [tone, label] = statuses[status];
  return <Badge tone={tone}>{label}</Badge>;
}

/** The statuses that can be chosen. */
export const statusOptions = (['draft', 'published', 'archived'] as const).map(
  (value) => [value, statuses[value][1]] as const,
);
