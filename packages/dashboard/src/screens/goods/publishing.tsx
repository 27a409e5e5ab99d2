import { Badge, type Tone } from '../../kit/index.ts';
import type { PublishingStatus } from './status.ts';

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
