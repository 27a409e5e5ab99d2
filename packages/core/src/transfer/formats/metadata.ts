import { maxMetadata, maxMetadataKey, maxMetadataText } from '../../kernel/limits.ts';

/** A column of a foreign file that becomes metadata. */
export interface MetadataColumn {
  at: number;
  header: string;
  key: string;
}

/** Names of what the goods cost the shop, such as `custom.cost_price`: they are not imported. */
const cost = /(?:^|[._-])costs?(?:[._-]|$)/i;

/** A name as a key of metadata; undefined if nothing of it is left, or if it names a cost. */
export function metadataKey(name: string): string | undefined {
  const key = name
    .trim()
    .replace(/[^A-Za-z0-9_.-]+/g, '_')
    .slice(0, maxMetadataKey);
  return /[A-Za-z0-9]/.test(key) && key !== '__proto__' && !cost.test(key) ? key : undefined;
}

/** Columns that become metadata. Of two with the same key, a record has the first one that is not blank. @param keyOf the key of a header */
export function metadataColumns(
  columns: readonly { at: number; header: string }[],
  keyOf: (header: string) => string | undefined,
): MetadataColumn[] {
  return columns.flatMap(({ at, header }) => {
    const key = keyOf(header);
    return key === undefined ? [] : [{ at, header, key }];
  });
}

/**
 * The metadata of a record; undefined for a file without such columns.
 * @param textOf the text of a column; blank if there is none
 * @param warn gets a text that does not fit
 */
export function metadataOf(
  columns: readonly MetadataColumn[],
  textOf: (column: MetadataColumn) => string,
  warn: (column: MetadataColumn, value: string, reason: string) => void,
): Record<string, string> | undefined {
  if (columns.length === 0) return undefined;
  const metadata: Record<string, string> = {};
  for (const column of columns) {
    const value = textOf(column).trim();
    if (value === '' || Object.hasOwn(metadata, column.key)) continue;
    if ([...value].length > maxMetadataText) {
      warn(column, value, `is too long for metadata, which has at most ${maxMetadataText} characters, and is ignored`);
    } else if (Object.keys(metadata).length === maxMetadata) {
      warn(column, value, `is one too many for metadata, which has at most ${maxMetadata} keys, and is ignored`);
    } else metadata[column.key] = value;
  }
  return metadata;
}
