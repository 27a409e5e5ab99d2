import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countedOf,
  findRefund,
  listedOf,
  type NamedRefund,
  type Refund,
  refundedOf,
  withExecuted,
  withFailed,
  withNamed,
  withOwn,
  withTotal,
} from './refund-ledger.ts';

type Report = Omit<NamedRefund, 'toldAt'> & { toldAt?: number };

const addNamed = (refunds: readonly Refund[], report: Report, now: number) =>
  withNamed(refunds, { toldAt: null, ...report }, now);
const addTotal = (
  refunds: readonly Refund[],
  amount: bigint,
  refundId: string,
  now: number,
  toldAt: number | null = null,
) => withTotal(refunds, { amount, refundId, toldAt }, now);

/** The course of a refund at the provider, and the way in which the shop recorded it, if it did. */
interface Truth {
  amount: bigint;
  course: Refund['status'][];
  /** `executed`: the shop asked for it, and the answer names it; the reports name it only sometimes. */
  recorded: 'not' | 'named' | 'unnamed' | 'executed';
  /** True if the reports contain our id. */
  isMarked: boolean;
}

const asked = {
  reason: null,
  lines: null,
  shipping: false,
  restocked: false,
  askAt: 0,
  requestName: null,
  requestPrint: null,
};

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
  recorded: fc.constantFrom('not', 'named', 'unnamed', 'executed', 'executed'),
  isMarked: fc.boolean(),
});

/** Every report of these refunds: each step by name, each running total, and the shop's own records. */
function factsOf(truths: readonly Truth[]): { early: Fact[]; rest: Fact[] } {
  const early: Fact[] = [];
  const rest: Fact[] = [];
  let total = 0n;
  truths.forEach(({ amount, course, recorded, isMarked }, i) => {
    const id = `re_${i}`;
    total += amount;
    const runningTotal = total;
    rest.push((refunds) => addTotal(refunds, runningTotal, 'total', 0));
    const refundId = `our_${i}`;
    const ours = recorded === 'executed' && isMarked ? refundId : null;
    for (const status of course) rest.push((refunds) => addNamed(refunds, { id, amount, status, ours }, 0));
    if (recorded === 'executed') {
      early.push((refunds) => withExecuted(refunds, { refundId, amount, now: 0, ...asked }));
      const [status = 'pending'] = course;
      rest.push((refunds) => addNamed(refunds, { id, amount, status, ours: refundId }, 0));
      return;
    }
    if (recorded === 'not' || course.includes('failed') || !course.includes('completed')) return;
    const named = recorded === 'named';
    const record: Fact = (refunds) =>
      refunds.some((refund) => refund.refundId === id)
        ? [...refunds]
        : withOwn(refunds, { refundId: named ? id : `own_${i}`, named, amount, now: 0 });
    // Without the provider's id, the refund cannot be matched later, so the shop must be the first to report it.
    (named ? rest : early).push(record);
  });
  return { early, rest };
}

const counted = (truths: readonly Truth[]) =>
  truths.reduce((sum, { amount, course }) => (course.at(-1) === 'completed' ? sum + amount : sum), 0n);

