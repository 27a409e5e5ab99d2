import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countedOf,
  findRefund,
  type NamedRefund,
  type Refund,
  recordNamed,
  recordOwn,
  recordTotal,
  refundedOf,
} from './refund-ledger.ts';

type Told = Omit<NamedRefund, 'toldAt'> & { toldAt?: number };

const noteNamed = (refunds: readonly Refund[], told: Told, now: number) =>
  recordNamed(refunds, { toldAt: null, ...told }, now);
const noteTotal = (
  refunds: readonly Refund[],
  amount: bigint,
  refundId: string,
  now: number,
  toldAt: number | null = null,
) => recordTotal(refunds, { amount, refundId, toldAt }, now);

/** A refund as it went at the provider, and how the shop recorded it, if it did. */
interface Truth {
  amount: bigint;
  course: Refund['status'][];
  recorded: 'not' | 'named' | 'unnamed';
}

type Fact = (refunds: readonly Refund[]) => Refund[];

const truth: fc.Arbitrary<Truth> = fc.record({
  amount: fc.constantFrom(1n, 2n, 2n, 5n),
  course: fc.constantFrom<Refund['status'][]>(
    ['completed'],
    ['pending', 'completed'],
    ['pending', 'completed', 'failed'],
    ['pending', 'failed'],
    ['pending'],
  ),
  recorded: fc.constantFrom('not', 'named', 'unnamed'),
});

/** What is told of these refunds: each step of each by name, each running total there was, and what the shop recorded. */
function factsOf(truths: readonly Truth[]): { early: Fact[]; rest: Fact[] } {
  const early: Fact[] = [];
  const rest: Fact[] = [];
  let total = 0n;
  truths.forEach(({ amount, course, recorded }, i) => {
    const id = `re_${i}`;
    total += amount;
    const told = total;
    rest.push((refunds) => noteTotal(refunds, told, 'total', 0));
    for (const status of course) rest.push((refunds) => noteNamed(refunds, { id, amount, status }, 0));
    if (recorded === 'not' || course.includes('failed') || !course.includes('completed')) return;
    const named = recorded === 'named';
    const record: Fact = (refunds) =>
      refunds.some((refund) => refund.refundId === id)
        ? [...refunds]
        : recordOwn(refunds, { refundId: named ? id : `own_${i}`, named, amount, now: 0 });
    // Without the provider's id nobody can know later that it was this one, so the shop has to be the first to say it.
    (named ? rest : early).push(record);
  });
  return { early, rest };
}

const counted = (truths: readonly Truth[]) =>
  truths.reduce((sum, { amount, course }) => (course.at(-1) === 'completed' ? sum + amount : sum), 0n);

