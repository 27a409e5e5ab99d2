import { expect, it, vi } from 'vitest';
import { FairQueue } from './fair-queue.ts';

/** Lets work of stores wait for its turn, and returns the order of the turns. */
function line(turns: FairQueue) {
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

/** Turns that give a store the same share with other stores as without them. */
const turnsOf = (atOnce: number, ofStore: number, patience: number) =>
  new FairQueue({ atOnce, ofKey: ofStore, beside: ofStore, maxWaiting: 10_000, patience });

it('lets one store have all turns that nobody else asks for', () => {
  const turns = turnsOf(2, 2, 1000);
  const { order, join } = line(turns);
  join('busy', 'a');
  join('busy', 'b');
  expect(order).toEqual(['a', 'b']);
  turns.leave('busy');
  turns.leave('busy');
  expect(turns.waiting).toBe(0);
  expect(join('busy', 'c')).toBeUndefined();
});

it('has stores take turns, so that one with a long line keeps another waiting for one piece of work alone', async () => {
  const turns = turnsOf(1, 1, 1000);
  const { order, join } = line(turns);
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => join(name.slice(0, 1), name));
  for (let n = 0; n < 7; n++) {
    turns.leave(order[n]?.slice(0, 1) ?? '');
    await Promise.resolve();
  }
  await Promise.all(all);
  expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect(turns.waiting).toBe(0);
});

it('keeps turns for others that one store does not get, however many it asks for', async () => {
  const turns = turnsOf(3, 2, 1000);
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
  const turns = turnsOf(1, 1, 60_000);
  const { order, join } = line(turns);
  const waiting = Array.from({ length: 10_001 }, (_, n) => join('a', `a${n}`));
  await expect(join('a', 'too many')).rejects.toMatchObject({ kind: 'unavailable' });
  const other = join('b', 'b1');
  for (let n = 0; n <= 10_001; n++) {
    turns.leave(order[n]?.slice(0, 1) ?? '');
    await Promise.resolve();
  }
  await Promise.all([...waiting, other]);
  expect(turns.waiting).toBe(0);
});

it('refuses work whose turn does not come in time, and gives that turn to the next', async () => {
  vi.useFakeTimers();
  try {
    const turns = turnsOf(1, 1, 1000);
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

it('gives a store fewer turns while others ask, and more again when none has asked for a while', async () => {
  vi.useFakeTimers();
  try {
    const turns = new FairQueue({ atOnce: 6, ofKey: 3, beside: 1, patience: 60_000 });
    const { order, join } = line(turns);
    const first = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => join('a', name));
    expect(order).toEqual(['a1', 'a2', 'a3']);
    join('b', 'b1');
    const other = join('b', 'b2');
    expect(order.slice(3)).toEqual(['b1']);
    turns.leave('a');
    turns.leave('a');
    await Promise.resolve();
    // One of its tasks already runs.
    expect(order).toHaveLength(4);
    turns.leave('a');
    turns.leave('b');
    await Promise.all([first[3], other]);
    expect(order.slice(4)).toEqual(['a4', 'b2']);
    turns.leave('b');
    await vi.advanceTimersByTimeAsync(1000);
    // After the work that has waited longer.
    const late = join('a', 'a6');
    await Promise.all([first[4], late]);
    expect(order.slice(6)).toEqual(['a5', 'a6']);
    expect(join('a', 'a7')).toBeInstanceOf(Promise);
    for (const storeId of ['a', 'a', 'a']) turns.leave(storeId);
    await Promise.resolve();
    expect(order.slice(8)).toEqual(['a7']);
    turns.leave('a');
    expect(turns.isIdle).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

it('gives a store more turns where what goes on does not come to an end', async () => {
  vi.useFakeTimers();
  try {
    const turns = new FairQueue({ atOnce: 6, ofKey: 2, beside: 1, patience: 60_000 });
    const { order, join } = line(turns);
    join('b', 'b1');
    turns.leave('b');
    join('a', 'a1');
    const waiting = ['a2', 'a3'].map((name) => join('a', name));
    await vi.advanceTimersByTimeAsync(90);
    join('b', 'b2');
    expect(order).toEqual(['b1', 'a1', 'b2']);
    await vi.advanceTimersByTimeAsync(20);
    // It starts without an arrival or a departure.
    expect(order.slice(3)).toEqual(['a2']);
    await vi.advanceTimersByTimeAsync(150);
    expect(order).toHaveLength(4);
    turns.leave('a');
    await vi.advanceTimersByTimeAsync(110);
    await Promise.all(waiting);
    expect(order.slice(4)).toEqual(['a3']);
    for (const storeId of ['a', 'a', 'b']) turns.leave(storeId);
    expect(turns.isIdle).toBe(true);
    expect(vi.getTimerCount()).toBeLessThan(2);
    await vi.advanceTimersByTimeAsync(200);
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

it('limits each key without a limit of all', async () => {
  const turns = new FairQueue({ ofKey: 1 });
  const { order, join } = line(turns);
  const all = ['a1', 'a2', 'b1', 'b2'].map((name) => join(name.slice(0, 1), name));
  expect(order).toEqual(['a1', 'b1']);
  expect([turns.waitingOf('a'), turns.waitingOf('b'), turns.waiting]).toEqual([1, 1, 2]);
  turns.leave('b');
  await all[3];
  expect(order.slice(2)).toEqual(['b2']);
  turns.leave('a');
  await all[1];
  for (const key of ['a', 'b']) turns.leave(key);
  expect(turns.isIdle).toBe(true);
});

it('refuses all that waits of a key when it is dropped, and keeps the rest', async () => {
  const turns = new FairQueue({ atOnce: 1, patience: 60_000 });
  const { order, join } = line(turns);
  join('a', 'a1');
  const dropped = [join('a', 'a2'), join('a', 'a3')];
  const other = join('b', 'b1');
  turns.drop('a');
  turns.drop('nothing of it waits');
  for (const one of dropped) await expect(one).rejects.toMatchObject({ kind: 'unavailable' });
  expect(turns.waiting).toBe(1);
  turns.leave('a');
  await other;
  turns.leave('b');
  expect(order).toEqual(['a1', 'b1']);
  expect(turns.isIdle).toBe(true);
});

it('gives the turn back when the work fails', async () => {
  const turns = new FairQueue({ atOnce: 1 });
  const failed = turns.run('a', () => Promise.reject(new Error('it failed')));
  const next = turns.run('a', async () => 'done');
  await expect(failed).rejects.toThrow('it failed');
  expect(await next).toBe('done');
  expect(turns.isIdle).toBe(true);
});

it('refuses work of any key above the limit of all that wait, and gives the turns to those before it', async () => {
  const turns = new FairQueue({ atOnce: 1, maxWaiting: 5, maxWaitingOfAll: 2 });
  expect(turns.enter('a')).toBeUndefined();
  const waiting = [turns.enter('b'), turns.enter('c')];
  await expect(turns.enter('d')).rejects.toMatchObject({ kind: 'unavailable' });
  turns.leave('a');
  await waiting[0];
  turns.leave('b');
  await waiting[1];
  turns.leave('c');
  expect(turns.isIdle).toBe(true);
  expect(turns.enter('d')).toBeUndefined();
});
