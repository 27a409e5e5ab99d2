import pg from 'pg';
import { placements } from '../../../packages/core/src/storage/placement.ts';
import type { Statement } from './statements.ts';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Filter?: string;
  'Join Filter'?: string;
  'Hash Cond'?: string;
  'Merge Cond'?: string;
  Plans?: PlanNode[];
}

/** Statements that touch no row. */
const ofSession = /^(?:begin|commit|rollback|savepoint|release|set|show|start)\b/i;

/** Whether the rows of a table are distributed by their store. */
export function isByStore(table: string): boolean {
  return placements[table as keyof typeof placements] === 'store';
}

/**
 * Finds what a statement would touch beyond the rows of one store, by PostgreSQL's plan for it with its values. Each access to a
 * distributed table has to be limited to one store: by a value, or by the store of the row that it is made for.
 * @param stores ids that the value can be; each statement names one of them
 * @returns a line for each fault; none if the statement touches only one store, or tables that are the same everywhere
 */
export async function beyondOneStore(
  client: pg.Client,
  { text, values }: Statement,
  stores: ReadonlySet<string>,
): Promise<string[]> {
  if (ofSession.test(text.trim())) return [];
  const named = new Set<string>();
  const faults = insertsBeyond({ text, values }, stores, named);
  const { rows } = await client.query({ text: `explain (verbose, format json) ${text}`, values: [...values] });
  const [{ Plan }] = (rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
  scansBeyond(Plan, stores, named, faults);
  if (named.size > 1) faults.push(`names ${named.size} stores`);
  return faults;
}

function scansBeyond(node: PlanNode, stores: ReadonlySet<string>, named: Set<string>, faults: string[]): void {
  const table = node['Relation Name'];
  const isScan = node['Node Type'].endsWith('Scan');
  if (table !== undefined && isScan && isByStore(table)) {
    const conditions = conditionsOf(node);
    const [, literal] = /store_id = '([^']*)'::text/.exec(conditions) ?? [];
    if (literal !== undefined) named.add(literal);
    if (literal === undefined && !/store_id = \(?\w+\.store_id/.test(conditions)) faults.push(`${table} of any store`);
    else if (literal !== undefined && !stores.has(literal)) faults.push(`${table} of the store ${literal}`);
  }
  for (const below of node.Plans ?? []) scansBeyond(below, stores, named, faults);
}

/** Conditions of a scan, and of the indexes that it uses. */
function conditionsOf(node: PlanNode): string {
  const own = [node['Index Cond'], node['Recheck Cond'], node.Filter].filter((one) => one !== undefined);
  const below = (node.Plans ?? []).filter((one) => /Bitmap/.test(one['Node Type'])).map(conditionsOf);
  return [...own, ...below].join(' and ');
}

/** Checks the rows that a statement inserts: a plan does not show their values. */
function insertsBeyond({ text, values }: Statement, stores: ReadonlySet<string>, named: Set<string>): string[] {
  const faults: string[] = [];
  for (const insert of text.matchAll(/insert into "?(\w+)"?\s*\(([^)]*)\)\s*(values|select)\s/g)) {
    const [all, table = '', columns = '', kind] = insert;
    if (!isByStore(table)) continue;
    const place = columns.split(',').findIndex((column) => column.trim().replaceAll('"', '') === 'store_id');
    const rest = text.slice((insert.index ?? 0) + all.length);
    const given = kind === 'values' ? tuplesOf(rest) : [itemsOf(rest)];
    if (place === -1 || given.length === 0) {
      faults.push(`${table} without a store`);
      continue;
    }
    for (const items of given) {
      const [, parameter] = /^\$(\d+)(?:::text)?$/.exec(items[place] ?? '') ?? [];
      const value = parameter === undefined ? undefined : String(values[Number(parameter) - 1]);
      if (value === undefined || !stores.has(value)) faults.push(`${table} gets rows of ${value ?? items[place]}`);
      else named.add(value);
    }
  }
  return faults;
}

/** The rows of a list of values: `($1, $2), ($3, $4) …`. */
function tuplesOf(text: string): string[][] {
  const tuples: string[][] = [];
  for (let rest = text.trimStart(); rest.startsWith('('); ) {
    const items = itemsOf(rest.slice(1));
    tuples.push(items);
    const end = endOfTuple(rest);
    rest = rest.slice(end + 1).trimStart();
    if (!rest.startsWith(',')) break;
    rest = rest.slice(1).trimStart();
  }
  return tuples;
}

function endOfTuple(text: string): number {
  for (let i = 0, depth = 0; i < text.length; i++) {
    if (text[i] === '(') depth++;
    if (text[i] === ')' && --depth === 0) return i;
  }
  return text.length;
}

/** Items of a list up to its end, split where no parenthesis is open. */
function itemsOf(text: string): string[] {
  const items = [''];
  let depth = 0;
  for (const character of text) {
    if (character === '(') depth++;
    if (character === ')' && --depth < 0) break;
    if (character === ',' && depth === 0) items.push('');
    else items[items.length - 1] += character;
    if (depth === 0 && /\sfrom $/.test(items.at(-1) ?? '')) {
      items[items.length - 1] = (items.at(-1) ?? '').replace(/\sfrom $/, '');
      break;
    }
  }
  return items.map((item) => item.trim());
}

/** A client of the same database, in addition to the pools that a suite has open. */
export async function connectTo(address: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  return client;
}

/** Number of tasks that Citus splits a statement into: 0 if it reads only tables that every server has, or no table. */
export async function serversAsked(client: pg.Client, { text, values }: Statement): Promise<number> {
  if (ofSession.test(text.trim())) return 0;
  // Rows passed as lists: the coordinator assembles them and sends them on. PostgreSQL has no plan for that next to other inserts.
  if (/from unnest\(/.test(text) && /^with part_0/.test(text)) return 1;
  const { rows } = await client.query({ text: `explain (format text) ${text}`, values: [...values] });
  const lines = rows.map((row: Record<string, string>) => row['QUERY PLAN'] ?? '');
  const counts = lines.flatMap((line) => /Task Count: (\d+)/.exec(line)?.[1] ?? []);
  return Math.max(0, ...counts.map(Number));
}
