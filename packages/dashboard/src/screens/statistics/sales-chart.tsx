import { formatMoney, Money } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { Chart } from './chart.tsx';
import { shopCurrency } from './money.ts';
import { intervalName, shortName } from './names.ts';
import type { Compared } from './sales-data.ts';

/** The sales of each interval as bars. */
export function SalesChart({ of }: { of: Compared | undefined }) {
  if (!of) return <div class="chart waiting" />;
  const { now, interval, period } = of;
  const bars = now.items.map(({ from, gross, orders }) => ({
    key: from,
    name: intervalName(from, interval, period),
    short: shortName(from, interval),
    value: Number(gross),
    text: t.statistics.bar(formatMoney(gross, shopCurrency()), orders),
  }));
  return <Chart bars={bars} label={t.statistics.chart} />;
}

/** The sales of each interval as a table, the newest first. */
export function SalesTable({ of: { now, interval, period } }: { of: Compared }) {
  const { columns, intervals } = t.statistics;
  return (
    <div class="table-space">
      <table class="numbers">
        <thead>
          <tr>
            <th scope="col">{intervals[interval]}</th>
            {[columns.orders, columns.sales, columns.refunds, columns.net].map((label) => (
              <th key={label} scope="col" class="end">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {now.items.toReversed().map(({ from, orders, gross, refunded, net }) => (
            <tr key={from}>
              <th scope="row">{intervalName(from, interval, period)}</th>
              <td class="end">{formatNumber(orders)}</td>
              {[gross, refunded, net].map((amount, i) => (
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
