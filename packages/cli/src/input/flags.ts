import type { Command, Option } from 'commander';

/** The field that each option sets, if the two have different names. */
const fields = new WeakMap<Option, string>();

/** Records the field that an option sets, so that errors can name the option. */
export function forField(field: string, option: Option): Option {
  fields.set(option, field);
  return option;
}

/**
 * The flag that set a field: `--category-ids`, `--filter status`, or the environment variable. Undefined if the field came from elsewhere,
 * such as a file.
 * @param isMissing the field should have been given: then any option for it is the answer
 */
export function flagOf(command: Command, field: string, isMissing: boolean): string | undefined {
  const root = field.split('.')[0] ?? field;
  const { filter } = command.opts<{ filter?: Record<string, string> }>();
  if (filter && Object.hasOwn(filter, root)) return `--filter ${root}`;
  const of = (name: string) => command.options.filter((one) => (fields.get(one) ?? one.attributeName()) === name);
  const exact = of(field);
  const options = exact.length > 0 ? exact : of(root);
  for (const option of options) {
    const source = command.getOptionValueSource(option.attributeName());
    if (source === 'cli') return withPart(option, field);
    if (source === 'env') return option.envVar;
  }
  return isMissing && options[0] ? withPart(options[0], field) : undefined;
}

/** The flag; for a JSON value also the path of the error, such as `--addresses 0.city`. */
function withPart({ long, flags }: Option, field: string): string | undefined {
  const [, ...part] = field.split('.');
  return long && part.length > 0 && flags.endsWith('<json>') ? `${long} ${part.join('.')}` : long;
}
