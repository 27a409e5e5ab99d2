import { createHash } from 'node:crypto';
import { perEngine } from '../../engine/per-engine.ts';

/** A product of a list, with its variant group. */
export interface Entry {
  id: string;
  group: string | null;
}

/** What a process remembers of a list until a product of the store enters it, leaves it or moves in it. */
export interface Remembered {
  /** Matches, or groups of them. */
  total?: number;
  /** Products that match, leaving groups aside. */
  count?: number;
  /** The matches in order: all of them, or the first `maxEntries`. */
  entries?: readonly Entry[];
  /** The ids of one page. */
  page?: readonly string[];
  /** Counted facets. */
  facet?: unknown;
}

/** Matches that are kept in order. Lists with more are walked. */
export const maxEntries = 20_000;

/** About 20 MB. The least recently used lists are dropped first. */
const maxEntriesOfAll = 200_000;

/** Characters of counted facets that take as much room as an entry. */
const charactersOfEntry = 50;

class Memory {
  readonly #kept = new Map<string, Remembered & { version: number; size: number }>();
  #size = 0;

  get(name: string, version: number): Remembered | undefined {
    const kept = this.#kept.get(name);
    if (kept?.version !== version) return undefined;
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    return kept;
  }

  set(name: string, version: number, value: Remembered): void {
    this.#drop(name);
    const facet = value.facet === undefined ? 0 : JSON.stringify(value.facet).length / charactersOfEntry;
    const size = 5 + (value.entries?.length ?? 0) + (value.page?.length ?? 0) + facet;
    this.#kept.set(name, { ...value, version, size });
    this.#size += size;
    for (const [oldest] of this.#kept) {
      if (this.#size <= maxEntriesOfAll) break;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#size -= this.#kept.get(name)?.size ?? 0;
    this.#kept.delete(name);
  }
}

/** Lists that this process remembers, by name and with the version of the store's lists. */
export const memoryOf = perEngine(() => new Memory());

/** Names of lists can be long, such as twenty attributes. */
export function nameOf(...parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64');
}
