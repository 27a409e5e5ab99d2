import { Option } from 'commander';

/** Options of the log of a server. */
export interface LogOptions {
  log: 'off' | 'on' | 'json';
  logFormat: 'auto' | 'text' | 'json';
}

export const logOption = () =>
  new Option('--log <switch>', 'log every request to standard error; json is --log-format json')
    .env('COMMERCE_LOG')
    .choices(['off', 'on', 'json'])
    .default('on');

export const logFormatOption = () =>
  new Option('--log-format <form>', 'text or JSON lines; auto is text on a terminal and JSON otherwise')
    .env('COMMERCE_LOG_FORMAT')
    .choices(['auto', 'text', 'json'])
    .default('auto');

/** The format of the log's lines; undefined for no log. */
export function logForm({ log, logFormat }: LogOptions): 'text' | 'json' | undefined {
  if (log === 'off') return undefined;
  if (log === 'json') return 'json';
  return logFormat === 'auto' ? (process.stderr.isTTY ? 'text' : 'json') : logFormat;
}
