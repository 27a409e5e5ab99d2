import { useState } from 'preact/hooks';
import { explain } from '../../api/explain.ts';
import type { Scope } from '../../api/types.ts';
import type { IconName } from '../../icons/icon.tsx';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { confirm, Dialog } from '../dialog.tsx';
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
  /** Does it to all of them and says that it is done, instead of `each`; undefined if the user cancelled. */
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
    setProgress(t.kit.bulk.progress(0, chosen.length));
    try {
      const each = action.each ?? (() => Promise.resolve());
      const ended = action.all
        ? await action.all(chosen)
        : await forEachRow(chosen, each, (n) => setProgress(t.kit.bulk.progress(n, chosen.length)));
      if (!ended) return;
      onSelect(
        ended.failed.length === 0
          ? noSelection
          : { ids: new Set(ended.failed.map(({ row }) => idOf(row))), anchor: undefined },
      );
      if (ended.failed.length > 0) setResult(ended);
      else if (!action.all) toast(t.kit.bulk.done(action.label, ended.done.length));
      rows.reload();
    } finally {
      setProgress(undefined);
    }
  };
  return (
    <section class="bulk-bar" aria-label={t.kit.bulk.label(what)}>
      <p role="status">{progress ?? t.kit.bulk.selected(selection.ids.size)}</p>
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
      <Button kind="quiet" icon="close" label={t.kit.bulk.clear} onClick={() => onSelect(noSelection)} />
      {result && (
        <Dialog
          title={t.kit.bulk.result(result.done.length, result.failed.length)}
          onClose={() => setResult(undefined)}
        >
          <p>{t.kit.bulk.stillSelected}</p>
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
