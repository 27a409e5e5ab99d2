import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { ApiError, toApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { act, Button, Money, Section, Shown, toast, UserText, useLoad } from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { isInvoiceable } from './due.ts';
import { type Invoice, InvoiceDate, kindNames, PdfButton } from './parts.tsx';

const words = t.invoices.ofOrder;

/** Most documents of one answer. */
const limit = 200;

/**
 * The invoices and credit notes of an order, the newest first; a button for an order that has none, if the shop has named its seller, which
 * every invoice needs. Renders nothing without either.
 * @param onChanged called after an invoice was written, or was refused because the order has changed
 */
export function OrderInvoices({
  order,
  turn,
  onChanged,
}: {
  order: Schemas['Order'];
  turn: number;
  onChanged(): void;
}) {
  const { id } = order;
  const mayIssue = isInvoiceable(order) && can('order.write') && can('settings.read');
  const loaded = useLoad(
    id,
    async (signal) => {
      const params = { path: at(), query: { orderId: id, limit } };
      const { items } = await had(api.GET('/stores/{storeId}/invoices', { params, signal }));
      return { items, isOffered: items.length === 0 && mayIssue && (await hasSeller(signal)) };
    },
    `${turn} ${mayIssue}`,
  );
  const { items = [], isOffered = false } = loaded.data ?? {};
  if (!loaded.error && items.length === 0 && !isOffered) return null;
  return (
    <Section title={t.invoices.title}>
      <Shown of={loaded} what={t.invoices.the} rows={2}>
        {() =>
          isOffered ? (
            <Missing id={id} onChanged={onChanged} />
          ) : (
            <ul class="order-invoices">
              {items.map((invoice) => (
                <li key={invoice.id}>
                  <OneInvoice invoice={invoice} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Section>
  );
}

async function hasSeller(signal: AbortSignal): Promise<boolean> {
  const { item } = await had(api.GET('/stores/{storeId}/settings', { params: { path: at() }, signal }));
  return item.seller !== null;
}

function OneInvoice({ invoice }: { invoice: Invoice }) {
  const { number, kind, total, currency, date, refersTo } = invoice;
  return (
    <>
      <p>
        <strong>
          <UserText>{number}</UserText>
        </strong>
        <span>{kindNames[kind]}</span>
        <span class="quiet">
          <InvoiceDate date={date} />
        </span>
        {refersTo && (
          <span class="quiet">{filled(words.refers, { number: <UserText>{refersTo.number}</UserText> })}</span>
        )}
      </p>
      <Money amount={total} currency={currency} />
      <PdfButton invoice={invoice} />
    </>
  );
}

function Missing({ id, onChanged }: { id: string; onChanged(): void }) {
  const [busy, setBusy] = useState(false);
  const write = async () => {
    setBusy(true);
    await act(async () => toast(words.issued((await issue(id)).number)));
    setBusy(false);
    onChanged();
  };
  return (
    <div class="no-invoice">
      <p class="quiet">{words.none}</p>
      <Button icon="invoice" busy={busy} onClick={() => void write()}>
        {words.issue}
      </Button>
    </div>
  );
}

/** Writes the invoice of an order. @throws ApiError whose message is for people, if the order gets none */
async function issue(id: string): Promise<Invoice> {
  try {
    return (await had(api.POST('/stores/{storeId}/orders/{id}/invoice', { params: { path: at({ id }) } }))).item;
  } catch (thrown) {
    const error = toApiError(thrown);
    if (error.status !== 409) throw error;
    const message = error.reason === 'taken' ? words.taken : words.refused;
    throw new ApiError({ status: 409, code: error.code, message });
  }
}
