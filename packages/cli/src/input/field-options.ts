import type { JsonSchema, SchemaName } from '@commerce/core/schemas';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../usage-error.ts';
import { inputFields } from './described.ts';
import { readJsonFile } from './json-file.ts';
import { parseSwitch } from './options.ts';
import { markRequired } from './required.ts';

const optionsOf = new WeakMap<Command, readonly Option[]>();

/** Command line forms of fields whose schema is not enough. */
export interface FieldForm {
  argument: string;
  description: string;
  parse(value: string): unknown;
}

/** Fields with their own form, and environment variables for fields. */
export interface SpecialFields {
  forms?: Readonly<Record<string, FieldForm>>;
  variables?: Readonly<Record<string, string>>;
}

/**
 * Adds an option for each field of an input schema, as core describes it. `--file` takes the same as JSON, and `--clear` names fields that
 * may be null.
 */
export function addFieldOptions(command: Command, name: SchemaName, special: SpecialFields): void {
  const { properties: described, required } = inputFields(name);
  const properties = Object.entries(described);
  const options = properties.map(([field, property]) => {
    const option = toOption(field, property, special.forms?.[field]);
    const variable = special.variables?.[field];
    if (variable !== undefined) option.env(variable);
    if (required.includes(field)) markRequired(option);
    return option;
  });
  for (const option of options) command.addOption(option);
  optionsOf.set(command, options);
  command.option('--file <json file>', 'the fields as a JSON object; options take precedence; - is standard input');
  const clearable = properties
    .filter(([, property]) => [property.type].flat().includes('null'))
    .map(([field]) => field);
  if (clearable.length > 0 && required.length === 0) {
    command.addOption(
      new Option('--clear <fields>', `clear these fields, separated by commas: ${clearable.join(', ')}`).argParser(
        (value) => parseClear(value, clearable),
      ),
    );
  }
}

/**
 * The given fields: from `--file`, from options, and null for each field of `--clear`.
 * @throws UsageError if nothing was given, or the file does not hold an object
 */
export async function givenFields(command: Command): Promise<Record<string, unknown>> {
  const { file, clear } = command.opts<{ file?: string; clear?: string[] }>();
  const read = file === undefined ? {} : await readJsonFile(file);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new UsageError(`--file: ${file} must contain a JSON object with the fields`);
  }
  const given: Record<string, unknown> = { ...read };
  for (const option of optionsOf.get(command) ?? []) {
    const field = option.attributeName();
    const value = command.getOptionValue(field);
    if (value === undefined) continue;
    if (clear?.includes(field)) throw new UsageError(`--clear ${field}: ${option.long} sets a value for it`);
    given[field] = value;
  }
  for (const field of clear ?? []) given[field] = null;
  if (Object.keys(given).length === 0) throw new UsageError('no field is given; --help lists the options');
  return given;
}

function parseClear(value: string, clearable: readonly string[]): string[] {
  return value.split(',').map((entry) => {
    const field = entry
      .trim()
      .replace(/^--/, '')
      .replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (clearable.includes(field)) return field;
    throw new InvalidArgumentError(`It must be one of ${clearable.join(', ')}.`);
  });
}

function toOption(field: string, schema: JsonSchema, form?: FieldForm): Option {
  const flag = `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (form) return new Option(`${flag} ${form.argument}`, form.description).argParser(form.parse);
  const [type] = [schema.type].flat();
  const description = describe(schema);
  if (Array.isArray(schema.enum)) {
    return new Option(`${flag} <value>`, description).choices(schema.enum.filter((value) => value !== null));
  }
  if (type === 'boolean') {
    return new Option(`${flag} [yes or no]`, description).preset('yes').argParser(parseSwitch);
  }
  if (type === 'integer') return new Option(`${flag} <number>`, description).argParser(parseInteger);
  if (type === 'array' && (schema.items as JsonSchema | undefined)?.type === 'string') {
    return new Option(`${flag} <list>`, `${description} Separated by commas.`).argParser(parseList);
  }
  if (type === 'object' && schema.additionalProperties) {
    return new Option(`${flag} <name=value>`, `${description} Repeatable.`).argParser(collectPair);
  }
  if (type === 'array' || type === 'object') {
    return new Option(`${flag} <json>`, `${description} As JSON.`).argParser(parseJson);
  }
  return new Option(`${flag} <text>`, description);
}

/** The first sentences of a field's description, with an example if it has one. */
function describe({ description, examples }: JsonSchema): string {
  const text = typeof description === 'string' ? description : '';
  const [example] = Array.isArray(examples) ? examples : [];
  const isShort = typeof example === 'string' && example.length <= 24 && !/^[0-9a-f]{8}-/.test(example);
  return isShort ? `${text.replace(/\.$/, '')}, such as ${example.replace(/\.$/, '')}.` : text;
}

function parseInteger(value: string): number {
  if (!/^-?\d{1,15}$/.test(value)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(value);
}

/** Texts separated by commas; an empty text is an empty list. */
export function parseList(value: string): string[] {
  return value === '' ? [] : value.split(',').map((entry) => entry.trim());
}

/** Collects `name=value` pairs. */
export function collectPair(value: string, before: Record<string, string> | undefined): Record<string, string> {
  const at = value.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be name=value, such as color=blue.');
  return { ...before, [value.slice(0, at).trim()]: value.slice(at + 1) };
}

/** Like `collectPair`; several values of one name are a list. */
export function collectPairs(
  value: string,
  before: Record<string, string | string[]> | undefined,
): Record<string, string | string[]> {
  const [[name, one] = ['', '']] = Object.entries(collectPair(value, undefined));
  const known = before?.[name];
  return { ...before, [name]: known === undefined ? one : [known, one].flat() };
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}
