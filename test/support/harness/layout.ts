import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const findOverlaps = readFileSync(new URL('overlaps.js', import.meta.url), 'utf8');

/** Pixels by which two boxes may touch: fonts differ by this much in the height of their boxes. */
const tolerance = 2;

/**
 * Pairs of texts and controls on the page that lie on one another, each as one line. A text in a control is no pair. What is clipped by its
 * container, and what floats above the page (sticky bars, menus, messages), is not compared.
 */
export async function overlaps(page: Page): Promise<string[]> {
  await page.evaluate(`{${findOverlaps}}`);
  return (await page.evaluate(`findOverlaps(${tolerance})`)) as string[];
}

/** Sum of the shifts of the layout since the last call, in the unit of CLS. `watchShifts` has to be called before. */
export async function shifts(page: Page): Promise<{ sum: number; moved: string[] }> {
  return (await page.evaluate('takeShifts()')) as { sum: number; moved: string[] };
}

/** Begins to record the shifts of the layout, in each document that the page loads. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(`{
    let entries = [];
    const add = (list) => entries.push(...list.getEntries());
    const observer = new PerformanceObserver(add);
    observer.observe({ type: 'layout-shift', buffered: true });
    window.takeShifts = () => {
      add({ getEntries: () => observer.takeRecords() });
      const counted = entries.filter((entry) => !entry.hadRecentInput);
      entries = [];
      const name = ({ node, previousRect: a, currentRect: b }) =>
        (node?.className || node?.parentElement?.className || node?.nodeName || '?') + ' from ' + a.y + ' to ' + b.y;
      return {
        sum: counted.reduce((sum, { value }) => sum + value, 0),
        moved: counted.flatMap(({ value, sources }) => sources.map((source) => value.toFixed(3) + ' ' + name(source))),
      };
    };
  }`);
}
