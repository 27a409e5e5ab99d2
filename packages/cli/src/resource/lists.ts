import type { Commerce, Context, List } from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { storeContext } from '../context.ts';
import { type DatabaseOptions, type OpenOptions, withCommerce } from '../database.ts';
import { refuseDatabase } from '../database-files.ts';
import { parseList } from '../input/field-options.ts';
import { mostShown, withGroups } from '../input/help-groups.ts';
import { type Examples, newCommand, parseWindow, storeOption } from '../input/options.ts';
import { cellOf, csvLine } from '../output/csv.ts';
import { type Columns, print, table } from '../output/print.ts';
import { painted, terminalWidth } from '../output/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { addFilters, type Filters, filtersOf, resolveFilters } from './filters.ts';

export interface Listing<Item> {
  /** Schema of an item: `--columns` and `--csv` can use its fields; without it, only `columns`. */
  item?: SchemaName;
  /** Filters by the field of the interface. */
  filters: Filters;
  /** Flags of filters that a long help shows with `--all` only. */
  rareFilters?: readonly string[];
  /** Orders that the list itself has; `--sort` with another name sorts the entries of the page. */
  sorts?: readonly string[];
  /** Text after the table. */
  footer?(list: List<Item>): string;
  /** Columns of the table, unless `--columns` says otherwise. */
  columns: Columns<Item>;
  read(shop: Context, query: Record<string, unknown>, command: Command): Promise<List<Item>>;
}

interface ListOptions extends DatabaseOptions {
  store?: string;
  limit?: string | number;
  offset?: string | number;
  filter?: Record<string, string>;
  columns?: string[];
  sort?: string;
  json?: boolean;
  jsonl?: boolean;
  csv?: boolean | string;
}

interface ListCommandOptions {
  name?: string;
  /** `short` for a list of at most 100 entries, `none` for one that is always whole. */
  window?: 'short' | 'none';
  /** True if `--csv` can name a file. */
  csvFile?: boolean;
  /** Settings for opening the database, from further options. */
  open?(options: ListOptions, command: Command): OpenOptions;
}

/** The command `list` of a resource, with its filters, its window, and its output formats. */
export function listCommand<Item extends object>(
  description: string,
  calls: Examples,
  listing: Listing<Item>,
  { name = 'list', window, csvFile = false, open = () => ({}) }: ListCommandOptions = {},
): Command {
  const command = newCommand(name, description, calls).addOption(storeOption());
  addFilters(command, listing.filters);
  const columns = Object.keys(listing.columns).join(', ');
  if (window !== 'none') {
    const [most, usual] = window === 'short' ? [100, 10] : [200, 50];
    command
      .option('--limit <n>', `maximum number of entries, up to ${most}`, parseWindow, usual)
      .option('--offset <n>', 'number of entries to skip', parseWindow, 0);
  }
  command
    .addOption(
      new Option('--columns <names>', `columns to show: ${columns}${listing.item ? ', or any field' : ''}`).argParser(
        parseColumns,
      ),
    )
    .option(
      '--sort <column>',
      listing.sorts
        ? `${listing.sorts.join(', ')}; any other column sorts the entries of this page`
        : 'sort the entries of this page by a column; -column sorts in descending order',
    )
    .addOption(new Option('--jsonl', 'print one JSON object per line').conflicts(['json', 'csv']))
    .addOption(
      new Option(
        csvFile ? '--csv [file]' : '--csv',
        `print CSV (RFC 4180)${csvFile ? ', or write it to a file' : ''}; formulas are escaped with an apostrophe`,
      ).conflicts(['json', 'jsonl']),
    )
    .action((...call: unknown[]) => {
      const self = call.at(-1) as Command;
      const options = self.opts<ListOptions>();
      return runList(options, self, listing, open(options, self));
    });
  if (command.options.length < mostShown) return command;
  const output = ['--columns', '--sort', '--jsonl', '--csv'];
  const isLong = command.options.length - output.length >= mostShown - 2;
  return withGroups(command, {
    'Output format': output,
    ...(isLong && { 'Further filters': ['--filter', ...(listing.rareFilters ?? [])] }),
  });
}

