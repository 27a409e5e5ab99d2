import type { ComponentChildren } from 'preact';
import { formatMoney, fromMinorUnits, Money, minorUnits, shopDecimals } from '../../kit/index.ts';
import { formatNumber } from '../../words/forms.ts';
import { t } from '../../words/words.ts';
import { averageOf, changeOf } from './change.ts';
import { shopCurrency } from './money.ts';
import { daysName } from './names.ts';
import type { Period } from './period.ts';
import type { Compared, Sales } from './sales-data.ts';

interface Figure {
  label: string;
  now: ComponentChildren;
  before: string;
  change: number | undefined;
  /** Whether more is better; a figure without it has no colour. */
  isGood?: true;
}

const zeros: Sales['sum'] = { orders: 0, gross: '0', refunded: '0', net: '0' };

/** Sales, orders, their average and refunds, each with its change against the period before. */
export function Figures({ of }: { of: Compared | undefined }) {
  const { labels } = t.statistics;
  const decimals = shopDecimals();
  const amount = (label: string, now: bigint, before: bigint): Figure => ({
    label,
    now: <Money amount={fromMinorUnits(now, decimals)} />,
    before: formatMoney(fromMinorUnits(before, decimals), shopCurrency()),
    change: changeOf(before, now),
  });
  const units = (value: string) => minorUnits(value, decimals);
  // Zeros keep the places of the figures until they have arrived.
  const [sum, before] = [of?.now.sum ?? zeros, of?.before ?? zeros];
  const figures: Figure[] = [
    { ...amount(labels.sales, units(sum.gross), units(before.gross)), isGood: true },
    {
      label: labels.orders,
      now: formatNumber(sum.orders),
      before: formatNumber(before.orders),
      change: changeOf(BigInt(before.orders), BigInt(sum.orders)),
      isGood: true,
    },
    {
      ...amount(labels.average, averageOf(units(sum.gross), sum.orders), averageOf(units(before.gross), before.orders)),
      isGood: true,
    },
    amount(labels.refunds, units(sum.refunded), units(before.refunded)),
  ];
  return (
    <dl class={`sales-figures${of ? '' : ' waiting'}`} aria-busy={!of}>
      {figures.map(({ label, now, before: earlier, change, isGood }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class="now">{of ? now : <span class="bar" />}</dd>
          <dd class="before">{of && <Change of={change} before={earlier} isGood={isGood} period={of.period} />}</dd>
        </div>
      ))}
    </dl>
  );
}

function Change({
  of,
  before,
  isGood,
  period,
}: {
  of: number | undefined;
  before: string;
  isGood: true | undefined;
  period: Period;
}) {
  const words = t.statistics.change;
  const amount =
    of === undefined ? '' : formatNumber(Math.abs(of) / 1000, { style: 'percent', maximumFractionDigits: 0 });
  const tone = isGood && of ? (of > 0 ? 'up' : 'down') : '';
  return (
    <span title={words.title(daysName(period.before), before)}>
      {of !== undefined && (
        <span class={`change ${tone}`}>
          <span aria-hidden="true">{of > 0 ? '▲ ' : of < 0 ? '▼ ' : ''}</span>
          <span class="unseen">{of > 0 ? words.up : of < 0 ? words.down : ''} </span>
          {of === 0 ? words.same : amount}
        </span>
      )}{' '}
      {of !== 0 && words.from(before)}
    </span>
  );
}
