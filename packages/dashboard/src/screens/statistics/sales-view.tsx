import { useId } from 'preact/hooks';
import { query, setQuery } from '../../browser/router.ts';
import { Failed, Section } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { CsvButton } from './csv-button.tsx';
import { Figures } from './figures.tsx';
import { type Interval, intervalsOf, type Period, usualInterval } from './period.ts';
import { SalesChart, SalesTable } from './sales-chart.tsx';
import { type Compared, useSales } from './sales-data.ts';

/** Sales of a period by day, week, month, quarter or year. */
export function SalesView({ period }: { period: Period }) {
  const possible = intervalsOf(period);
  const usual = usualInterval(period);
  const interval = possible.find((one) => one === query.value.get('by')) ?? usual;
  const { data, error, loading, reload } = useSales(period, interval);
  return (
    <>
      {error && <Failed error={error} what={t.statistics.what} onRetry={reload} />}
      <Section title={t.statistics.views.sales} quiet>
        <Figures of={data} />
      </Section>
      <Section
        title={t.statistics.chart}
        actions={
          <div class="actions">
            <IntervalChoice possible={possible} value={interval} usual={usual} />
            <CsvButton name="sales" period={period} rows={data && !loading ? async () => rowsOf(data) : undefined} />
          </div>
        }
      >
        <SalesChart of={data} />
        {data ? <SalesTable of={data} /> : <div class="table-waits" />}
      </Section>
    </>
  );
}

function IntervalChoice({ possible, value, usual }: { possible: Interval[]; value: Interval; usual: Interval }) {
  const id = useId();
  return (
    <span class="interval">
      <label htmlFor={id}>{t.statistics.by}</label>
      <select
        id={id}
        value={value}
        onChange={({ currentTarget }) =>
          setQuery({ by: currentTarget.value === usual ? undefined : currentTarget.value })
        }
      >
        {possible.map((one) => (
          <option key={one} value={one}>
            {t.statistics.intervals[one]}
          </option>
        ))}
      </select>
    </span>
  );
}

function rowsOf({ now }: Compared): string[][] {
  const { columns } = t.statistics;
  return [
    [columns.from, columns.orders, columns.sales, columns.refunds, columns.net],
    ...now.items.map(({ from, orders, gross, refunded, net }) => [from, String(orders), gross, refunded, net]),
  ];
}
