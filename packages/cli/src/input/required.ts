import type { Option } from 'commander';

/** Options for fields that must be given, which a file may give, too, so that Commander cannot require them. */
const required = new WeakSet<Option>();

export function markRequired(option: Option): void {
  required.add(option);
}

export function isRequired(option: Option): boolean {
  return option.mandatory || required.has(option);
}
