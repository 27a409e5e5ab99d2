import { Badge, type Tone } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { Import } from './resources.ts';

const tones: Record<Import['status'], Tone> = {
  waiting: 'wait',
  running: 'wait',
  completed: 'good',
  stopped: 'bad',
  interrupted: 'wait',
  failed: 'bad',
};

/** Progress of an import. */
export function ImportState({ of: { status, refused } }: { of: Import }) {
  const isPartial = status === 'completed' && refused > 0;
  return (
    <Badge tone={isPartial ? 'wait' : tones[status]}>
      {isPartial ? t.transfer.partial : t.transfer.statuses[status]}
    </Badge>
  );
}
