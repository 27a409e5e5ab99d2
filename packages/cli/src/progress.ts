import type { CopyOptions } from '@commerce/core';
import type { SingleBar } from 'cli-progress';

/** Milliseconds between two lines without a terminal. */
const lineInterval = 10_000;

/** Shows the progress of work on standard error. */
export interface Progress {
  /** @param bytes processed so far, if the size of the file is known */
  update(rows: number, bytes?: number): void;
  end(): void;
}

/**
 * A bar with rate and time left on a terminal, a line every 10 seconds elsewhere, and nothing if quiet.
 * @param size total bytes; without it the rows are counted
 */
export async function openProgress(options: {
  size?: number | undefined;
  quiet?: boolean | undefined;
}): Promise<Progress> {
  const { size, quiet } = options;
  if (quiet) return { update() {}, end() {} };
  return process.stderr.isTTY && size ? openBar(size) : openLines(size);
}

async function openBar(size: number): Promise<Progress> {
  // Loaded only for a terminal.
  const { default: progress } = await import('cli-progress');
  const bar: SingleBar = new progress.SingleBar(
    {
      format: '{bar} {percentage}%  {rows} rows  {rate} rows/s  {eta_formatted} left',
      stream: process.stderr,
      hideCursor: true,
      clearOnComplete: true,
      etaBuffer: 50,
    },
    progress.Presets.shades_classic,
  );
  bar.start(size, 0, { rows: 0, rate: 0 });
  const startedAt = performance.now();
  let first: number | undefined;
  return {
    update(rows, bytes = 0) {
      first ??= rows;
      bar.update(Math.min(bytes, size), { rows, rate: rateOf(rows - first, startedAt) });
    },
    end: () => bar.stop(),
  };
}

function openLines(size: number | undefined): Progress {
  const startedAt = performance.now();
  let toldAt = startedAt;
  let first: number | undefined;
  return {
    update(rows, bytes = 0) {
      first ??= rows;
      const now = performance.now();
      if (now - toldAt < lineInterval) return;
      toldAt = now;
      const part = size ? `${Math.floor((Math.min(bytes, size) / size) * 100)}%, ` : '';
      process.stderr.write(`${part}${rows} rows, ${rateOf(rows - first, startedAt)} rows/s\n`);
    },
    end() {},
  };
}

function rateOf(rows: number, startedAt: number): number {
  return Math.round((rows / Math.max(1, performance.now() - startedAt)) * 1000);
}

/** Counts the rows that a copy has written or compared. */
export function rowsOfCopy(progress: Progress): NonNullable<CopyOptions['onProgress']> {
  let before = 0;
  let last = { table: '', rows: 0 };
  return ({ table, rows }) => {
    if (table !== last.table) before += last.rows;
    last = { table, rows };
    progress.update(before + rows);
  };
}
