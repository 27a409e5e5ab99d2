import { formatMoney, Money } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { Chart } from './chart.tsx';
import { shopCurrency } from './money.ts';
import { intervalName, shortName } from './names.ts';
import { NumberTable } from './number-table.tsx';
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
    <NumberTable
      label={t.statistics.asTable(t.statistics.views.sales)}
      columns={[intervals[interval], columns.orders, columns.sales, columns.refunds, columns.net]}
      rows={now.items.toReversed().map(({ from, orders, gross, refunded, net }) => ({
        key: from,
        name: intervalName(from, interval, period),
        numbers: [formatNumber(orders), ...amounts(gross, refunded, net)],
      }))}
    />
  );
}

/** Amounts of the shop as cells. */
export function amounts(...of: string[]) {
  return of.map((amount) => <Money key={amount} amount={amount} />);
}
