import { query } from '../../browser/router.ts';
import { Empty, Page, Tabs } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { ExportSection } from './export.tsx';
import { FormerImports } from './former.tsx';
import { ImportForm } from './import-form.tsx';
import { readable, writable } from './resources.ts';

const words = t.transfer;

/** Imports and exports. */
export default function Transfer() {
  const views = [
    ...(writable().length > 0 ? [{ value: 'in', label: words.tabs.in }] : []),
    { value: 'out', label: words.tabs.out },
    { value: 'former', label: words.tabs.former },
  ];
  const asked = query.value.get('tab');
  const tab = views.find(({ value }) => value === asked)?.value ?? views[0]?.value;
  return (
    <Page title={words.title}>
      <Tabs name="tab" label={words.title} tabs={views} current={tab} />
      {tab === 'in' && <ImportForm />}
      {tab === 'out' && (readable().length > 0 ? <ExportSection /> : <Empty title={words.noAccess} icon="lock" />)}
      {tab === 'former' && <FormerImports />}
    </Page>
  );
}
