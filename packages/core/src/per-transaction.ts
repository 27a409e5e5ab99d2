import type { TxContext } from './context.ts';

/** State of one transaction, created when it is first asked for: what a module collects until the transaction ends. */
export function perTransaction<T>(make: () => T): (tx: TxContext) => T {
  const owner = {};
  return ({ pending }) => {
    let state = pending.get(owner) as T | undefined;
    if (state === undefined) {
      state = make();
      pending.set(owner, state);
    }
    return state;
  };
}
