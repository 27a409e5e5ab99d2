import { query } from '../../browser/router.ts';
import { Page, Tabs } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { Countries } from './countries.tsx';
import type { Period } from './period.ts';
import { PeriodBar } from './period-bar.tsx';
import { Products } from './products.tsx';
import { currentPeriod } from './sales-data.ts';
import { SalesView } from './sales-view.tsx';
import { Taxes } from './taxes.tsx';

type ViewName = keyof typeof t.statistics.views;

const views: Record<ViewName, (props: { period: Period }) => preact.JSX.Element> = {
  sales: SalesView,
  products: Products,
  countries: Countries,
  taxes: Taxes,
};

const tabs = Object.entries(t.statistics.views).map(([value, label]) => ({ value, label }));

/** The sales of a period by time, by product and by country, and the taxes in them. */
export default function Statistics() {
  const view = query.value.get('view') ?? 'sales';
  const period = currentPeriod();
  const View = Object.hasOwn(views, view) ? views[view as ViewName] : SalesView;
  return (
    <Page title={t.statistics.title}>
      <Tabs name="view" label={t.statistics.title} tabs={tabs} />
      <PeriodBar period={period} compares={View === SalesView} />
      <View period={period} />
    </Page>
  );
}
