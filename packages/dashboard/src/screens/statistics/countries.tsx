import { api, at, had } from '../../api/client.ts';
import { deskChanges } from '../../api/desk.ts';
import type { Schemas } from '../../api/types.ts';
import { Empty, Section, Shown, useLoad } from '../../kit/index.ts';
import { countryName, formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { CsvButton } from './csv-button.tsx';
import { NumberTable } from './number-table.tsx';
import { type Period, rangeOf } from './period.ts';
import { amounts } from './sales-chart.tsx';

type CountrySales = Schemas['CountrySales'];

const { columns } = t.statistics;

const nameOf = ({ country }: CountrySales) => (country === null ? t.statistics.noCountry : countryName(country));

/** The sales of a period by country. */
export function Countries({ period }: { period: Period }) {
  const loaded = useLoad(
    'countries',
    (signal) =>
      had(
        api.GET('/stores/{storeId}/statistics/countries', { params: { path: at(), query: rangeOf(period) }, signal }),
      ),
    `${period.from} ${period.to} ${deskChanges.value}`,
  );
  const { data, loading } = loaded;
  return (
    <Section
      title={t.statistics.views.countries}
      actions={
        <CsvButton
          name="countries"
          period={period}
          rows={data && !loading ? async () => rowsOf(data.items) : undefined}
        />
      }
    >
      <div class="view-space">
        <Shown of={loaded} what={t.statistics.what} rows={6}>
          {({ items }) =>
            items.length === 0 ? <Empty title={t.statistics.noSales} icon="chart" /> : <Table of={items} />
          }
        </Shown>
      </div>
    </Section>
  );
}

function Table({ of }: { of: CountrySales[] }) {
  return (
    <NumberTable
      label={t.statistics.asTable(t.statistics.views.countries)}
      columns={[columns.country, columns.orders, columns.sales, columns.refunds, columns.net]}
      rows={of.map((one) => ({
        key: one.country ?? '',
        name: <bdi>{nameOf(one)}</bdi>,
        numbers: [formatNumber(one.orders), ...amounts(one.gross, one.refunded, one.net)],
      }))}
    />
  );
}

function rowsOf(items: readonly CountrySales[]): string[][] {
  return [
    [columns.country, columns.code, columns.orders, columns.sales, columns.refunds, columns.net],
    ...items.map((one) => [nameOf(one), one.country ?? '', String(one.orders), one.gross, one.refunded, one.net]),
  ];
}
