import type { TxContext } from './context.ts';

/** How what an operation has collected comes to what those before it in the same transaction have; see `transaction`. */
interface Owner {
  add(all: unknown, collected: unknown): void;
}

/**
 * State of one transaction, created when it is first asked for: what a module collects until the transaction ends.
 * @param add adds what one operation has collected to what the operations before it have, where several are one transaction
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

/** Adds all that an operation has collected to what its transaction has. */
export function addPending(all: TxContext, { pending }: TxContext): void {
  for (const [owner, collected] of pending) {
    const known = all.pending.get(owner);
    if (known === undefined) all.pending.set(owner, collected);
    else (owner as Owner).add(known, collected);
  }
}

/** For sets: what one of them names is named by all. */
export function addToSet<T>(all: Set<T>, collected: ReadonlySet<T>): void {
  for (const one of collected) all.add(one);
}

/** For maps: what came last under a name replaces what came before. */
export function addToMap<K, V>(all: Map<K, V>, collected: ReadonlyMap<K, V>): void {
  for (const [key, value] of collected) all.set(key, value);
}
