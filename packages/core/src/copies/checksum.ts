import { hash } from 'node:crypto';
import { breathe } from '../breathe.ts';
import type { Db } from '../storage/storage.ts';
import { pagesOf, type Row } from './rows.ts';
import type { CopiedTable } from './tables.ts';

/** What a table holds: its rows, and a sum over all of them that does not depend on their order. */
export interface TableSum {
  rows: number;
  /** 16 hexadecimal digits, the same on either engine. */
  checksum: string;
}

/** Adds up a table, page by page. */
export async function sumOf(db: Db, table: CopiedTable): Promise<TableSum> {
  let rows = 0;
  let sum = 0n;
  for await (const page of pagesOf(db, table)) {
    for (const row of page) sum += digestOf(row);
    rows += page.length;
    await breathe();
  }
  return { rows, checksum: BigInt.asUintN(64, sum).toString(16).padStart(16, '0') };
}

/** 64 bits of a row, whatever the order of its columns. */
function digestOf(row: Row): bigint {
  const text = JSON.stringify(
    Object.keys(row)
      .sort()
      .map((column) => [column, row[column]]),
  );
  return BigInt(`0x${hash('sha256', text).slice(0, 16)}`);
}
