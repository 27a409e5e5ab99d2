import { useState } from 'preact/hooks';
import type { Scope } from '../../api/types.ts';
import type { IconName } from '../../icons/icon.tsx';
import { Button } from '../button.tsx';
import { confirm, Dialog } from '../dialog.tsx';
import { explain } from '../states.tsx';
import { toast } from '../toast.tsx';
import { type BulkResult, forEachRow } from './bulk.ts';
import { noSelection, type Selection } from './selection.ts';
import type { Rows } from './use-rows.ts';

/** An action on several rows at once. */
export interface Bulk<T> {
  label: string;
  icon?: IconName;
  scope?: Scope;
  danger?: boolean;
  /** A question before the action; without it, the action runs at once. */
  ask?(rows: readonly T[]): { title: string; text: string; yes: string } | undefined;
  /** Runs it on one row. */
  each?(row: T): Promise<unknown>;
  /** Does it to all of them, instead of `each`; undefined if the user cancelled. */
  all?(rows: readonly T[]): Promise<BulkResult<T> | undefined>;
}

interface BarProps<T> {
  what: string;
  actions: readonly Bulk<T>[];
  rows: Rows<T>;
  selection: Selection;
  onSelect(selection: Selection): void;
  idOf(row: T): string;
  nameOf(row: T): string;
}

/** Actions for the selected rows. Rows that fail stay selected, and say why. */
export function BulkBar<T>({ what, actions, rows, selection, onSelect, idOf, nameOf }: BarProps<T>) {
  const [progress, setProgress] = useState<string>();
  const [result, setResult] = useState<BulkResult<T>>();
  const run = async (action: Bulk<T>) => {
    const chosen = rows.loaded().filter((row) => selection.ids.has(idOf(row)));
    const question = action.ask?.(chosen);
    if (question) {
      const { title, text, yes } = question;
      if (!(await confirm(title, text, { yes, danger: action.danger ?? false }))) return;
    }
    setProgress(`0 of ${chosen.length}`);
    try {
      const each = action.each ?? (() => Promise.resolve());
      const ended = action.all
        ? await action.all(chosen)
        : await forEachRow(chosen, each, (n) => setProgress(`${n} of ${chosen.length}`));
      if (!ended) return;
      onSelect(
        ended.failed.length === 0
          ? noSelection
          : { ids: new Set(ended.failed.map(({ row }) => idOf(row))), anchor: undefined },
      );
      if (ended.failed.length === 0) toast(`${action.label}: ${ended.done.length} done.`);
      else setResult(ended);
      rows.reload();
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <section class="bulk-bar" aria-label={`Actions for the selected ${what}`}>
      <p role="status">{progress ?? `${selection.ids.size} selected`}</p>
      {actions.map((action) => (
        <Button
          key={action.label}
          icon={action.icon}
          kind={action.danger ? 'danger' : 'plain'}
          busy={progress !== undefined}
          onClick={() => void run(action)}
        >
          {action.label}
        </Button>
      ))}
      <Button kind="quiet" icon="close" label="Select none" onClick={() => onSelect(noSelection)} />
      {result && (
        <Dialog
          title={`${result.done.length} done, ${result.failed.length} failed`}
          onClose={() => setResult(undefined)}
        >
          <p>The failed ones are still selected.</p>
          <ul class="results">
            {result.failed.map(({ row, error }) => (
              <li key={idOf(row)}>
                <bdi>{nameOf(row)}</bdi>: {explain(error)[1]}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </section>
  );
}
