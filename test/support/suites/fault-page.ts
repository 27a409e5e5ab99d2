import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';

const file = join(import.meta.dirname, '../../../docs/checkout-faults.md');
const secondPart = '\n## Refunds\n';

type Part = 'sales' | 'refunds';

/** What is compared. On a busy machine, a call can exceed its time limit here, and can then end in another correct way. */
const compared: Record<Part, (text: string) => string> = {
  sales: (text) => text.replaceAll(/\| (?!–)[a-z, \d/]+(?= \|)/g, '| …'),
  // A call without an answer leaves a refund pending for a while. It is decided all the same.
  refunds: (text) => text.replaceAll(/(?<=\| )[^|]*pending, then [^|]*(?= \|)/g, decided),
};

/** What a cell says at last, once each: `pending, then succeeded / succeeded` is `succeeded`. */
function decided(cell: string): string {
  return [...new Set(cell.split(' / ').map((result) => result.replace('pending, then ', '')))].join(' / ');
}

/** Expects a part of the page of faults, or writes it anew with FAULT_TABLE=write. The second part begins with its heading. */
export async function expectPrinted(part: Part, printed: string): Promise<void> {
  console.log(printed);
  const page = await readFile(file, 'utf8');
  const at = page.includes(secondPart) ? page.indexOf(secondPart) : page.length;
  const parts = { sales: page.slice(0, at), refunds: page.slice(at) };
  if (process.env.FAULT_TABLE === 'write') {
    const now = { ...parts, [part]: printed };
    await writeFile(file, now.sales + now.refunds);
    return;
  }
  expect(compared[part](printed)).toBe(compared[part](parts[part]));
}
