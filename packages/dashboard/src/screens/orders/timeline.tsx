import type { ComponentChildren } from 'preact';
import { ask } from '../../api/client.ts';
import type { Page } from '../../api/types.ts';
import { Money, Section, Shown, Time, UserText, useLoad } from '../../kit/index.ts';

/** An entry of a timeline; what else stands in it depends on its kind. */
interface Entry {
  at: string;
  kind: 'audit' | 'payment' | 'refund' | 'delivery';
  [more: string]: unknown;
}

const words: Record<Entry['kind'], string> = {
  audit: 'Change',
  payment: 'Payment',
  refund: 'Refund',
  delivery: 'Delivery',
};

/** What has happened to the order, the newest first. */
export function Timeline({ id, turn }: { id: string; turn: number }) {
  const loaded = useLoad(
    id,
    (signal) => ask<Page<Entry>>('GET', `/orders/${id}/timeline`, { query: { limit: 200 }, signal }),
    String(turn),
  );
  return (
    <Section title="What has happened">
      <Shown of={loaded} what="what has happened" rows={4}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="quiet">Nothing that your key may see.</p>
          ) : (
            <ol class="timeline">
              {[...items].reverse().map((entry, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: entries have no ids of their own
                <li key={i}>
                  <span class="quiet">
                    <Time at={entry.at} />
                  </span>
                  <span>
                    <strong>{words[entry.kind] ?? entry.kind}</strong> <Told entry={entry} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Shown>
    </Section>
  );
}

function Told({ entry }: { entry: Entry }): ComponentChildren {
  const text = (name: string) => (typeof entry[name] === 'string' ? (entry[name] as string) : undefined);
  const amount = text('amount');
  const rest = ['action', 'event', 'status', 'provider', 'actor', 'actorName', 'refundId']
    .map(text)
    .filter((one) => one !== undefined)
    .join(' · ');
  return (
    <>
      {amount && <Money amount={amount} currency={text('currency')} />} <UserText>{rest}</UserText>
    </>
  );
}