async function runList<Item extends object>(
  given: ListOptions,
  command: Command,
  listing: Listing<Item>,
  open: OpenOptions,
): Promise<void> {
  const order = listing.sorts?.includes(given.sort ?? '') ? given.sort : undefined;
  const { sort: _, ...unsorted } = given;
  const options = order === undefined ? given : unsorted;
  const filters = filtersOf(options, command, listing.filters);
  const chosen = await chooseColumns(options, listing);
  const work = async (commerce: Commerce) => {
    const shop = await storeContext(commerce, options.store);
    const { limit, offset } = options;
    const resolved = await resolveFilters(shop, filters, command, listing.filters);
    const query = { limit, offset, ...(order !== undefined && { sort: order }), ...resolved };
    const found = await listing.read(shop, query, command);
    const list = { ...found, items: sorted(found.items, options, chosen) };
    if (options.jsonl) {
      for (const item of list.items) process.stdout.write(`${JSON.stringify(item)}\n`);
    } else if (options.csv) {
      const names = Object.keys(chosen);
      const lines = [csvLine(names), ...list.items.map((item) => csvLine(names.map((name) => chosen[name]?.(item))))];
      if (typeof options.csv === 'string' && options.csv !== '-') await writeCsv(options.csv, lines, options);
      else process.stdout.write(lines.join(''));
    } else {
      print(options, list, () => {
        const text = table(list.items, chosen, terminalWidth(process.stdout), '; choose with --columns');
        return text + (offset === undefined ? '' : rest(list, Number(offset))) + (listing.footer?.(list) ?? '');
      });
    }
  };
  return withCommerce(options, work, open);
}

async function writeCsv(file: string, lines: readonly string[], { db }: ListOptions): Promise<void> {
  const { writeFile } = await import('../transfer/export.ts');
  refuseDatabase(file, db, 'the list');
  await writeFile(file, lines);
  process.stdout.write(`${lines.length - 1} rows in ${file}\n`);
}

function parseColumns(value: string): string[] {
  if (value.trim() === '') throw new InvalidArgumentError('It must be column names, separated by commas.');
  return parseList(value);
}

/** Columns and rows that the list does not show; printed only for a person. */
function rest<Item>({ items, total }: List<Item>, offset: number): string {
  const end = offset + items.length;
  if (!process.stdout.isTTY || items.length === 0 || (offset === 0 && end >= total)) return '';
  const more = end < total ? `; continue with --offset ${end}` : '';
  return painted(`\n(${offset + 1} to ${end} of ${total}${more})`, 'dim', process.stdout);
}

/**
 * Columns of the output: the columns of the table, the columns that `--columns` names, or every field in CSV.
 * @throws UsageError
 */
async function chooseColumns<Item extends object>(
  { columns, csv, sort }: ListOptions,
  listing: Listing<Item>,
): Promise<Columns<Item>> {
  const own = listing.columns;
  const name = sort?.replace(/^-/, '');
  const isOwn = (column: string) => Object.hasOwn(own, column);
  if (!csv && (columns ?? []).every(isOwn) && (name === undefined || isOwn(name)))
    return columns ? pick(own, columns) : own;
  const fields: Columns<Item> = listing.item ? await fieldsOf(listing.item) : own;
  // In CSV a column is the whole field of that name; in a table, the most readable form.
  const all = csv ? { ...own, ...fields } : { ...fields, ...own };
  for (const [option, column] of [
    ['--sort', name] as const,
    ...(columns ?? []).map((one) => ['--columns', one] as const),
  ]) {
    if (column !== undefined && !Object.hasOwn(all, column)) {
      throw new UsageError(
        `${option}: unknown column ${JSON.stringify(column)}; use some of ${Object.keys(all).join(', ')}`,
      );
    }
  }
  if (columns) return pick(all, columns);
  return csv ? fields : own;
}

/** A column for each field of a resource. */
async function fieldsOf<Item extends object>(resource: SchemaName): Promise<Columns<Item>> {
  const { fieldNames } = await import('../input/described.ts');
  return Object.fromEntries(
    fieldNames(resource).map((name) => [name, (item: Item) => cellOf(item[name as keyof Item])]),
  );
}

function pick<Item>(all: Columns<Item>, names: readonly string[]): Columns<Item> {
  return Object.fromEntries(names.map((name) => [name, all[name] ?? (() => null)]));
}

function sorted<Item extends object>(items: Item[], { sort }: ListOptions, chosen: Columns<Item>): Item[] {
  if (sort === undefined) return items;
  const name = sort.replace(/^-/, '');
  const sign = sort.startsWith('-') ? -1 : 1;
  const value = chosen[name] ?? ((item: Item) => cellOf(item[name as keyof Item]));
  const compare = new Intl.Collator(undefined, { numeric: true }).compare;
  const keyed = items.map((item) => ({ item, key: String(value(item) ?? '') }));
  return keyed.sort((a, b) => sign * compareKeys(a.key, b.key, compare)).map(({ item }) => item);
}

const amount = /^(-?\d+(?:\.\d+)?)( [A-Z]{3})?$/;

/** Amounts and numbers are sorted by size, texts by the alphabet. */
function compareKeys(a: string, b: string, compare: (a: string, b: string) => number): number {
  const [, left] = amount.exec(a) ?? [];
  const [, right] = amount.exec(b) ?? [];
  return left !== undefined && right !== undefined ? Number(left) - Number(right) : compare(a, b);
}
