import type { Lasting, Storage } from '@commerce/core';
import { describe, expect, it } from 'vitest';
import type { Answer } from '../http.ts';
import { KeptAnswers } from './kept-answers.ts';

describe('kept answers', () => {
  /** Answers kept beside a storage whose last commit the test names. */
  function open(maxBytes = 10_000) {
    const state = { commit: 1, made: 0 };
    const kept = KeptAnswers.of({ storage: { lastCommit: () => state.commit } as Storage }, maxBytes) as KeptAnswers;
    const ask = async (name: string, { body = name, now = 0, until = Number.POSITIVE_INFINITY, status = 200 } = {}) => {
      const found = kept.get(name, now);
      if (found) return found;
      return kept.make(name, async (lasting: Lasting) => {
        state.made++;
        lasting.until = until;
        return { status, body, headers: { ETag: '"v"' } };
      });
    };
    return { kept, state, ask };
  }
  const textOf = ({ body, kept }: Answer) => body ?? kept?.plain.toString();

  it('are none without a storage that knows its last commit, or without room', () => {
    expect(KeptAnswers.of({ storage: {} as Storage }, 1000)).toBe(undefined);
    expect(KeptAnswers.of({ storage: { lastCommit: () => 1 } as Storage }, 0)).toBe(undefined);
  });

  it.each([10, 5000])('of %i bytes are made once for each commit, after the first time', async (length) => {
    const { state, ask, kept } = open(100_000);
    const body = '€'.repeat(length);
    for (let n = 0; n < 4; n++) {
      const answer = await ask('a', { body });
      expect([textOf(answer), answer.headers]).toEqual([body, { ETag: '"v"' }]);
      expect(state.made).toBe(n === 0 ? 1 : 2);
    }
    state.commit++;
    await ask('a', { body: 'new' });
    expect([textOf(await ask('a')), state.made]).toEqual(['new', 3]);
    expect(kept.bytes).toBeLessThan(1000);
  });

  it('are not kept when something was written while they were made', async () => {
    const { kept, state, ask } = open();
    await ask('a');
    await kept.make('a', async () => {
      state.commit++;
      return { status: 200, body: 'old' };
    });
    expect(textOf(await ask('a', { body: 'new' }))).toBe('new');
  });

  it('end at the time when they become others', async () => {
    const { state, ask } = open();
    await ask('a');
    await ask('b');
    await ask('a', { until: 100 });
    await ask('b', { until: 100 });
    expect(state.made).toBe(4);
    await ask('a', { now: 99 });
    expect(state.made).toBe(4);
    await ask('a', { now: 100, until: 200 });
    expect(state.made).toBe(5);
  });

  it('are not those that are asked for once, of which at most 5,000 names are remembered', async () => {
    const { kept, ask } = open(10_000_000);
    for (let n = 0; n < 5000; n++) await ask(`${n}`);
    expect(kept.bytes).toBe(0);
    await ask('4999');
    expect(kept.bytes).toBeGreaterThan(0);
    const { bytes } = kept;
    await ask('5000');
    await ask('4998');
    expect(kept.bytes).toBe(bytes);
  });

  it('are only those that succeeded, and not too long', async () => {
    const { state, ask, kept } = open(10_000_000);
    for (let n = 1; n <= 3; n++) {
      await ask('a', { status: 404 });
      await ask('b', { body: 'x'.repeat(1024 * 1024 + 1) });
      await ask('c'.repeat(1001));
      expect(state.made).toBe(3 * n);
    }
    expect(kept.bytes).toBe(0);
  });

  it('hold at most the bytes that they may, compressed forms too, and drop what was used longest ago', async () => {
    const { kept, state, ask } = open(20_000);
    const body = Array.from({ length: 300 }, (_, i) => `item ${i}`).join();
    for (let n = 0; n < 50; n++) {
      const answer = await ask(`${n % 10}`, { body });
      await Promise.all([answer.kept?.in('gzip'), answer.kept?.in('br')]);
      expect(kept.bytes).toBeLessThanOrEqual(20_000);
      await ask('used', { body });
    }
    expect(kept.bytes).toBeGreaterThan(10_000);
    // Fifty answers were made in turn, and the one that is asked for every time was made twice.
    expect(state.made).toBe(52);
    state.commit++;
    expect(kept.get('used', 0)).toBe(undefined);
    expect(kept.bytes).toBe(0);
  });

  it('are compressed once in each form, even for many at the same time', async () => {
    const { ask } = open(100_000);
    const body = 'text '.repeat(1000);
    await ask('a', { body });
    await ask('a', { body });
    const { kept } = await ask('a');
    const forms = await Promise.all(['gzip', 'gzip', 'br', 'gzip'].map((coding) => kept?.in(coding as 'gzip')));
    expect(new Set(forms).size).toBe(2);
    expect(kept?.in('gzip')).toBe(forms[0]);
  });
});
