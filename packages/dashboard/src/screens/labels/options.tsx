import { UserText } from '../../kit/index.ts';
import { pairsOf } from './pairs.ts';

/** What a buyer chose for a line of an order, such as an engraving; nothing if it is none. */
export function OptionList({ options }: { options: Record<string, string> }) {
  const rows = pairsOf(options);
  if (rows.length === 0) return null;
  return (
    <dl class="options">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>
            <UserText>{name}</UserText>:
          </dt>{' '}
          <dd>
            <UserText>{value}</UserText>
          </dd>
        </div>
      ))}
    </dl>
  );
}
