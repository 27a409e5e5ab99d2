import { useEffect, useState } from 'preact/hooks';
import { isAbort, toApiError } from '../../api/errors.ts';
import { explain } from '../../api/explain.ts';
import { t } from '../../words/words.ts';
import { Button } from '../button.tsx';
import { Dialog } from '../dialog.tsx';
import { Facts } from '../page.tsx';
import { useUnsaved } from '../unsaved.ts';
import type { Target } from './bulk.ts';
import { type Report, runTask, type Step } from './task.ts';

const words = t.kit.tasks;

/** A bulk action on many items, in parts. */
export interface Task {
  /** Name of the action. */
  label: string;
  /** Finds the items. */
  targets(signal: AbortSignal, onFound: (found: number, total: number) => void): Promise<readonly Target[]>;
  step: Step;
}

/** Failures that the report names. */
const maxNamed = 100;

/** Runs a task, shows how far it is, and then its report. Nothing else can be done on the page meanwhile. */
export function TaskDialog({ task, onClose }: { task: Task; onClose(): void }) {
  const [control] = useState(() => new AbortController());
  const [progress, setProgress] = useState<{ now: number; of: number }>({ now: 0, of: 0 });
  const [isFinding, setFinding] = useState(true);
  const [isStopping, setStopping] = useState(false);
  const [report, setReport] = useState<Report>();
  useUnsaved(() => report === undefined && !control.signal.aborted, words.leaving);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, at the beginning
  useEffect(() => {
    const run = async () => {
      const { signal } = control;
      try {
        const targets = await task.targets(signal, (now, of) => setProgress({ now, of }));
        setFinding(false);
        setProgress({ now: 0, of: targets.length });
        setReport(
          await runTask(targets, task.step, signal, ({ notReached }) =>
            setProgress({ now: targets.length - notReached, of: targets.length }),
          ),
        );
      } catch (thrown) {
        // It was cancelled, or the items could not be found: nothing was changed.
        setReport({
          done: 0,
          failed: [],
          notReached: 0,
          stoppedBy: isAbort(thrown) ? undefined : toApiError(thrown),
        });
      }
    };
    void run();
    return () => control.abort();
  }, []);
  if (report) return <ReportDialog label={task.label} report={report} onClose={onClose} />;
  const { now, of } = progress;
  return (
    <Dialog
      title={task.label}
      closes={false}
      onClose={() => {}}
      actions={
        <Button
          busy={isStopping}
          onClick={() => {
            setStopping(true);
            control.abort();
          }}
        >
          {isStopping ? words.stopping : t.kit.cancel}
        </Button>
      }
    >
      <p role="status">{isFinding ? words.finding(now) : words.progress(now, of)}</p>
      <progress class="task" value={isFinding ? 0 : now} max={Math.max(of, 1)} aria-label={task.label} />
    </Dialog>
  );
}

function ReportDialog({ label, report, onClose }: { label: string; report: Report; onClose(): void }) {
  const { done, failed, notReached, stoppedBy } = report;
  return (
    <Dialog title={words.ended(label)} onClose={onClose} actions={<Button onClick={onClose}>{t.kit.close}</Button>}>
      {stoppedBy && (
        <p class="notice bad" role="alert" dir="auto">
          {explain(stoppedBy).join('. ')}
        </p>
      )}
      <Facts
        of={[
          [words.done, words.count(done)],
          [words.failed, words.count(failed.length)],
          ...(notReached > 0 ? [[words.notReached, words.count(notReached)] as [string, string]] : []),
        ]}
      />
      {failed.length > 0 && (
        <ul class="results">
          {failed.slice(0, maxNamed).map(({ row, error }) => (
            <li key={row.id}>
              <bdi>{row.name}</bdi>: <span dir="auto">{explain(error)[1]}</span>
            </li>
          ))}
          {failed.length > maxNamed && <li>{words.more(failed.length - maxNamed)}</li>}
        </ul>
      )}
    </Dialog>
  );
}
