import type { Option } from 'commander';

/** Options for required fields. A file can give them, too, so Commander cannot require them. */
const required = new WeakSet<Option>();

export function markRequired(option: Option): void {
  required.add(option);
}

export function isRequired(option: Option): boolean {
  return option.mandatory || required.has(option);
}
