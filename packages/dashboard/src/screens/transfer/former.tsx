import { api, at, had } from '../../api/client.ts';
import { query } from '../../browser/router.ts';
import { type Column, List, Tabs, Time } from '../../kit/index.ts';
import { type Import, type Imported, readable, words } from './resources.ts';
import { ImportState } from './state.tsx';

const columns: readonly Column<Import>[] = [
  { label: 'Started', cell: ({ createdAt }) => <Time at={createdAt} />, card: 'title' },
  {
    label: 'What',
    cell: ({ resource, dryRun }) => `${words[resource]}${dryRun ? ', only checked' : ''}`,
    card: 'meta',
  },
  { label: 'Format', cell: ({ format }) => format ?? '–' },
  { label: 'Created', cell: ({ created }) => created.toLocaleString(), end: true },
  { label: 'Changed', cell: ({ updated }) => updated.toLocaleString(), end: true },
  { label: 'Refused', cell: ({ refused }) => refused.toLocaleString(), end: true },
  { label: 'State', cell: (one) => <ImportState of={one} />, card: 'state' },
  { label: 'Rows', cell: ({ rows }) => rows.toLocaleString(), end: true, card: 'amount' },
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
      <Tabs name="resource" label="Imports" tabs={options} />
      <List<Import>
        what="imports"
        also={['resource']}
        columns={columns}
        idOf={({ id }) => id}
        nameOf={({ createdAt }) => `import of ${createdAt}`}
        to={({ id }) => `imports/${id}?resource=${resource}`}
        load={(_, window, signal) =>
          had(api.GET('/stores/{storeId}/imports', { params: { path: at(), query: { ...window, resource } }, signal }))
        }
        empty={{
          title: `No imports of ${words[resource].toLowerCase()} yet`,
          icon: 'import',
          children: <p>Imports from the command line are also listed here.</p>,
        }}
      />
    </>
  );
}
