import { useState } from 'preact/hooks';
import { downloadExport, type Exported } from '../api/download.ts';
import { toApiError } from '../api/errors.ts';
import { explain } from '../api/explain.ts';
import { t } from '../words/words.ts';
import { Button } from './button.tsx';
import { Menu } from './menu.tsx';
import { toast } from './toast.tsx';

/** Another form of the same export, such as one row for each item of an order. */
export interface ExportForm {
  label: string;
  query: Record<string, string>;
}

/**
 * A button that exports what a list shows as CSV.
 * @param what such as `orders`, as the interface names it
 * @param query filters of the list, as the interface names them
 * @param forms further forms, offered in a menu beside the button
 */
export function ExportButton({
  what,
  query,
  forms = [],
}: {
  what: Exported;
  query: Record<string, string>;
  forms?: readonly ExportForm[];
}) {
  const [busy, setBusy] = useState(false);
  const isFiltered = Object.keys(query).length > 0;
  const save = async (further: Record<string, string> = {}) => {
    if (busy) return;
    setBusy(true);
    try {
      await downloadExport(what, 'csv', { query: { ...query, ...further } });
    } catch (thrown) {
      toast(explain(toApiError(thrown)).join('. '), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <Button icon="import" busy={busy} onClick={() => void save()}>
        {busy ? t.kit.exports.busy : isFiltered ? t.kit.exports.filtered : t.kit.exports.all}
      </Button>
      <Menu
        label={t.kit.exports.more}
        items={forms.map((form) => ({ label: form.label, icon: 'import', run: () => void save(form.query) }))}
      />
    </>
  );
}
