import { useState } from 'preact/hooks';
import { csvOf } from '../../api/csv.ts';
import { saveFile } from '../../api/download.ts';
import { act, Button } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import type { Period } from './period.ts';

/** Saves what a view shows as CSV, with amounts as decimal numbers. */
export function CsvButton({
  name,
  period: { from, to },
  rows,
}: {
  /** First part of the name of the file. */
  name: string;
  period: Period;
  /** Undefined until there are any. */
  rows: (() => Promise<string[][]>) | undefined;
}) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    if (!rows) return;
    setBusy(true);
    await act(async () => saveFile(new Blob([csvOf(await rows())], { type: 'text/csv' }), `${name}-${from}-${to}.csv`));
    setBusy(false);
  };
  return (
    <Button icon="import" busy={busy || !rows} onClick={() => void save()}>
      {t.statistics.download}
    </Button>
  );
}
