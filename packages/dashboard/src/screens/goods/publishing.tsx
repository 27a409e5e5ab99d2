import { Badge, type Tone } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { PublishingStatus } from './status.ts';

const tones: Record<PublishingStatus, Tone> = {
  draft: 'wait',
  published: 'good',
  archived: 'plain',
  deleted: 'bad',
};

/** Whether shoppers see a product, a category or a page. */
export function PublishingState({ status }: { status: PublishingStatus }) {
  return <Badge tone={tones[status]}>{t.products.status[status]}</Badge>;
}
