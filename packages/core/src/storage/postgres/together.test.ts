import { describe, expect, it } from 'vitest';
import { together } from './together.ts';

const insert = (table: string, ...parameters: unknown[]) => ({
  sql: `insert into "${table}" ("a", "b") values (${parameters.map((_, i) => `$${i + 1}`).join(', ')})`,
  parameters,
});

/** The statements, and the texts that are marked as recurring. */
function combine(...inserts: ReturnType<typeof insert>[]) {
  const kept: string[] = [];
  return { statements: together(inserts, (text) => kept.push(text)), kept };
}

describe('inserts that go together', () => {
  it('become one statement with their values in order', () => {
    const { statements, kept } = combine(insert('one', 1, 2), insert('two', 'x', 'y'), insert('three', null, 3));
    expect(statements).toEqual([
      {
        sql: 'with part_0 as (insert into "one" ("a", "b") values ($1, $2)), part_1 as (insert into "two" ("a", "b") values ($3, $4)) insert into "three" ("a", "b") values ($5, $6)',
        parameters: [1, 2, 'x', 'y', null, 3],
      },
    ]);
    expect(kept).toEqual([statements[0]?.sql]);
    // The text is the same the next time, and is not marked as new again.
    const again = combine(insert('one', 8, 9), insert('two', 'a', 'b'), insert('three', 4, 5));
    expect(again.statements[0]?.sql).toBe(statements[0]?.sql);
    expect(again.kept).toEqual([]);
  });

  it('stay as they are where there is one alone', () => {
    const alone = insert('one', 1, 2);
    expect(combine(alone).statements).toEqual([alone]);
  });

  it('stay apart where two of them are into one table, also in other spellings', () => {
    const { statements } = combine(
      insert('one', 1, 2),
      { sql: 'insert into one (a, b) values ($1, $2) on conflict do nothing', parameters: [3, 4] },
      insert('two', 5, 6),
    );
    expect(statements.map(({ parameters }) => parameters)).toEqual([
      [1, 2],
      [3, 4, 5, 6],
    ]);
  });

  it('have no more values than PostgreSQL takes', () => {
    const values = (n: number) => Array.from({ length: n }, (_, i) => i);
    const { statements } = combine(insert('one', ...values(3000)), insert('two', ...values(3000)), insert('three', 1));
    expect(statements.map(({ parameters }) => parameters.length)).toEqual([3000, 3001]);
  });
});
