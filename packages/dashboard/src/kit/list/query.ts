/** A filter; its value is in the address. */
export interface Filter {
  /** Name in the address, and in the query of the interface. */
  name: string;
  label: string;
  /** The options, `date` for a day in the zone of the shop, or `amount` for money; without it, the filter is a text. */
  options?: readonly (readonly [value: string, label: string])[] | 'date' | 'amount';
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

/** A text that is equal for equal values, whatever their order in the address. */
export function keyOf(values: Record<string, string>): string {
  return JSON.stringify(Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1)));
}
