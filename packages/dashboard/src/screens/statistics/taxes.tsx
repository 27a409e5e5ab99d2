import { useId } from 'preact/hooks';
import { api, at, had } from '../../api/client.ts';
import { deskChanges } from '../../api/desk.ts';
import { setQuery } from '../../browser/router.ts';
import { Empty, Section, Shown, shopDecimals, timeZone, useLoad } from '../../kit/index.ts';
import { dateIn } from '../../kit/time.ts';
import { countryName, formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { percentOf } from '../settings/form/rate.ts';
import { CsvButton } from './csv-button.tsx';
import { shopCurrency } from './money.ts';
import { intervalName } from './names.ts';
import { NumberTable } from './number-table.tsx';
import { type Period, quartersUpTo, rangeOf } from './period.ts';
import { amounts } from './sales-chart.tsx';
import { netTax, sumOf, type Tax, type TaxAmounts } from './tax-rows.ts';

const words = t.statistics.taxes;
const { columns } = words;

const nameOf = ({ country }: Tax) => (country === null ? words.noCountry : countryName(country));

const amountsOf = (of: TaxAmounts): [string, string, string, string, string] => [
  ...([of.base, of.tax, of.refundedBase, of.refundedTax] as const),
  netTax(of, shopDecimals()),
];

/** The taxes of a period by country and rate, for a return. */
export function Taxes({ period }: { period: Period }) {
  const loaded = useLoad(
    'taxes',
    (signal) =>
      had(api.GET('/stores/{storeId}/statistics/taxes', { params: { path: at(), query: rangeOf(period) }, signal })),
    `${period.from} ${period.to} ${deskChanges.value}`,
  );
  const { data, loading } = loaded;
  const currency = shopCurrency();
  return (
    <Section
      title={words.title}
      actions={
        <div class="actions">
          <QuarterChoice period={period} />
          <CsvButton
            name="taxes"
            period={period}
            rows={data && !loading ? async () => rowsOf(data.items) : undefined}
          />
        </div>
      }
    >
      <p class="quiet">
        {words.purpose} {currency === 'EUR' ? words.euros : words.convert(currency)}
      </p>
      <div class="view-space">
        <Shown of={loaded} what={t.statistics.what} rows={6}>
          {({ items }) => (items.length === 0 ? <Empty title={words.none} icon="chart" /> : <Table of={items} />)}
        </Shown>
      </div>
    </Section>
  );
}

/** Number of quarters to choose from. */
const quarters = 8;

/** Chooses a quarter as the period. */
function QuarterChoice({ period: { from, to } }: { period: Period }) {
  const id = useId();
  const all = quartersUpTo(dateIn(timeZone(), Date.now()), quarters);
  const names = [words.thisQuarter, words.lastQuarter];
  const chosen = all.find((one) => one.from === from && one.to === to);
  return (
    <span class="interval">
      <label htmlFor={id}>{words.quarter}</label>
      <select
        id={id}
        value={chosen?.from ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const one = all.find((quarter) => quarter.from === value);
          setQuery({ period: one && 'custom', from: one?.from, to: one?.to });
        }}
      >
        <option value="">{words.otherDays}</option>
        {all.map((one, i) => {
          const name = intervalName(one.from, 'quarter', one);
          return (
            <option key={one.from} value={one.from}>
              {names[i]?.(name) ?? name}
            </option>
          );
        })}
      </select>
    </span>
  );
}

function Table({ of }: { of: Tax[] }) {
  const rows = of.map((one) => ({
    key: `${one.country} ${one.rate}`,
    name: <bdi>{nameOf(one)}</bdi>,
    numbers: [
      formatNumber(one.rate, { style: 'percent', maximumFractionDigits: 6 }),
      formatNumber(one.orders),
      ...amounts(...amountsOf(one)),
    ],
  }));
  // An order can have several rates, so the orders have no sum.
  const sum = { key: 'sum', name: words.sum, numbers: ['', '', ...amounts(...amountsOf(sumOf(of, shopDecimals())))] };
  return (
    <NumberTable
      label={t.statistics.asTable(words.title)}
      columns={[
        ...([t.statistics.columns.country, columns.rate, t.statistics.columns.orders] as const),
        ...[columns.base, columns.tax, columns.refundedBase, columns.refundedTax, columns.net],
      ]}
      rows={of.length > 1 ? [...rows, sum] : rows}
    />
  );
}

function rowsOf(items: readonly Tax[]): string[][] {
  const { country, code, orders } = t.statistics.columns;
  return [
    [
      ...[country, code, columns.ratePercent, orders],
      ...[columns.base, columns.tax, columns.refundedBase, columns.refundedTax, columns.net],
    ],
    ...items.map((one) => [
      ...[nameOf(one), one.country ?? '', percentOf(one.rate), String(one.orders)],
      ...amountsOf(one),
    ]),
  ];
}
