import { expect, it, vi } from 'vitest';
import { StoreTurns } from './semaphore.ts';

/** Has work of stores wait for its turn, and answers the order in which the turns come. */
function line(turns: StoreTurns) {
  const order: string[] = [];
  return {
    order,
    join: (storeId: string, name: string) => {
      const waiting = turns.enter(storeId);
      if (!waiting) order.push(name);
      return waiting?.then(() => void order.push(name));
    },
  };
}

it('lets one store have all turns that nobody else asks for', () => {
  const turns = new StoreTurns(2, 2, 1000);
  const { order, join } = line(turns);
  join('busy', 'a');
  join('busy', 'b');
  expect(order).toEqual(['a', 'b']);
  turns.leave('busy');
  turns.leave('busy');
  expect(turns.isWaitedFor).toBe(false);
  expect(join('busy', 'c')).toBeUndefined();
});

it('has stores take turns, so that one with a long line keeps another waiting for one piece of work alone', async () => {
  const turns = new StoreTurns(1, 1, 1000);
  const { order, join } = line(turns);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => join(name.slice(0, 1), name));
  for (let n = 0; n < 7; n++) {
    turns.leave(order[n]?.slice(0, 1) ?? '');
    await Promise.resolve();
  }
  await Promise.all(all);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(turns.isWaitedFor).toBe(false);
});

it('keeps turns for others that one store does not get, however many it asks for', async () => {
  const turns = new StoreTurns(3, 2, 1000);
  const { order, join } = line(turns);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) => join(name.slice(0, 1), name));
  expect(order).toEqual(['a1', 'a2', 'b1']);
  turns.leave('b');
  await Promise.resolve();
  expect(order.slice(3)).toEqual(['b2']);
  turns.leave('b');
  await Promise.resolve();
  expect(order).toHaveLength(4);
  turns.leave('a');
  await Promise.resolve();
  expect(order.slice(4)).toEqual(['a3']);
  turns.leave('a');
  await Promise.all(all);
  expect(order.slice(5)).toEqual(['a4']);
});

it('refuses work of a store that has ten thousand waiting, and no other store', async () => {
  const turns = new StoreTurns(1, 1, 60_000);
  const { order, join } = line(turns);
  const waiting = Array.from({ length: 10_001 }, (_, n) => join('a', `a${n}`));
  await expect(join('a', 'too many')).rejects.toMatchObject({ kind: 'unavailable' });
  const other = join('b', 'b1');
  for (let n = 0; n <= 10_001; n++) {
    turns.leave(order[n]?.slice(0, 1) ?? '');
    await Promise.resolve();
  }
  await Promise.all([...waiting, other]);
  expect(turns.isWaitedFor).toBe(false);
});

it('refuses work whose turn does not come in time, and gives that turn to the next', async () => {
  vi.useFakeTimers();
  try {
    const turns = new StoreTurns(1, 1, 1000);
    const { order, join } = line(turns);
    join('a', 'a1');
    const late = expect(join('a', 'a2')).rejects.toMatchObject({ kind: 'unavailable' });
    await vi.advanceTimersByTimeAsync(600);
    const inTime = join('b', 'b1');
    await vi.advanceTimersByTimeAsync(600);
    await late;
    turns.leave('a');
    await inTime;
    expect(order).toEqual(['a1', 'b1']);
    turns.leave('b');
    expect(turns.enter('c')).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});
