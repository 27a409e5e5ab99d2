import { useState } from 'preact/hooks';
import { downloadInvoice } from '../../api/download.ts';
import type { Schemas } from '../../api/types.ts';
import { act, Button } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { dayName } from '../statistics/names.ts';

export type Invoice = Schemas['Invoice'];

export const kindNames: Record<Invoice['kind'], string> = t.invoices.kinds;

/** The day of issue, which is a date of the shop. */
export function InvoiceDate({ date }: Pick<Invoice, 'date'>) {
  return <time dateTime={date}>{dayName(date)}</time>;
}

/** Saves the PDF. */
export function PdfButton({ invoice }: { invoice: Pick<Invoice, 'id' | 'number'> }) {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await act(() => downloadInvoice(invoice));
    setBusy(false);
  };
  return (
    <Button icon="import" busy={busy} label={t.invoices.pdfOf(invoice.number)} onClick={() => void save()}>
      {t.invoices.pdf}
    </Button>
  );
}