describe('the ledger of refunds', () => {
  it('is the same in any order and with any repetition of reports', () => {
    const histories = fc.array(truth, { minLength: 1, maxLength: 4 }).chain((truths) => {
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
      fc.property(histories, ({ truths, early, rest, order }) => {
        let ledger: Refund[] = [];
        for (const fact of [...early, ...order.map((i) => rest[i] as Fact)]) ledger = fact(ledger);
        expect(refundedOf(ledger)).toBe(counted(truths));
        for (const refund of ledger) expect(refund.amount >= 0n).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('counts a refund that we asked for when it succeeds, once, whichever report comes first', () => {
    const executed = withExecuted([], { refundId: 'our', amount: 5n, now: 1, ...asked });
    expect([refundedOf(executed), listedOf(executed).map(({ status }) => status)]).toEqual([0n, ['pending']]);
    const unmarked = addNamed(executed, { id: 'a', amount: 5n, status: 'completed' }, 2);
    const answered = addNamed(unmarked, { id: 'a', amount: 5n, status: 'pending', ours: 'our' }, 3);
    for (const ledger of [
      answered,
      addNamed(answered, { id: 'a', amount: 5n, status: 'completed' }, 4),
      addTotal(answered, 5n, 'total', 5),
    ]) {
      expect(refundedOf(ledger)).toBe(5n);
      expect(listedOf(ledger)).toMatchObject([{ refundId: 'our', providerId: 'a', status: 'completed', askAt: null }]);
      for (const id of ['a', 'our']) expect(findRefund(ledger, id)?.refundId).toBe('our');
    }
    // A second refund of the provider under our id is other money.
    expect(refundedOf(addNamed(answered, { id: 'b', amount: 5n, status: 'completed', ours: 'our' }, 6))).toBe(10n);
  });

  it('lets one that was refused hide no running total, and one that was given up succeed', () => {
    const executed = withExecuted([], { refundId: 'our', amount: 5n, now: 1, ...asked });
    const failed = withFailed(executed, 'our', 'not there', 2);
    expect(listedOf(failed)).toMatchObject([{ status: 'failed', error: 'not there', askAt: null }]);
    expect(refundedOf(addTotal(failed, 5n, 'total', 3, 300))).toBe(5n);
    const late = addNamed(failed, { id: 'a', amount: 5n, status: 'completed', ours: 'our' }, 4);
    expect([refundedOf(late), listedOf(late)[0]?.error]).toEqual([5n, null]);
    // What the provider itself reports as failed stays so.
    const ended = addNamed(late, { id: 'a', amount: 5n, status: 'failed', error: 'lost card' }, 5);
    const again = addNamed(ended, { id: 'a', amount: 5n, status: 'completed' }, 6);
    expect(listedOf(again)).toMatchObject([{ status: 'failed', error: 'lost card' }]);
    // Nor does a refusal undo what was made.
    expect(withFailed(late, 'our', 'refused', 7)).toEqual(late);
  });

  it('keeps what the shop said about a refund that the provider reports, too', () => {
    const words = { reason: 'chipped', lines: [{ itemId: 'i', quantity: 1 }], shipping: true };
    let ledger = withOwn([], { refundId: 'own', named: false, amount: 5n, now: 1, ...words });
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'completed' }, 2);
    expect(listedOf(ledger)).toMatchObject([{ refundId: 'a', ...words }]);
  });

  it('counts a running total at once, and not again when its refunds are named', () => {
    let ledger = addTotal([], 7n, 'total', 1);
    expect(refundedOf(ledger)).toBe(7n);
    ledger = addNamed(ledger, { id: 'a', amount: 4n, status: 'completed' }, 2);
    expect(refundedOf(ledger)).toBe(7n);
    ledger = addNamed(ledger, { id: 'b', amount: 3n, status: 'completed' }, 3);
    expect(refundedOf(ledger)).toBe(7n);
    ledger = addTotal(ledger, 7n, 'total', 4);
    expect(refundedOf(ledger)).toBe(7n);
    expect(refundedOf(addTotal(ledger, 9n, 'total', 5))).toBe(9n);
  });

  it('matches an unnamed record of the shop with a refund of that amount, a completed one if possible', () => {
    let ledger = withOwn([], { refundId: 'own', named: false, amount: 5n, now: 1 });
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'pending' }, 2);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = addNamed(ledger, { id: 'b', amount: 5n, status: 'completed' }, 3);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'completed' }, 4);
    expect(refundedOf(ledger)).toBe(10n);
    ledger = addNamed(ledger, { id: 'b', amount: 5n, status: 'failed' }, 5);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'failed' }, 6);
    expect(refundedOf(ledger)).toBe(0n);
  });

  it('counts both as one whichever came first, under the name of the provider and by either id', () => {
    const reported = (ledger: readonly Refund[]) => addNamed(ledger, { id: 'a', amount: 5n, status: 'completed' }, 2);
    const recorded = (ledger: readonly Refund[]) =>
      withOwn(ledger, { refundId: 'own', named: false, amount: 5n, now: 1 });
    for (const ledger of [reported(recorded([])), recorded(reported([]))]) {
      expect(countedOf(ledger)).toMatchObject([{ refundId: 'a', amount: 5n }]);
      for (const id of ['a', 'own']) expect(findRefund(ledger, id)?.refundId).toBe('a');
      const twice = withOwn(ledger, { refundId: 'other', named: false, amount: 5n, now: 3 });
      expect(refundedOf(twice)).toBe(10n);
      expect(refundedOf(addNamed(twice, { id: 'b', amount: 5n, status: 'completed' }, 4))).toBe(10n);
    }
  });

  it('counts them as two when time differs by more than an hour, or the amount at all', () => {
    const hour = 3_600_000;
    for (const [amount, later, sum] of [
      [5n, hour, 5n],
      [5n, hour + 1, 10n],
      [4n, 0, 9n],
    ] as const) {
      const own = withOwn([], { refundId: 'own', named: false, amount: 5n, now: 1 });
      expect(refundedOf(addNamed(own, { id: 'a', amount, status: 'completed' }, 1 + later))).toBe(sum);
      const ledger = addNamed([], { id: 'a', amount, status: 'completed' }, 1);
      expect(refundedOf(withOwn(ledger, { refundId: 'own', named: false, amount: 5n, now: 1 + later }))).toBe(sum);
    }
  });

  it('prefers the amount of the provider to one that the shop typed under its id', () => {
    let ledger = withOwn([], { refundId: 'a', named: true, amount: 9n, now: 1 });
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'completed' }, 2);
    expect(refundedOf(ledger)).toBe(5n);
    expect(refundedOf(addNamed(ledger, { id: 'a', amount: 7n, status: 'completed' }, 3))).toBe(5n);
  });

  it('counts a refund that the shop records after a known failure', () => {
    let ledger = addNamed([], { id: 'a', amount: 5n, status: 'failed' }, 1);
    ledger = withOwn(ledger, { refundId: 'own', named: false, amount: 5n, now: 2 });
    expect(refundedOf(ledger)).toBe(5n);
    expect(findRefund(ledger, 'own')?.refundId).toBe('own');
  });

  it('does not let a failed refund hide a later running total', () => {
    let ledger = addTotal([], 5n, 'total', 1, 100);
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'failed', toldAt: 200 }, 2);
    expect(refundedOf(ledger)).toBe(0n);
    // Reported in the same second, so it can be earlier.
    expect(refundedOf(addTotal(ledger, 5n, 'total', 3, 200))).toBe(0n);
    expect(refundedOf(addTotal(ledger, 5n, 'total', 3, 201))).toBe(5n);
  });

  it('counts a named refund of the shop at once, and no longer when it fails', () => {
    let ledger = withOwn([], { refundId: 'a', named: true, amount: 5n, now: 1 });
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'pending' }, 2);
    expect(refundedOf(ledger)).toBe(5n);
    ledger = addNamed(ledger, { id: 'a', amount: 5n, status: 'failed' }, 3);
    expect(refundedOf(ledger)).toBe(0n);
  });
});
