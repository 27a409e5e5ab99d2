import { query } from '../../browser/router.ts';
import { Empty, Page, Tabs } from '../../kit/index.ts';
import { ExportSection } from './export.tsx';
import { FormerImports } from './former.tsx';
import { ImportForm } from './import-form.tsx';
import { readable, writable } from './resources.ts';

/** Imports and exports. */
export default function Transfer() {
  const views = [
    ...(writable().length > 0 ? [{ value: 'in', label: 'Import' }] : []),
    { value: 'out', label: 'Export' },
    { value: 'former', label: 'Past imports' },
  ];
  const asked = query.value.get('tab');
  const tab = views.find(({ value }) => value === asked)?.value ?? views[0]?.value;
  return (
    <Page title="Import and export">
      <Tabs name="tab" label="Import and export" tabs={views} current={tab} />
      {tab === 'in' && <ImportForm />}
      {tab === 'out' &&
        (readable().length > 0 ? <ExportSection /> : <Empty title="Your key cannot read anything" icon="lock" />)}
      {tab === 'former' && <FormerImports />}
    </Page>
  );
}
