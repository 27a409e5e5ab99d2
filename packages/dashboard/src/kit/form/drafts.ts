import type { Values } from './merge.ts';

/** Unsaved input, kept for the tab until it is saved or discarded. */
export interface Draft {
  /** Time of writing, ISO 8601. */
  at: string;
  /** The changed fields. */
  changes: Values;
  /** Values that these changes started from. */
  base: Values;
}

const nameOf = (key: string) => `commerce.draft.${key}`;

export function readDraft(key: string): Draft | undefined {
  try {
    const draft = JSON.parse(sessionStorage.getItem(nameOf(key)) ?? 'null') as Draft | null;
    return draft?.changes && draft.base && Object.keys(draft.changes).length > 0 ? draft : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Stores the changes; without changes the draft is deleted.
 * @param read values that they started from
 */
export function writeDraft(key: string, changes: Values, read: Values = {}): void {
  try {
    if (Object.keys(changes).length === 0) sessionStorage.removeItem(nameOf(key));
    else {
      const base = Object.fromEntries(Object.keys(changes).map((name) => [name, read[name]]));
      const draft: Draft = { at: new Date().toISOString(), changes, base };
      sessionStorage.setItem(nameOf(key), JSON.stringify(draft));
    }
  } catch {
    // The browser cannot store it: the guard still asks before leaving.
  }
}
