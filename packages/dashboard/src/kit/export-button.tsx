import { useState } from 'preact/hooks';
import { downloadExport, type Exported } from '../api/download.ts';
import { toApiError } from '../api/errors.ts';
import { explain } from '../api/explain.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { toast } from './toast.tsx';

/**
 * A button that exports a resource as CSV.
 * @param what such as `orders`, as the interface names it
 */
export function ExportButton({ what }: { what: Exported }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      await downloadExport(what, 'csv');
    } catch (thrown) {
      toast(explain(toApiError(thrown)).join('. '), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon="import" busy={busy} onClick={() => void save()}>
      {busy ? t.kit.exports.busy : t.kit.exports.all}
    </Button>
  );
}
