const day = 24 * 3_600_000;

/** A change of a product, with what it is offered for afterwards. */
export interface PriceChange {
  /** Milliseconds since the change before. */
  wait: number;
  price: number;
  compareAt: number | null;
  offered: boolean;
}

/**
 * The prior price by the letter of the rule, over the whole history.
 * @returns undefined without a reduction, null if the rule gives none
 */
export function priorPriceByRule(changes: readonly PriceChange[]): number | null | undefined {
  const states: (PriceChange & { at: number })[] = [];
  let at = 0;
  for (const one of changes) {
    at += one.wait;
    states.push({ ...one, at });
  }
  const reduced = (i: number) => {
    const state = states[i];
    return state !== undefined && state.compareAt !== null && state.compareAt > state.price;
  };
  const last = states.length - 1;
  if (!reduced(last)) return undefined;
  // The first state of the uninterrupted time in which it was reduced.
  let start = last;
  while (reduced(start - 1)) start--;
  let begin = start;
  let hasRisen = false;
  for (let i = start + 1; i <= last; i++) {
    const [now, before] = [states[i]?.price ?? 0, states[i - 1]?.price ?? 0];
    if (now > before) hasRisen = true;
    if (now < before && hasRisen) {
      begin = i;
      hasRisen = false;
    }
  }
  let beganAt = states[begin]?.at ?? 0;
  const limit = beganAt - day;
  for (let i = begin; i > 0; i--) {
    const [now, before] = [states[i], states[i - 1]] as [PriceChange & { at: number }, PriceChange & { at: number }];
    if (now.at < limit || now.price > before.price) break;
    if (now.price < before.price) beganAt = now.at;
  }
  const first = states.find(({ offered }) => offered)?.at;
  if (first === undefined || first > beganAt - 30 * day) return null;
  const prices = states.flatMap((state, i) => {
    const until = states[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    return state.offered && state.at < beganAt && until > beganAt - 30 * day ? [state.price] : [];
  });
  return prices.length === 0 ? null : Math.min(...prices);
}
