import type { Engine } from './context.ts';

/** Process-local state, one per open database, created on first use. */
export function perEngine<T>(make: (engine: Engine) => T): (engine: Engine) => T {
  const made = new WeakMap<Engine, T>();
  return (engine) => {
    let state = made.get(engine);
    if (state === undefined) {
      state = make(engine);
      made.set(engine, state);
    }
    return state;
  };
}
