/** A filter; its value is in the address. */
export interface Filter {
  /** Name in the address and, unless `toQuery` says otherwise, in the query of the interface. */
  name: string;
  label: string;
  /** What is chosen from, or `date` for a day in the zone of the shop; without them something is typed. */
  options?: readonly (readonly [value: string, label: string])[] | 'date';
}

/** The values of an address that a list knows; other values are not changed. */
export function valuesOf(params: URLSearchParams, names: readonly string[]): Record<string, string> {
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) values[name] = value;
  }
  return values;
}

/** A text that is the same for the same values, whatever their order in the address. */
export function keyOf(values: Record<string, string>): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
