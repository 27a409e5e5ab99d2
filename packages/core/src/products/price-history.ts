/** The offer of a product from a time on. Prices are minor units, times milliseconds. */
export interface PriceEntry {
  at: number;
  price: number;
  /** Whether buyers could buy it: it was published. */
  offered: boolean;
}

/** A reduction that is running: the price is below `compareAtPrice`. */
interface Reduction {
  beganAt: number;
  /** Lowest price of the 30 days before; null without one. */
  prior: number | null;
  /** Whether the price rose since it began, so that the next fall begins another reduction. */
  rose: boolean;
}

/** What the prior price of a product follows from: Art. 6a of Directive 98/6/EC. */
export interface PriceHistory {
  /** Time at which the product was first offered; null before. */
  firstOfferedAt: number | null;
  /** Oldest first: those of the last days, and one before. */
  entries: readonly PriceEntry[];
  reduction: Reduction | null;
}

/** What the history is noted from. */
export interface Priced {
  price: number;
  compareAt: number | null;
  offered: boolean;
}

const day = 24 * 3_600_000;
/** Days before a reduction in which the lowest price counts. */
const windowDays = 30;
/** Falls of this time before `compareAtPrice` came to exceed the price begin the reduction. */
const lookBack = day;
/** Entries that are kept; a product whose price changes more often has some of them merged. */
export const maxEntries = 40;

export const noHistory: PriceHistory = { firstOfferedAt: null, entries: [], reduction: null };

const isReduced = ({ price, compareAt }: Priced) => compareAt !== null && compareAt > price;

/**
 * The history after a change. A reduction begins with the fall of the price in the same change, or within 24 hours before `compareAtPrice`
 * came to exceed it, else when it came to. Of several falls within 24 hours without a rise between them, the first begins it. A further fall
 * goes on with it; a fall after a rise begins another.
 */
export function noted(history: PriceHistory, after: Priced, now: number): PriceHistory {
  const last = history.entries.at(-1);
  const isChanged = !last || last.price !== after.price || last.offered !== after.offered;
  const entries = isChanged
    ? [...history.entries, { at: now, price: after.price, offered: after.offered }]
    : history.entries;
  const firstOfferedAt = history.firstOfferedAt ?? (after.offered ? now : null);
  const next = { firstOfferedAt, entries };
  return { firstOfferedAt, reduction: reductionOf(history, next, after, now), entries: trimmed(entries, now) };
}

function reductionOf(
  { entries: before, reduction }: PriceHistory,
  next: Pick<PriceHistory, 'firstOfferedAt' | 'entries'>,
  after: Priced,
  now: number,
): Reduction | null {
  if (!isReduced(after)) return null;
  const was = before.at(-1)?.price ?? after.price;
  if (reduction && after.price > was) return { ...reduction, rose: true };
  if (reduction && !(reduction.rose && after.price < was)) return reduction;
  const beganAt = firstFall(next.entries, now) ?? now;
  return { beganAt, prior: lowestBefore(next, beganAt), rose: false };
}

/** Time of the first of the falls within a day that no rise follows; undefined without one. */
function firstFall(entries: readonly PriceEntry[], now: number): number | undefined {
  let first: number | undefined;
  for (let i = entries.length - 1; i > 0; i--) {
    const [one, before] = [entries[i] as PriceEntry, entries[i - 1] as PriceEntry];
    if (one.at < now - lookBack || one.price > before.price) break;
    if (one.price < before.price) first = one.at;
  }
  return first;
}

/** The lowest price at which it was offered in the 30 days before; null while it was first offered less than 30 days before. */
function lowestBefore(
  { firstOfferedAt, entries }: Pick<PriceHistory, 'firstOfferedAt' | 'entries'>,
  end: number,
): number | null {
  const start = end - windowDays * day;
  if (firstOfferedAt === null || firstOfferedAt > start) return null;
  let lowest: number | null = null;
  for (const [i, { at, price, offered }] of entries.entries()) {
    const until = entries[i + 1]?.at ?? Number.POSITIVE_INFINITY;
    if (!offered || at >= end || until <= start) continue;
    if (lowest === null || price < lowest) lowest = price;
  }
  return lowest;
}

/** The entries that a reduction from now on could follow from, and one before. */
function trimmed(entries: readonly PriceEntry[], now: number): readonly PriceEntry[] {
  const start = now - windowDays * day - lookBack;
  const first = entries.findIndex((_, i) => (entries[i + 1]?.at ?? Number.POSITIVE_INFINITY) > start);
  const kept = entries.slice(Math.max(0, first));
  while (kept.length > maxEntries) {
    const i = shortestPair(kept, now - lookBack);
    const [one, other] = kept.slice(i, i + 2) as [PriceEntry, PriceEntry];
    kept.splice(i, 2, merged(one, other));
  }
  return kept;
}

/**
 * Where the two entries begin that were in force for the shortest time together, so that a low price is not kept much longer than 30 days.
 * Those of the last day and the one before stay, because falls are looked for among them. The oldest two if there are no others.
 */
function shortestPair(entries: readonly PriceEntry[], recent: number): number {
  let shortest = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 2 < entries.length; i++) {
    const [from, until] = [entries[i]?.at ?? 0, entries[i + 2]?.at ?? 0];
    if (until >= recent) break;
    if (until - from < least) [shortest, least] = [i, until - from];
  }
  return shortest;
}

/** Two entries as one: the lower price at which it was offered, so that a prior price is never too high. */
function merged(one: PriceEntry, other: PriceEntry): PriceEntry {
  const prices = [one, other].filter(({ offered }) => offered).map(({ price }) => price);
  return { at: one.at, price: prices.length > 0 ? Math.min(...prices) : other.price, offered: prices.length > 0 };
}

/** The history as a text for its column, in the shortest form. */
export function printHistory({ firstOfferedAt, entries, reduction }: PriceHistory): string {
  const list = entries.map(({ at, price, offered }) => [at, price, offered ? 1 : 0]);
  const running = reduction && [reduction.beganAt, reduction.prior, reduction.rose ? 1 : 0];
  return JSON.stringify([firstOfferedAt, list, running]);
}

/** The history of a column; an empty one has none. */
export function readHistory(text: string): PriceHistory {
  if (text === '') return noHistory;
  const [firstOfferedAt, list, running] = JSON.parse(text) as [
    number | null,
    [number, number, number][],
    [number, number | null, number] | null,
  ];
  return {
    firstOfferedAt,
    entries: list.map(([at, price, offered]) => ({ at, price, offered: offered === 1 })),
    reduction: running && { beganAt: running[0], prior: running[1], rose: running[2] === 1 },
  };
}
