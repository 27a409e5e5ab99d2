import { useState } from 'preact/hooks';
import { useNarrow } from '../../kit/index.ts';
import { t } from '../../words/words.ts';
import { axisSteps } from './axis.ts';
import { shortMoney } from './money.ts';

export interface Bar {
  key: string;
  name: string;
  /** Its name on the axis. */
  short: string;
  /** Height. A float is exact enough for pixels. */
  value: number;
  /** What it says, such as the amount and the number of orders. */
  text: string;
}

/** Units of the picture, about as large as pixels; the styles reserve the same proportions. */
const sizes = {
  wide: { width: 960, height: 230, left: 64, bottom: 26, top: 12, labels: 8 },
  narrow: { width: 330, height: 200, left: 50, bottom: 24, top: 12, labels: 4 },
};

/** Bars, whose values appear on hovering, and by the arrow keys. A table has to say the same. */
export function Chart({ bars, label }: { bars: readonly Bar[]; label: string }) {
  const [active, setActive] = useState<number>();
  const size = useNarrow() ? sizes.narrow : sizes.wide;
  const steps = axisSteps(Math.max(0, ...bars.map(({ value }) => value)));
  const top = steps.at(-1) ?? 1;
  const high = size.height - size.bottom - size.top;
  const y = (value: number) => size.top + high * (1 - value / top);
  const wide = (size.width - size.left) / Math.max(1, bars.length);
  const each = Math.ceil(bars.length / size.labels);
  const shown = active === undefined ? undefined : bars[active];
  const move = (event: KeyboardEvent) => {
    const last = bars.length - 1;
    const from = active ?? last;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, Home: 0, End: last, Escape: undefined };
    if (!Object.hasOwn(to, event.key)) return;
    event.preventDefault();
    const next = to[event.key as keyof typeof to];
    setActive(next === undefined ? undefined : Math.max(0, Math.min(last, next)));
  };
  const point = (event: PointerEvent & { currentTarget: Element }) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    const at = Math.floor((((event.clientX - left) / width) * size.width - size.left) / wide);
    setActive(at >= 0 && at < bars.length ? at : undefined);
  };
  const middle = active === undefined ? 0 : (size.left + (active + 0.5) * wide) / size.width;
  return (
    <div
      class="chart"
      role="group"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys read the bars
      tabIndex={0}
      onKeyDown={move}
      onFocus={() => setActive((old) => old ?? bars.length - 1)}
      onBlur={() => setActive(undefined)}
      onPointerMove={point}
      onPointerLeave={() => setActive(undefined)}
    >
      <svg viewBox={`0 0 ${size.width} ${size.height}`} aria-hidden="true">
        {steps.map((step) => (
          <g key={step} class="axis">
            <line x1={size.left} x2={size.width} y1={y(step)} y2={y(step)} />
            <text x={size.left - 8} y={y(step) + 4} text-anchor="end">
              {shortMoney(step)}
            </text>
          </g>
        ))}
        {bars.map(({ key, short, value }, i) => {
          const x = size.left + i * wide;
          const isLast = i + each > bars.length - 1;
          return (
            <g key={key} class={i === active ? 'active' : ''}>
              {i === active && <rect class="reach" x={x} y={size.top} width={wide} height={high} />}
              <rect
                class="bar-of"
                x={x + wide * 0.15}
                y={y(value)}
                width={wide * 0.7}
                height={high + size.top - y(value)}
                rx={Math.min(3, wide * 0.2)}
              />
              {i % each === 0 && (
                <text
                  x={i === 0 ? x : isLast && wide < 40 ? x + wide : x + wide / 2}
                  y={size.height - 6}
                  text-anchor={i === 0 ? 'start' : isLast && wide < 40 ? 'end' : 'middle'}
                >
                  {short}
                </text>
              )}
            </g>
          );
        })}
      </svg>
      <p
        class={`tip${shown ? '' : ' unseen'}`}
        role="status"
        style={{ left: `${middle * 100}%`, transform: `translateX(-${Math.round(middle * 100)}%)` }}
      >
        {shown ? (
          <>
            <strong>{shown.name}</strong> {shown.text}
          </>
        ) : (
          t.statistics.keys
        )}
      </p>
    </div>
  );
}
