import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname } from 'node:path';
import { dataFile } from './seed.mjs';

// The results of the last run of each workload, for `--plot`. Workloads write them and the plots read them, independently of each other.

/**
 * @typedef {{ title: string, points: [x: number, y: number][] }} Series A line of a plot.
 * @typedef {{ day: string, node: string, processors: number, series: Record<string, Series[]> }} Kept
 * What a workload has measured: its lines by the plot that they belong to.
 */

const file = () => dataFile('results.json');

/** @returns {Record<string, Kept>} by the name of the workload */
export function readResults() {
  return existsSync(file()) ? JSON.parse(readFileSync(file(), 'utf8')) : {};
}

/**
 * Stores the results of a workload and replaces the previous ones.
 * @param {string} workload
 * @param {Record<string, Series[]>} series
 */
export function keepResults(workload, series) {
  mkdirSync(dirname(file()), { recursive: true });
  const day = new Date().toISOString().slice(0, 10);
  const kept = { day, node: process.versions.node, processors: cpus().length, series };
  writeFileSync(file(), JSON.stringify({ ...readResults(), [workload]: kept }, null, 2));
}
