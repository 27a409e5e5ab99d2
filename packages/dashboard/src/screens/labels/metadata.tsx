import { useState } from 'preact/hooks';
import { Facts, type Form, UserText } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { longest } from './fields.ts';
import { type Pair, pairsOf } from './pairs.ts';
import { PairsInput } from './pairs-input.tsx';

const words = t.labels.metadata;

/** Texts for other programs, folded: shops seldom need them. */
export function MetadataField<T extends { metadata: Pair[] }>({ form: given }: { form: Form<T> }) {
  const form = given as unknown as Form<{ metadata: Pair[] }>;
  const [isOpen, setOpen] = useState(false);
  const rows = form.values.value.metadata;
  const reason = form.errors.value.metadata;
  return (
    <details
      class="for-programs"
      open={isOpen || reason !== undefined}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        {words.title}
        {rows.length > 0 && <span class="quiet"> ({formatNumber(rows.length)})</span>}
      </summary>
      <p class="quiet intro">{words.hint}</p>
      <PairsInput
        rows={rows}
        label={words.title}
        reason={reason}
        words={words}
        longest={longest}
        onChange={(next) => form.set('metadata', next)}
      />
    </details>
  );
}

/** Texts for other programs that cannot be changed here; nothing if there are none. */
export function MetadataFacts({ metadata }: { metadata: Record<string, string> }) {
  const rows = pairsOf(metadata);
  if (rows.length === 0) return null;
  return (
    <details class="for-programs">
      <summary>
        {words.title}
        <span class="quiet"> ({formatNumber(rows.length)})</span>
      </summary>
      <Facts
        of={rows.map(([name, value]) => [
          <UserText key={name}>{name}</UserText>,
          <UserText key={`${name} value`}>{value}</UserText>,
        ])}
      />
    </details>
  );
}
