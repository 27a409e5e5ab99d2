import { useState } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { csvOf } from '../../api/csv.ts';
import { saveFile } from '../../api/download.ts';
import { ApiError } from '../../api/errors.ts';
import { can } from '../../api/session.ts';
import { href } from '../../browser/places.ts';
import { query } from '../../browser/router.ts';
import {
  act,
  Button,
  type Column,
  type Filter,
  LinkButton,
  List,
  Money,
  Page,
  patiently,
  UserText,
  useNarrow,
  valuesOf,
} from '../../kit/index.ts';
import { filled } from '../../words/filled.ts';
import { t } from '../../words/words.ts';
import { invoiceRows } from './csv.ts';
import { type Invoice, InvoiceDate, kindNames, PdfButton } from './parts.tsx';
import { type Query, queryOf } from './query.ts';

const words = t.invoices;

const number: Column<Invoice> = {
  label: words.columns.number,
  cell: ({ number }) => <UserText>{number}</UserText>,
  card: 'title',
};
const total: Column<Invoice> = {
  label: words.columns.total,
  cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
  end: true,
  card: 'amount',
};
const pdf: Column<Invoice> = {
  label: words.columns.pdf,
  cell: (invoice) => <PdfButton invoice={invoice} />,
  card: 'state',
};

const columns: readonly Column<Invoice>[] = [
  number,
  { label: words.columns.kind, cell: ({ kind }) => kindNames[kind] },
  { label: words.columns.date, cell: ({ date }) => <InvoiceDate date={date} /> },
  {
    label: words.columns.order,
    cell: ({ orderId, orderNumber }) => (
      <a href={href(`orders/${orderId}`)}>
        <UserText>{orderNumber}</UserText>
      </a>
    ),
  },
  { label: words.columns.buyer, cell: ({ buyer }) => <UserText>{buyer.name ?? buyer.email}</UserText> },
  total,
  pdf,
];

const cards: readonly Column<Invoice>[] = [
  number,
  {
    label: words.columns.kind,
    cell: ({ kind, date }) => (
      <>
        {kindNames[kind]} · <InvoiceDate date={date} />
      </>
    ),
    card: 'meta',
  },
  total,
  pdf,
];

const filters: readonly Filter[] = [
  { name: 'kind', label: words.filters.kind, options: Object.entries(kindNames) },
  { name: 'from', label: words.filters.from, options: 'date' },
  { name: 'to', label: words.filters.to, options: 'date' },
];

/** The invoices and credit notes of the shop, newest first. */
export default function Invoices() {
  const isNarrow = useNarrow();
  return (
    <Page title={words.title} actions={<CsvButton />}>
      <p class="quiet accountant">
        {filled(words.accountant, { command: <code>commerce invoices export invoices.zip</code> })}
      </p>
      <List<Invoice>
        what={words.what}
        search={words.search}
        filters={filters}
        columns={isNarrow ? cards : columns}
        idOf={({ id }) => id}
        nameOf={({ kind, number }) => words.named(kindNames[kind], number)}
        to={({ orderId }) => `orders/${orderId}`}
        load={(values, window, signal) => load({ ...queryOf(values), ...window }, signal)}
        empty={{
          title: words.empty.title,
          icon: 'invoice',
          children: (
            <>
              <p>{words.empty.text}</p>
              {can('settings.read') && <LinkButton to="settings?tab=invoices">{words.empty.settings}</LinkButton>}
            </>
          ),
        }}
      />
    </Page>
  );
}

const load = (asked: Query, signal?: AbortSignal) =>
  had(api.GET('/stores/{storeId}/invoices', { params: { path: at(), query: asked }, ...(signal ? { signal } : {}) }));

/** Most invoices that a browser puts into a file, and those of one request. */
const maxRows = 10_000;
const limit = 200;

/** Saves the invoices that the list shows. */
function CsvButton() {
  const [busy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    await act(async () => {
      const rows = invoiceRows(
        await all(queryOf(valuesOf(query.value, ['search', ...filters.map(({ name }) => name)]))),
      );
      saveFile(new Blob([csvOf(rows)], { type: 'text/csv' }), 'invoices.csv');
    });
    setBusy(false);
  };
  return (
    <Button icon="import" busy={busy} onClick={() => void save()}>
      {words.download}
    </Button>
  );
}

/** All invoices of a query, newest first. @throws ApiError, also for more than `maxRows` */
async function all(asked: Query): Promise<Invoice[]> {
  // By their ids: an invoice that is written in between moves those after it to the next page.
  const found = new Map<string, Invoice>();
  for (let offset = 0, total = 1; offset < total; offset += limit) {
    const page = await patiently(() => load({ ...asked, limit, offset }));
    total = page.total;
    if (total > maxRows)
      throw new ApiError({ status: 413, code: 'PAYLOAD_TOO_LARGE', message: words.tooMany(maxRows) });
    for (const invoice of page.items) found.set(invoice.id, invoice);
  }
  return [...found.values()];
}
