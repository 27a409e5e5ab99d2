/** @param {number[]} values */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A measurement as one line, for the log. */
export function describe({ rate, p50, p99, busy, cost }) {
  const load = busy === undefined ? '' : `, ${Math.round(busy * 100)} % of a processor, ${cost.toFixed(0)} µs each`;
  return `${Math.round(rate)}/s${p50 === undefined ? '' : ` (p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms${load})`}`;
}
