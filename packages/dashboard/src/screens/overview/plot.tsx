import { useState } from 'preact/hooks';
import { who } from '../../api/session.ts';
import type { Schemas } from '../../api/types.ts';
import { Button, formatMoney, Money, Time, timeZone, useNarrow } from '../../kit/index.ts';
import { formatTime } from '../../kit/time.ts';
import { formatNumber } from '../../words/forms.ts';
import { locales, t } from '../../words/words.ts';
import { axisSteps } from './bars.ts';

/** Sales of one day, in the currency of the store. */
type Day = Schemas['SalesStatistics']['items'][number];

/** Units of the picture, about as large as pixels. */
const sizes = {
  wide: { width: 760, height: 220, left: 64, bottom: 24, top: 12 },
  narrow: { width: 330, height: 200, left: 50, bottom: 24, top: 12 },
};

/** A bar for the sales of each day. The table says the same to readers who cannot see it. */
export function Plot({ days }: { days: readonly Day[] }) {
  const [isTable, setTable] = useState(false);
  return (
    <>
      {isTable ? <DayTable days={days} /> : <Bars days={days} />}
      <Button kind="quiet" pressed={isTable} onClick={() => setTable(!isTable)}>
        {t.overview.sales.table}
      </Button>
    </>
  );
}

function Bars({ days }: { days: readonly Day[] }) {
  const isNarrow = useNarrow();
  const size = isNarrow ? sizes.narrow : sizes.wide;
  const currency = who.value?.store.currency ?? 'USD';
  // A float is exact enough for pixels.
  const values = days.map(({ gross }) => Number(gross));
  const steps = axisSteps(Math.max(0, ...values));
  const top = steps.at(-1) ?? 1;
  const high = size.height - size.bottom - size.top;
  const y = (value: number) => size.top + high * (1 - value / top);
  const wide = (size.width - size.left) / Math.max(1, days.length);
  const best = days[values.indexOf(Math.max(...values))];
  const label = best
    ? t.overview.sales.plot(formatTime(best.from, timeZone(), 'day'), formatMoney(best.gross, currency))
    : t.overview.sales.noDays;
  return (
    <svg class="plot" viewBox={`0 0 ${size.width} ${size.height}`} role="img" aria-label={label}>
      {steps.map((step) => (
        <g key={step} class="axis">
          <line x1={size.left} x2={size.width} y1={y(step)} y2={y(step)} />
          <text x={size.left - 8} y={y(step) + 4} text-anchor="end">
            {shortMoney(step, currency)}
          </text>
        </g>
      ))}
      {days.map(({ from, gross, orders }, i) => {
        const value = values[i] ?? 0;
        const x = size.left + i * wide;
        return (
          <g key={from} class="day">
            <title>
              {t.overview.sales.day(formatTime(from, timeZone(), 'day'), formatMoney(gross, currency), orders)}
            </title>
            <rect class="reach" x={x} y={size.top} width={wide} height={high} />
            <rect
              class="bar-of-day"
              x={x + wide * 0.15}
              y={y(value)}
              width={wide * 0.7}
              height={high + size.top - y(value)}
              rx="2"
            />
            {i % (isNarrow ? 14 : 7) === 0 && (
              <text
                x={i === 0 ? x : i > days.length - 3 ? x + wide : x + wide / 2}
                y={size.height - 6}
                text-anchor={i === 0 ? 'start' : i > days.length - 3 ? 'end' : 'middle'}
              >
                {new Intl.DateTimeFormat(locales, {
                  timeZone: timeZone(),
                  month: 'short',
                  day: 'numeric',
                }).format(Date.parse(from))}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}

function shortMoney(value: number, currency: string): string {
  const format = new Intl.NumberFormat(locales, {
    style: 'currency',
    currency,
    notation: 'compact',
    maximumFractionDigits: value > 0 && value < 10 ? 2 : 1,
    minimumFractionDigits: 0,
  });
  return format.format(value);
}

function DayTable({ days }: { days: readonly Day[] }) {
  const { columns } = t.overview.sales;
  return (
    <div class="day-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{columns.day}</th>
            <th scope="col" class="end">
              {columns.orders}
            </th>
            <th scope="col" class="end">
              {columns.gross}
            </th>
            <th scope="col" class="end">
              {columns.refunded}
            </th>
          </tr>
        </thead>
        <tbody>
          {[...days].reverse().map(({ from, orders, gross, refunded }) => (
            <tr key={from}>
              <th scope="row">
                <Time at={from} form="day" />
              </th>
              <td class="end">{formatNumber(orders)}</td>
              <td class="end">
                <Money amount={gross} />
              </td>
              <td class="end">
                <Money amount={refunded} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
