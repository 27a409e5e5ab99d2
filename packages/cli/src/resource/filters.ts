import type { Context } from '@commerce/core';
import { type Command, Option } from 'commander';
import { collectPair } from '../input/field-options.ts';
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
      for (const [name, one] of Object.entries(value)) given[field.replace('<name>', name)] = one;
    } else {
      refuseEmpty(field, value, flags.split(' ')[0] ?? flags);
      given[field] = value;
    }
  }
  for (const [field, value] of Object.entries(options.filter ?? {})) {
    const isAttribute = Object.hasOwn(filters, 'attr.<name>') && /^attr\../.test(field);
    if (!isAttribute && !Object.hasOwn(filters, field)) {
      throw new UsageError(
        `--filter: unknown filter ${JSON.stringify(field)}; use one of ${Object.keys(filters).join(', ')}`,
      );
    }
    if (!isAttribute) refuseEmpty(field, value, `--filter ${field}`);
    given[field] = value;
  }
  return given;
}

/** Refuses a filter by an empty text, such as from an unset variable: the interface would ignore it and list everything. */
function refuseEmpty(field: string, value: unknown, flag: string): void {
  if (value === '' && field !== 'search') throw new UsageError(`${flag}: must not be empty`);
}
