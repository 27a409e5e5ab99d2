import { Badge, type Tone } from '../../kit/index.ts';
import type { Import } from './resources.ts';

const states: Record<Import['status'], readonly [Tone, string]> = {
  waiting: ['wait', 'Waits'],
  running: ['wait', 'Under way'],
  completed: ['good', 'Done'],
  stopped: ['bad', 'Stopped'],
  interrupted: ['wait', 'Interrupted'],
  failed: ['bad', 'Failed'],
};

/** Progress of an import. */
export function ImportState({ of: { status, refused } }: { of: Import }) {
  const [tone, label] = states[status];
  const isPartial = status === 'completed' && refused > 0;
  return <Badge tone={isPartial ? 'wait' : tone}>{isPartial ? 'Partially done' : label}</Badge>;
}
