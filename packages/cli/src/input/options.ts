import { withoutTrailing } from '@commerce/core';
import { Command, InvalidArgumentError, Option } from 'commander';

/** At least two example calls of a command, without the program name. */
export type Examples = readonly [string, string, ...string[]];

const examples = new WeakMap<Command, Examples>();

/** Examples in the help of a command. */
export function examplesOf(command: Command): Examples | undefined {
  return examples.get(command);
}

/** A command with a description and examples in its help, and no options yet. */
export function bareCommand(name: string, description: string, calls: Examples): Command {
  const command = new Command(name)
    .description(description)
    .addHelpText('after', `\nExamples:\n${calls.map((call) => `  commerce ${call}`).join('\n')}`);
  examples.set(command, calls);
  return command;
}

/** A command with the options of every command that works on the database. */
export function newCommand(name: string, description: string, calls: Examples): Command {
  return bareCommand(name, description, calls)
    .addOption(new Option('--db <file or postgres:// URL>', 'the database').env('COMMERCE_DB').default('commerce.db'))
    .option('--json', 'print JSON, also for errors');
}

/** The option that skips the question before an irreversible action. */
export function yesOption(): Option {
  return new Option('--yes', 'skip confirmation; required without a terminal');
}

/** The option that names the store; optional if there is exactly one. */
export function storeOption(): Option {
  return new Option('--store <id or name>', 'the store; optional if the database has exactly one').env(
    'COMMERCE_STORE',
  );
}

/** A switch that an environment variable can set, too, to yes or no. */
export function switchOption(flag: string, description: string, env: string): Option {
  return new Option(`${flag} [yes or no]`, description).env(env).preset('yes').argParser(parseSwitch).default(false);
}

/** The value of a switch: yes or no in the usual spellings. */
export function parseSwitch(value: string): boolean {
  if (/^(1|true|yes)$/i.test(value)) return true;
  if (/^(0|false|no|)$/i.test(value)) return false;
  throw new InvalidArgumentError('It must be 1, true or yes, or 0, false or no.');
}

/** A text that is not empty. An empty text comes from an unset shell variable, and would drop the option silently. */
export function parseText(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It must not be empty.');
  return value;
}

export function parsePort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('It must be a whole number from 0 to 65535.');
  return port;
}

/** An address to listen on. Refuses an empty text, which would mean every address of the machine. */
export function parseHost(value: string): string {
  const host = value.trim().replace(/^\[(.*)\]$/, '$1');
  if (host === '') throw new InvalidArgumentError('It must be an address such as 127.0.0.1; 0.0.0.0 means all.');
  return host;
}

/** An address that paths are added to, without a slash at its end. */
export function parseBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username || url.password) {
    throw new InvalidArgumentError('It must be an http or https address such as https://shop.example.com.');
  }
  return withoutTrailing(value, '/');
}

export function parseWindow(value: string): number {
  if (!/^\d{1,9}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

/** A whole number from 1 on. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,6}$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1 to 9999999.');
  return Number(value);
}

/** Reads and writes a minute, such as 600,60. */
export function parseStorefrontLimits(value: string): { reads: number; writes: number } {
  const [, reads, writes] = /^([1-9]\d{0,5}),([1-9]\d{0,5})$/.exec(value.replaceAll(' ', '')) ?? [];
  if (!reads || !writes)
    throw new InvalidArgumentError('It must be two whole numbers from 1 to 999999, such as 600,60.');
  return { reads: Number(reads), writes: Number(writes) };
}

/** Addresses of PostgreSQL databases, separated by commas. */
export function parseDatabases(value: string): string[] {
  const databases = value.split(',').map((database) => database.trim());
  if (databases.every((database) => /^postgres(ql)?:\/\//i.test(database) && URL.canParse(database))) return databases;
  throw new InvalidArgumentError(
    'It must be addresses such as postgres://shop@replica:5432/shop, separated by commas; a comma in a password is %2C.',
  );
}

/** Up to a minute in seconds, as milliseconds. */
export function parseStopDelay(value: string): number {
  const seconds = /^\d{1,2}$/.test(value) ? Number(value) : Number.NaN;
  if (!(seconds <= 60)) throw new InvalidArgumentError('It must be a whole number of seconds from 0 to 60.');
  return seconds * 1000;
}

/** Number of processes. */
export function parseWorkers(value: string): number {
  const workers = /^[1-9]\d?$/.test(value) ? Number(value) : Number.NaN;
  if (!(workers <= 64)) throw new InvalidArgumentError('It must be a whole number from 1 to 64.');
  return workers;
}

/** Origins as browsers send them, separated by commas; `*` allows all. */
export function parseOrigins(value: string): string[] {
  const origins = value.split(',').map((origin) => origin.trim().replace(/\/$/, ''));
  if (origins.every(isOrigin)) return origins.map((origin) => (origin === '*' ? origin : new URL(origin).origin));
  throw new InvalidArgumentError('It must be origins such as https://shop.example, separated by commas, or *.');
}

function isOrigin(text: string): boolean {
  // Only a scheme, a host and optionally a port.
  return text === '*' || (/^https?:\/\/[^/?#@\s\\]+$/i.test(text) && URL.canParse(text));
}

/** Hours, as milliseconds. */
export function parseHours(value: string): number {
  if (!/^\d{1,5}$/.test(value)) throw new InvalidArgumentError('It must be a whole number of hours.');
  return Number(value) * 3_600_000;
}

const units = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A time such as 30m, 48h or 7d, as milliseconds. */
export function parseDuration(value: string): number {
  const [, n, unit] = /^([1-9]\d{0,5})([mhd])$/.exec(value) ?? [];
  if (!n) throw new InvalidArgumentError('It must be a number of minutes, hours or days, such as 30m, 48h or 7d.');
  return Number(n) * units[unit as keyof typeof units];
}

/** A time such as 30d, as milliseconds, or the word `never`. */
export function parseDurationOrNever(value: string): number | 'never' {
  return value === 'never' ? value : parseDuration(value);
}

/** A time such as 2026-11-20T08:00:00Z, or a duration before now, such as 2h. */
export function parseSince(value: string): Date {
  if (/^\d+[mhd]$/.test(value)) return new Date(Date.now() - parseDuration(value));
  const time = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(value) ? new Date(value) : undefined;
  if (time && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('It must be a time such as 2026-11-20T08:00:00Z, or how long ago, such as 2h.');
}

/** Ranges of private networks in which mail servers can be. */
export function invoiceFontOption(): Option {
  return new Option(
    '--invoice-font <path>',
    'a TrueType or OpenType font for invoices with texts in other scripts than Latin, Greek and Cyrillic',
  ).env('COMMERCE_INVOICE_FONT');
}

export function smtpAllowOption(): Option {
  return new Option('--smtp-allow <ranges>', 'private network ranges in which mail servers can be, such as 10.1.0.0/16')
    .env('COMMERCE_SMTP_ALLOW')
    .argParser(parseRanges);
}

export function parseRanges(value: string): string[] {
  return value.split(',').map((range) => range.trim());
}
