import type { ProcessMetrics } from '@commerce/server';

type Metric = ProcessMetrics[number];

/** Kinds of metrics that only increase. */
const growing = new Set<string>(['counter', 'histogram']);

/**
 * Last known counts of processes that have ended. Without them a sum would fall when a process is replaced, and a metrics reader would
 * count the remaining sum as new.
 */
export class EndedCounts {
  readonly #metrics = new Map<string, { metric: Metric; values: Map<string, Metric['values'][number]> }>();

  add(ended: ProcessMetrics): void {
    for (const metric of ended) {
      if (!growing.has(String(metric.type))) continue;
      const sums = this.#metrics.get(metric.name) ?? { metric, values: new Map() };
      this.#metrics.set(metric.name, sums);
      for (const value of metric.values) {
        const key = JSON.stringify([(value as { metricName?: string }).metricName, value.labels]);
        const before = sums.values.get(key)?.value ?? 0;
        sums.values.set(key, { ...value, value: before + value.value });
      }
    }
  }

  /** The sums, in the form of one more process. */
  get all(): ProcessMetrics {
    return [...this.#metrics.values()].map(({ metric, values }) => ({ ...metric, values: [...values.values()] }));
  }
}
