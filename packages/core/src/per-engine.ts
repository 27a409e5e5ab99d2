import type { Engine } from './context.ts';

/** Process-local state, one per open database. */
export function perEngine<T>(make: () => T): (engine: Engine) => T {
  const made = new WeakMap<Engine, T>();
  return (engine) => {
    let state = made.get(engine);
    if (state === undefined) {
      state = make();
      made.set(engine, state);
    }
    return state;
  };
}
