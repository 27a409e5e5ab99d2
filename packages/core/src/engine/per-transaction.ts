import type { TxContext } from './context.ts';

/** Merges data that an operation has collected into the data of earlier operations in the same transaction; see `transaction`. */
interface Owner {
  add(all: unknown, collected: unknown): void;
}

/**
 * State of one transaction, created on first use: data that a module collects until the transaction ends.
 * @param add merges the data of one operation into the data of earlier ones, if the transaction has several operations
 */
export function perTransaction<T>(make: () => T, add: (all: T, collected: T) => void): (tx: TxContext) => T {
  const owner = { add };
  return ({ pending }) => {
    let state = pending.get(owner) as T | undefined;
    if (state === undefined) {
      state = make();
      pending.set(owner, state);
    }
    return state;
  };
}

/** Merges everything that an operation has collected into its transaction. */
export function addPending(all: TxContext, { pending }: TxContext): void {
  for (const [owner, collected] of pending) {
    const known = all.pending.get(owner);
    if (known === undefined) all.pending.set(owner, collected);
    else (owner as Owner).add(known, collected);
  }
}

/** Merge of sets: their union. */
export function addToSet<T>(all: Set<T>, collected: ReadonlySet<T>): void {
  for (const one of collected) all.add(one);
}

/** Merge of maps: later values replace earlier ones. */
export function addToMap<K, V>(all: Map<K, V>, collected: ReadonlyMap<K, V>): void {
  for (const [key, value] of collected) all.set(key, value);
}
