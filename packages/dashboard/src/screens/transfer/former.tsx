import { api, at, had } from '../../api/client.ts';
import { query } from '../../browser/router.ts';
import { type Column, List, Tabs, Time, timeZone } from '../../kit/index.ts';
import { formatTime } from '../../kit/time.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { type Import, type Imported, readable, words } from './resources.ts';
import { ImportState } from './state.tsx';

const { former } = t.transfer;

const columns: readonly Column<Import>[] = [
  { label: former.started, cell: ({ createdAt }) => <Time at={createdAt} />, card: 'title' },
  {
    label: former.content,
    cell: ({ resource, dryRun }) => (dryRun ? former.checked(words[resource]) : words[resource]),
    card: 'meta',
  },
  { label: former.format, cell: ({ format }) => format ?? '–' },
  { label: former.created, cell: ({ created }) => formatNumber(created), end: true },
  { label: former.updated, cell: ({ updated }) => formatNumber(updated), end: true },
  { label: former.refused, cell: ({ refused }) => formatNumber(refused), end: true },
  { label: former.status, cell: (one) => <ImportState of={one} />, card: 'state' },
  { label: former.rows, cell: ({ rows }) => formatNumber(rows), end: true, card: 'amount' },
];

/** The imports of one resource, newest first; the service keeps 200. */
export function FormerImports() {
  const options = readable()
    .filter((one): one is Imported => one !== 'orders')
    .map((one) => ({ value: one, label: words[one] }));
  const asked = query.value.get('resource');
  const resource = options.find(({ value }) => value === asked)?.value ?? options[0]?.value ?? 'products';
  return (
    <>
      <Tabs name="resource" label={former.label} tabs={options} />
      <List<Import>
        what={former.many}
        also={['resource']}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ createdAt }) => former.named(formatTime(createdAt, timeZone()))}
        to={({ id }) => `imports/${id}?resource=${resource}`}
        load={(_, window, signal) =>
          had(api.GET('/stores/{storeId}/imports', { params: { path: at(), query: { ...window, resource } }, signal }))
        }
        empty={{
          title: former.empty(words[resource]),
          icon: 'import',
          children: <p>{former.emptyText}</p>,
        }}
      />
    </>
  );
}
