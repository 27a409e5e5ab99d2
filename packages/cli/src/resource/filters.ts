import type { Context } from '@commerce/core';
import { type Command, Option } from 'commander';
import { collectPair, collectPairs } from '../input/field-options.ts';
import { flagOf, forField } from '../input/flags.ts';
import { isId, type Kind, resolveFields } from '../resolve.ts';
import { UsageError } from '../usage-error.ts';

/** A filter of a list: its own option, in addition to `--filter <field>=<value>`, and the kind of thing that its value names. */
export interface Filter {
  flags: string;
  description: string;
  kind?: Kind;
  choices?: readonly string[];
  /** Reads a pair that the option gives; each pair is a separate filter. */
  parse?(value: string, before: Record<string, string | string[]> | undefined): Record<string, string | string[]>;
}

/** Filters by the field of the interface. */
export type Filters = Readonly<Record<string, Filter>>;

/** Adds the options of filters to a command. */
export function addFilters(command: Command, filters: Filters): Command {
  for (const [field, { flags, description: about, choices, parse }] of Object.entries(filters)) {
    const option = new Option(flags, about);
    if (choices) option.choices(choices);
    if (parse) option.argParser(parse);
    command.addOption(forField(field, option));
  }
  const fields = Object.keys(filters);
  if (fields.length > 0) {
    command.addOption(
      new Option(
        '--filter <field=value>',
        `only items with this value, as in the HTTP API: ${fields.join(', ')}; repeatable`,
      ).argParser(collectPair),
    );
  }
  return command;
}

/** The given filters with ids in place of names. @throws UsageError for a name that the store does not have */
export async function resolveFilters(
  shop: Context,
  given: Record<string, unknown>,
  command: Command,
  filters: Filters,
): Promise<Record<string, unknown>> {
  const kinds = Object.fromEntries(
    Object.entries(filters).flatMap(([field, { kind }]) => (kind ? [[field, kind]] : [])),
  );
  const resolved = await resolveFields(shop, given, kinds);
  for (const [field, kind] of Object.entries(kinds)) {
    const text = given[field];
    // A name that was found is an id by now. Without this check, a mistyped name would give an empty list.
    if (typeof text !== 'string' || text === 'null' || resolved[field] !== text || isId(text)) continue;
    const flag = flagOf(command, field, false) ?? field;
    throw new UsageError(`${flag}: no ${kind} ${JSON.stringify(text)} in this store`);
  }
  return resolved;
}

/** Filters of the options and of `--filter`, by field. */
export function filtersOf(
  options: { filter?: Record<string, string> },
  command: Command,
  filters: Filters,
): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [field, { flags, parse }] of Object.entries(filters)) {
    const value = command.getOptionValue(new Option(flags).attributeName());
    if (value === undefined) continue;
    if (parse) {
      for (const [name, one] of Object.entries(value)) given[prefixOf(field) + name] = one;
    } else {
      refuseEmpty(field, value, flags.split(' ')[0] ?? flags);
      given[field] = value;
    }
  }
  for (const [field, value] of Object.entries(options.filter ?? {})) {
    const isNamed = Object.keys(filters).some((one) => one.endsWith('>') && field.startsWith(prefixOf(one)));
    if (!isNamed && !Object.hasOwn(filters, field)) {
      throw new UsageError(
        `--filter: unknown filter ${JSON.stringify(field)}; use one of ${Object.keys(filters).join(', ')}`,
      );
    }
    if (!isNamed) refuseEmpty(field, value, `--filter ${field}`);
    given[field] = value;
  }
  return given;
}

/** The beginning of the filters that a field such as `attr.<name>` stands for. */
function prefixOf(field: string): string {
  return field.slice(0, field.indexOf('<'));
}

/** The filter by metadata of every list that has one. */
export const metadataFilter: Filters = {
  'metadata.<key>': {
    flags: '--metadata <key=value>',
    description: 'only items with this text in their metadata, such as erp.id=4711; repeatable',
    parse: collectPairs,
  },
};

/** The filter by a tag of every list that has one. */
export const tagFilter: Filters = { tag: { flags: '--tag <tag>', description: 'only items with this tag' } };

/** Refuses a filter by an empty text, such as from an unset variable: the interface would ignore it and list everything. */
function refuseEmpty(field: string, value: unknown, flag: string): void {
  if (value === '' && field !== 'search') throw new UsageError(`${flag}: must not be empty`);
}
