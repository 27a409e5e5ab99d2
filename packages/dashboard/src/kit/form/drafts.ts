import type { Values } from './merge.ts';

/** What was typed and not saved, kept for the tab until it is saved or thrown away. */
export interface Draft {
  /** When it was written, ISO 8601. */
  at: string;
  /** The fields that were changed. */
  changes: Values;
  /** Values from which these fields were changed. */
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

/** Keeps the changes; none of them throws the draft away. @param read values from which they were made */
export function writeDraft(key: string, changes: Values, read: Values = {}): void {
  try {
    if (Object.keys(changes).length === 0) sessionStorage.removeItem(nameOf(key));
    else {
      const base = Object.fromEntries(Object.keys(changes).map((name) => [name, read[name]]));
      const draft: Draft = { at: new Date().toISOString(), changes, base };
      sessionStorage.setItem(nameOf(key), JSON.stringify(draft));
    }
  } catch {
    // The browser keeps nothing more: the guard still asks before one leaves.
  }
}
