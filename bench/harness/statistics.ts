export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** A measurement; writes to a bare file have only a rate. */
interface Measurement {
  /** A second. */
  rate: number;
  p50?: number | undefined;
  p99?: number | undefined;
  /** The share of a processor. */
  busy?: number | undefined;
  /** Processor time of one answer, in microseconds. */
  cost?: number | undefined;
}

/** A measurement as one line, for the log. */
export function describe({ rate, p50, p99, busy, cost }: Measurement): string {
  const load = busy === undefined ? '' : `, ${Math.round(busy * 100)} % of a processor, ${cost?.toFixed(0)} µs each`;
  const waits = p50 === undefined ? '' : ` (p50 ${p50.toFixed(1)} ms, p99 ${p99?.toFixed(1)} ms${load})`;
  return `${Math.round(rate)}/s${waits}`;
}
