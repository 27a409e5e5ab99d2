import { useState } from 'preact/hooks';
import { explain } from '../../api/explain.ts';
import type { Scope } from '../../api/types.ts';
import type { IconName } from '../../icons/icon.tsx';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { confirm, Dialog } from '../dialog.tsx';
import { toast } from '../toast.tsx';
import { type BulkResult, forEachRow, type Target } from './bulk.ts';
import { noSelection, type Selection } from './selection.ts';
import { type Step, stepOf } from './task.ts';
import type { Task } from './task-dialog.tsx';
import type { Rows } from './use-rows.ts';

/** An action on several rows at once: `each`, or `all` with `prepare`. */
export interface Bulk {
  label: string;
  icon?: IconName;
  scope?: Scope;
  danger?: boolean;
  /** A question before the action; without it, the action runs at once. */
  ask?(count: number): { title: string; text: string; yes: string } | undefined;
  /** Runs it on one row. */
  each?(target: Target): Promise<unknown>;
  /** Does it to up to 200 rows and says that it is done; undefined if the user cancelled. */
  all?(targets: readonly Target[]): Promise<BulkResult | undefined>;
  /** Asks what to do to more rows, and returns how to do it; undefined if the user cancelled. */
  prepare?(count: number): Promise<Step | undefined>;
}

/** Most rows that an action does without a task. */
export const maxAtOnce = 200;

interface BarProps<T> {
  what: string;
  actions: readonly Bulk[];
  rows: Rows<T>;
  selection: Selection;
  onSelect(selection: Selection): void;
  /** Runs an action on all rows that match, or on many rows. */
  onTask(task: Task): void;
  /** Finds all rows that match. */
  everything: Task['targets'];
  idOf(row: T): string;
  targetsOf(row: T): readonly Target[];
  /** The number of items that match, if they are more than the rows. */
  matching: number | undefined;
  /** Loads the rows again. */
  reload(): void;
}

/** Actions for the selected rows. Rows that fail stay selected, and say why. */
export function BulkBar<T>(props: BarProps<T>) {
  const { what, actions, rows, selection, onSelect, onTask, everything, idOf, targetsOf, reload } = props;
  const [progress, setProgress] = useState<string>();
  const [result, setResult] = useState<BulkResult>();
  const { total: ofRows = 0 } = rows;
  const total = props.matching ?? ofRows;
  const loaded = rows.loaded();
  const isEverything = selection.isEverything ?? false;
  const picked = loaded.filter((row) => selection.ids.has(idOf(row)));
  // A row and another one can have the same item.
  const chosen = [...new Map(picked.flatMap(targetsOf).map((target) => [target.id, target])).values()];
  const count = isEverything ? total : chosen.length;
  const start = async (action: Bulk, targets: Task['targets']) => {
    const step = action.each ? stepOf(action.each) : await action.prepare?.(count);
    if (step) onTask({ label: action.label, step, targets });
  };
  const run = async (action: Bulk) => {
    const question = action.ask?.(count);
    if (question) {
      const { title, text, yes } = question;
      if (!(await confirm(title, text, { yes, danger: action.danger ?? false }))) return;
    }
    if (isEverything) return start(action, everything);
    if (chosen.length > maxAtOnce) return start(action, () => Promise.resolve(chosen));
    // Its own dialog says how far it is.
    if (!action.all) setProgress(t.kit.bulk.progress(0, chosen.length));
    try {
      const each = action.each ?? (() => Promise.resolve());
      const ended = action.all
        ? await action.all(chosen)
        : await forEachRow(chosen, each, (n) => setProgress(t.kit.bulk.progress(n, chosen.length)));
      if (!ended) return;
      const failed = new Set(ended.failed.map(({ row }) => row.id));
      const left = picked.filter((row) => targetsOf(row).some(({ id }) => failed.has(id)));
      onSelect(failed.size === 0 ? noSelection : { ids: new Set(left.map(idOf)), anchor: undefined });
      if (ended.failed.length > 0) setResult(ended);
      else if (!action.all) toast(t.kit.bulk.done(action.label, ended.done.length));
      reload();
    } finally {
      setProgress(undefined);
    }
  };
  // After all loaded rows, those that are not loaded yet are offered.
  const isMore = !isEverything && ofRows > picked.length && picked.length >= Math.min(loaded.length, maxAtOnce);
  return (
    <section class="bulk-bar" aria-label={t.kit.bulk.label(what)}>
      <p role="status">
        {progress ?? (isEverything ? t.kit.bulk.everything(total, what) : t.kit.bulk.selected(count))}
      </p>
      {isMore && (
        <Button
          kind="quiet"
          onClick={() => onSelect({ ids: new Set(selection.ids), anchor: undefined, isEverything: true })}
        >
          {t.kit.bulk.selectEverything(total, what)}
        </Button>
      )}
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
              <li key={row.id}>
                <bdi>{row.name}</bdi>: {explain(error)[1]}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </section>
  );
}
