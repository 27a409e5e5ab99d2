import { setQuery } from '../../browser/router.ts';
import { useNarrow } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { daysName } from './names.ts';
import { type Period, periodNames } from './period.ts';

const words = t.statistics.period;

/**
 * Chooses the period, which is kept in the address.
 * @param compares whether to say which days it is compared with
 */
export function PeriodBar({ period, compares }: { period: Period; compares: boolean }) {
  const { name, from, to, before } = period;
  const names = useNarrow() ? words.shortNames : words.names;
  return (
    <div class="period-bar">
      <div class="choices" role="group" aria-label={words.title}>
        {periodNames.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === name}
            title={words.names[one]}
            onClick={() => {
              const days = one === 'custom' ? { from, to } : { from: undefined, to: undefined };
              setQuery({ period: one === '30' ? undefined : one, ...days, row: undefined });
            }}
          >
            {names[one]}
          </button>
        ))}
      </div>
      {name === 'custom' ? (
        <div class="days">
          <DayField label={words.from} value={from} max={to} set={(day) => setQuery({ from: day, row: undefined })} />
          <DayField label={words.to} value={to} min={from} set={(day) => setQuery({ to: day, row: undefined })} />
        </div>
      ) : (
        <p class="quiet">{daysName(period)}</p>
      )}
      {compares && <p class="quiet">{words.compared(daysName(before))}</p>}
    </div>
  );
}

function DayField({
  label,
  set,
  ...of
}: {
  label: string;
  value: string;
  min?: string;
  max?: string;
  set(day: string): void;
}) {
  return (
    <label>
      {label}
      <input
        type="date"
        {...of}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') set(value);
        }}
      />
    </label>
  );
}
