// Two people who change the same item: the changes of each, and the fields to choose.

export type Values = Record<string, unknown>;

/** Whether two values are equal in the notation of the interface. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}

/** The fields that differ from the values that were read: only these are sent. */
export function changedFields<T extends Values>(read: T, typed: T): Partial<T> {
  return Object.fromEntries(Object.entries(typed).filter(([name, value]) => !isSame(read[name], value))) as Partial<T>;
}

/** A field that both have changed to different values. */
export interface Conflict {
  field: string;
  mine: unknown;
  theirs: unknown;
}

export interface Merge<T extends Values> {
  /** Fields that both have changed: the user has to choose. */
  conflicts: Conflict[];
  /** Fields that only the other person has changed. */
  taken: string[];
  /** Their version, with the fields that only I have changed. */
  values: T;
}

/**
 * Applies the typed values to a newer version that another user has saved.
 * @param read version from which the typing began
 */
export function merge<T extends Values>(read: T, mine: T, theirs: T): Merge<T> {
  const conflicts: Conflict[] = [];
  const taken: string[] = [];
  const values: Values = { ...theirs };
  for (const field of Object.keys(mine)) {
    const changedMine = !isSame(read[field], mine[field]);
    const changedTheirs = !isSame(read[field], theirs[field]);
    if (changedMine && changedTheirs && !isSame(mine[field], theirs[field])) {
      conflicts.push({ field, mine: mine[field], theirs: theirs[field] });
    } else if (changedTheirs) taken.push(field);
    if (changedMine) values[field] = mine[field];
  }
  return { conflicts, taken, values: values as T };
}
