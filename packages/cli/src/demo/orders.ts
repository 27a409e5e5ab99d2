import { products } from './catalogue.ts';

export const hour = 3_600_000;
export const day = 24 * hour;
/** Period that the orders are spread over. */
export const span = 28 * day;
export const orderCount = 60;

export interface DemoOrder {
  /** Milliseconds before now. */
  age: number;
  customer: number;
  lines: { product: number; quantity: number }[];
  note: string;
  end: 'pending' | 'cancelled' | 'paid' | 'fulfilled' | 'refunded';
}

const notes = ['', '', '', 'It is a present, please no invoice in the parcel.', 'Please ring twice.', ''];

/** The orders of a month, oldest first; every call returns the same. */
export function makeOrders(): DemoOrder[] {
  const random = randomFrom(20_261);
  return Array.from({ length: orderCount }, (_, i) => {
    const age = span - (i / orderCount) * (span - hour) - random() * 6 * hour;
    const chosen = new Set(
      Array.from({ length: 1 + Math.floor(random() * 3) }, () => Math.floor(random() * products.length)),
    );
    return {
      age: Math.round(Math.max(age, hour)),
      customer: Math.floor(random() * random() * 10),
      lines: [...chosen].map((product) => ({ product, quantity: 1 + Math.floor(random() * random() * 3) })),
      note: notes[Math.floor(random() * notes.length)] ?? '',
      end: endOf(age, random()),
    };
  });
}

/** How an order ends; recent ones are still on their way. */
function endOf(age: number, chance: number): DemoOrder['end'] {
  if (age < day) return chance < 0.5 ? 'pending' : 'paid';
  if (chance < 0.06) return 'cancelled';
  if (age < 3 * day) return 'paid';
  return chance < 0.14 ? 'refunded' : 'fulfilled';
}

/** Numbers from 0 to less than 1, the same in every run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