describe('the ledger of refunds', () => {
  it('comes to the same in whatever order and however often things are told', () => {
    const told = fc.array(truth, { minLength: 1, maxLength: 4 }).chain((truths) => {
      const { early, rest } = factsOf(truths);
      const twice = [...rest.keys(), ...rest.keys()];
      return fc.record({
        truths: fc.constant(truths),
        early: fc.constant(early),
        rest: fc.constant(rest),
        order: fc.shuffledSubarray(twice, { minLength: twice.length }),
      });
    });
    fc.assert(
      fc.property(told, ({ truths, early, rest, order }) => {
        let ledger: Refund[] = [];
        for (const fact of [...early, ...order.map((i) => rest[i] as Fact)]) ledger = fact(ledger);
        expect(refundedOf(ledger)).toBe(counted(truths));
        for (const refund of ledger) expect(refund.amount >= 0n).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('counts a running total at once, and not again when its refunds are named', () => {
    let ledger = noteTotal([], 7n, 'total', 1);
    expect(refundedOf(ledger)).toBe(7n);
    ledger = noteNamed(ledger, { id: 'a', amount: 4n, status: 'completed' }, 2);
    expect(refundedOf(ledger)).toBe(7n);
    ledger = noteNamed(ledger, { id: 'b', amount: 3n, status: 'completed' }, 3);
    expect(refundedOf(ledger)).toBe(7n);
    ledger = noteTotal(ledger, 7n, 'total', 4);
    expect(refundedOf(ledger)).toBe(7n);
    expect(refundedOf(noteTotal(ledger, 9n, 'total', 5))).toBe(9n);
  });

  it('takes what the shop recorded without a name for a refund of that amount, a completed one if there is any', () => {
    let ledger = recordOwn([], { refundId: 'own', named: false, amount: 5n, now: 1 });
    ledger = noteNamed(ledger, { id: 'a', amount: 5n, status: 'pending' }, 2);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = noteNamed(ledger, { id: 'b', amount: 5n, status: 'completed' }, 3);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = noteNamed(ledger, { id: 'a', amount: 5n, status: 'completed' }, 4);
    expect(refundedOf(ledger)).toBe(10n);
    ledger = noteNamed(ledger, { id: 'b', amount: 5n, status: 'failed' }, 5);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = noteNamed(ledger, { id: 'a', amount: 5n, status: 'failed' }, 6);
    expect(refundedOf(ledger)).toBe(0n);
  });

  it('takes both for one whichever came first, under the name of the provider and by either id', () => {
    const told = (ledger: readonly Refund[]) => noteNamed(ledger, { id: 'a', amount: 5n, status: 'completed' }, 2);
    const recorded = (ledger: readonly Refund[]) =>
      recordOwn(ledger, { refundId: 'own', named: false, amount: 5n, now: 1 });
    for (const ledger of [told(recorded([])), recorded(told([]))]) {
      expect(countedOf(ledger)).toMatchObject([{ refundId: 'a', amount: 5n }]);
      for (const id of ['a', 'own']) expect(findRefund(ledger, id)?.refundId).toBe('a');
      const twice = recordOwn(ledger, { refundId: 'other', named: false, amount: 5n, now: 3 });
      expect(refundedOf(twice)).toBe(10n);
      expect(refundedOf(noteNamed(twice, { id: 'b', amount: 5n, status: 'completed' }, 4))).toBe(10n);
    }
  });

  it('takes them for two when they are more than an hour or anything of the amount apart', () => {
    const hour = 3_600_000;
    for (const [amount, later, sum] of [
      [5n, hour, 5n],
      [5n, hour + 1, 10n],
      [4n, 0, 9n],
    ] as const) {
      const own = recordOwn([], { refundId: 'own', named: false, amount: 5n, now: 1 });
      expect(refundedOf(noteNamed(own, { id: 'a', amount, status: 'completed' }, 1 + later))).toBe(sum);
      const told = noteNamed([], { id: 'a', amount, status: 'completed' }, 1);
      expect(refundedOf(recordOwn(told, { refundId: 'own', named: false, amount: 5n, now: 1 + later }))).toBe(sum);
    }
  });

  it('takes the amount of the provider for one that the shop typed under its id', () => {
    let ledger = recordOwn([], { refundId: 'a', named: true, amount: 9n, now: 1 });
    ledger = noteNamed(ledger, { id: 'a', amount: 5n, status: 'completed' }, 2);
    expect(refundedOf(ledger)).toBe(5n);
    expect(refundedOf(noteNamed(ledger, { id: 'a', amount: 7n, status: 'completed' }, 3))).toBe(5n);
  });

  it('counts what the shop records after a failure that it knows of', () => {
    let ledger = noteNamed([], { id: 'a', amount: 5n, status: 'failed' }, 1);
    ledger = recordOwn(ledger, { refundId: 'own', named: false, amount: 5n, now: 2 });
    expect(refundedOf(ledger)).toBe(5n);
    expect(findRefund(ledger, 'own')?.refundId).toBe('own');
  });

  it('does not let a refund that failed hide a running total that was told afterwards', () => {
    let ledger = noteTotal([], 5n, 'total', 1, 100);
    ledger = noteNamed(ledger, { id: 'a', amount: 5n, status: 'failed', toldAt: 200 }, 2);
    expect(refundedOf(ledger)).toBe(0n);
    // Told in the same second: it may have been before.
    expect(refundedOf(noteTotal(ledger, 5n, 'total', 3, 200))).toBe(0n);
    expect(refundedOf(noteTotal(ledger, 5n, 'total', 3, 201))).toBe(5n);
  });

  it('counts what the shop recorded by name at once, and no more when it fails', () => {
    let ledger = recordOwn([], { refundId: 'a', named: true, amount: 5n, now: 1 });
    ledger = noteNamed(ledger, { id: 'a', amount: 5n, status: 'pending' }, 2);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = noteNamed(ledger, { id: 'a', amount: 5n, status: 'failed' }, 3);
    expect(refundedOf(ledger)).toBe(0n);
  });
});
