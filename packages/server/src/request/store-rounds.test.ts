import { describe, expect, it } from 'vitest';
import { StoreRounds } from './store-rounds.ts';

/** Rounds of two requests of a store, each of which ends when it is told to. */
function rounds() {
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const turns = new StoreRounds({ ofStore: 2, next: (begin) => ends.push(begin) });
  return {
    turns,
    begun,
    /** Prepared requests that only the rounds start. */
    arranged: () => ends.length,
    async ask(store: string, name: string) {
      const waiting = turns.enter(store);
      if (waiting) await waiting;
      begun.push(name);
    },
    async endRound() {
      ends.shift()?.();
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

describe('rounds of requests', () => {
  it('begin what comes while a store has begun few', () => {
    const { turns } = rounds();
    expect([turns.enter('a'), turns.enter('a'), turns.enter('b')]).toEqual([undefined, undefined, undefined]);
    expect(turns.waiting).toBe(0);
  });

  it('let one store wait and not the others, and keep the order', async () => {
    const { ask, begun, endRound, turns } = rounds();
    for (let i = 1; i <= 5; i++) void ask('busy', `busy ${i}`);
    void ask('quiet', 'quiet 1');
    expect(begun).toEqual(['busy 1', 'busy 2', 'quiet 1']);
    await endRound();
    expect(begun.slice(3)).toEqual(['busy 3', 'busy 4']);
    void ask('busy', 'busy 6');
    void ask('quiet', 'quiet 2');
    expect(begun.slice(5)).toEqual(['quiet 2']);
    await endRound();
    expect(begun.slice(6)).toEqual(['busy 5', 'busy 6']);
    expect(turns.waiting).toBe(0);
  });

  it('arrange for no round where nobody asks, and for one at a time where many do', async () => {
    const { ask, arranged, endRound } = rounds();
    expect(arranged()).toBe(0);
    for (let i = 0; i < 7; i++) void ask('busy', 'busy');
    expect(arranged()).toBe(1);
    for (let i = 0; i < 3; i++) await endRound();
    expect(arranged()).toBe(1);
    await endRound();
    expect(arranged()).toBe(0);
  });
});
