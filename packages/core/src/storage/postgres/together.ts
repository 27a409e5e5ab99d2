/** A statement to send: its text and the values of its parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** Maximum number of values in one statement; PostgreSQL takes 65,535. */
const maxValues = 5000;

/** Combinations whose text is kept because they recur; others are rare enough to be combined each time. */
const maxKept = 500;

/** Texts of a combination: the one so far, and the longer ones that begin with it. */
interface Combination {
  /** Absent until the combination is sent for the first time. */
  text?: string;
  readonly next: Map<string, Combination>;
}

const combinations: Combination = { next: new Map() };
let kept = 0;

/**
 * Combines inserts into different tables into one statement, in the given order. The server answers each statement with a message, which
 * costs both sides more than a row. Inserts that cannot be combined, such as two into one table, stay separate.
 * @param onNew receives the text of a combination that will be sent again
 */
export function together(inserts: readonly Statement[], onNew: (text: string) => void): Statement[] {
  const statements: Statement[] = [];
  let group: Statement[] = [];
  let tables = new Set<string>();
  let values = 0;
  for (const insert of inserts) {
    const table = tableOf(insert.sql);
    if (group.length > 0 && (tables.has(table) || values + insert.parameters.length > maxValues)) {
      statements.push(combined(group, onNew));
      [group, tables, values] = [[], new Set(), 0];
    }
    group.push(insert);
    tables.add(table);
    values += insert.parameters.length;
  }
  if (group.length > 0) statements.push(combined(group, onNew));
  return statements;
}

function combined(group: readonly Statement[], onNew: (text: string) => void): Statement {
  const [only] = group;
  if (only && group.length === 1) return only;
  let place: Combination | undefined = combinations;
  for (const { sql } of group) {
    let next: Combination | undefined = place?.next.get(sql);
    if (!next && place && kept < maxKept) {
      next = { next: new Map() };
      place.next.set(sql, next);
      kept++;
    }
    place = next;
  }
  const parameters = group.flatMap((one) => one.parameters);
  if (place?.text !== undefined) return { sql: place.text, parameters };
  const text = textOf(group);
  if (place) {
    place.text = text;
    onNew(text);
  }
  return { sql: text, parameters };
}

function textOf(group: readonly Statement[]): string {
  let before = 0;
  const parts = group.map(({ sql, parameters }) => {
    const first = before;
    before += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, n) => `$${first + Number(n)}`);
  });
  const last = parts.pop();
  return `with ${parts.map((part, i) => `part_${i} as (${part})`).join(', ')} ${last}`;
}

/** The table that an insert names. For any other statement its whole text, so that two of the same text are never combined. */
function tableOf(sql: string): string {
  return /^insert into "?([a-z_]+)"?/.exec(sql)?.[1] ?? sql;
}
