import { restoreCell } from '../files/cells.ts';
import type { Columns } from '../files/columns.ts';
import { refusedFile } from '../files/csv.ts';
import { type CsvRecord, charsOf } from '../files/rows.ts';
import type { MapContext } from './own.ts';
import type { Name } from './woocommerce-columns.ts';

/** Maximum characters of variations' parents that are held while the file is read. */
const maxParents = 32 * 1024 * 1024;

/** A variable product, which is merged into its variations. */
export interface Parent {
  record: CsvRecord;
  /** The line of an earlier row of the same product, to which the variations belong. */
  first: number | undefined;
  variations: number;
  /** Variations that share its stock. */
  sharing: number;
  /** Columns that already have a warning. */
  told: Set<Name>;
  toldAttributes: Set<string>;
}

/** Searches the file for the parents of variations, which can come after the variations. */
export async function readParents(columns: Columns<Name>, context: MapContext): Promise<ReadonlyMap<string, Parent>> {
  const parents = new Map<string, Parent>();
  const children: { parent: string; isSharing: boolean }[] = [];
  let chars = 0;
  for await (const records of (await context.reopen()).records) {
    for (const record of records) {
      const types = typesOf(columns.of(record, 'type'));
      if (types.includes('variation')) {
        const isSharing = columns.of(record, 'stock').trim() === 'parent';
        children.push({ parent: restoreCell(columns.of(record, 'parent')).trim(), isSharing });
        chars += 32;
      }
      if (types.includes('variable')) {
        const sku = restoreCell(columns.of(record, 'sku')).trim();
        const id = columns.of(record, 'id').trim();
        const names = [...(sku === '' ? [] : [sku]), ...(id === '' ? [] : [`id:${id}`])];
        const first = names.map((name) => parents.get(name)).find((known) => known !== undefined);
        const parent: Parent = {
          record,
          first: first?.record.line,
          variations: 0,
          sharing: 0,
          told: new Set(),
          toldAttributes: new Set(),
        };
        for (const name of names) if (!parents.has(name)) parents.set(name, parent);
        parents.set(nameOf(record), parent);
        chars += charsOf(record.cells);
      }
      if (chars > maxParents)
        throw refusedFile('it has too many products with variations; split it into several files');
    }
  }
  for (const child of children) {
    const parent = parents.get(child.parent);
    if (!parent) continue;
    parent.variations++;
    if (child.isSharing) parent.sharing++;
  }
  return parents;
}

/** Identifies a row among the parents, even without SKU and id; no cell begins like this. */
export function nameOf({ number }: CsvRecord): string {
  return `\n${number}`;
}

export function typesOf(cell: string): string[] {
  return cell
    .toLowerCase()
    .split(',')
    .map((type) => type.trim());
}
