import { hash } from 'node:crypto';
import { breathe } from '../kernel/breathe.ts';
import type { Db } from '../storage/storage.ts';
import { pagesOf, type Row } from './rows.ts';
import type { CopiedTable } from './tables.ts';

/** Contents of a table: its number of rows, and a checksum that does not depend on their order. */
export interface TableSum {
  rows: number;
  /** 16 hexadecimal digits, the same on either engine. */
  checksum: string;
}

/** Computes a table's checksum, page by page. */
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

/** 64-bit digest of a row, independent of its column order. */
function digestOf(row: Row): bigint {
  const text = JSON.stringify(
    Object.keys(row)
      .sort()
      .map((column) => [column, row[column]]),
  );
  return BigInt(`0x${hash('sha256', text).slice(0, 16)}`);
}
