import { api, at, had } from '../../api/client.ts';
import { deskChanges } from '../../api/desk.ts';
import type { Schemas } from '../../api/types.ts';
import { Empty, Money, Section, Shown, useLoad } from '../../kit/index.ts';
import { countryName, formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { CsvButton } from './csv-button.tsx';
import { type Period, rangeOf } from './period.ts';

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
    <div class="table-space">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{columns.country}</th>
            {[columns.orders, columns.sales, columns.refunds, columns.net].map((label) => (
              <th key={label} scope="col" class="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {of.map((one) => (
            <tr key={one.country}>
              <th scope="row">
                <bdi>{nameOf(one)}</bdi>
              </th>
              <td class="end">{formatNumber(one.orders)}</td>
              {[one.gross, one.refunded, one.net].map((amount, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns stay
                <td key={i} class="end">
                  <Money amount={amount} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function rowsOf(items: readonly CountrySales[]): string[][] {
  return [
    [columns.country, columns.code, columns.orders, columns.sales, columns.refunds, columns.net],
    ...items.map((one) => [nameOf(one), one.country ?? '', String(one.orders), one.gross, one.refunded, one.net]),
  ];
}
