import type { Resource } from '../../collection/resource.ts';
import { collections } from '../../collections.ts';
import type { CsvColumn } from '../../fields/entity.ts';
import { isTimestamp } from '../../kernel/clock.ts';
import { isId } from '../../kernel/ids.ts';
import { type CollectionTable, collectionTables, nounOfTable, perTable } from '../../kernel/nouns.ts';
import {
  type DecimalSign,
  defuseCell,
  type Reading,
  readAddresses,
  readFlag,
  readInteger,
  readPrice,
  restoreCell,
  splitEscaped,
} from '../files/cells.ts';
import type { CsvFile } from '../files/csv.ts';
import {
  type CsvRecord,
  charsOf,
  headerKey,
  type JsonRecord,
  type Kept,
  type Mapped,
  type Problem,
  problem,
  type Row,
} from '../files/rows.ts';
import { WithoutEmail } from './without-email.ts';

export type ImportedResource = CollectionTable;
export type ExportedResource = ImportedResource | 'orders';

export const importedResources = collectionTables;

/** Resources that can be exported; orders cannot be imported. */
export const exportedResources: readonly ExportedResource[] = [...importedResources, 'orders'];

/** Name of one item of a resource, as in scopes. */
export const nounOf = perTable(collectionTables, nounOfTable);

/** The operations and fields of a resource. */
export function resourceOf(resource: ImportedResource): Resource {
  return collections[nounOf[resource]];
}

/** Fields that can match a row with its item. The first one is the default. */
export const matchFields = perTable(collectionTables, (resource): readonly string[] => [
  ...resourceOf(resource).keys.map(({ field }) => field),
  'id',
]);

/** Our own formats; a file in one of them never comes from another shop. */
export const ownFormats = { csv: 'CSV', jsonl: 'JSON Lines' } as const;

/** True for a format of ours, by the name that an import shows. */
export function isOwnFormat(name: string | null): boolean {
  return Object.values<string | null>(ownFormats).includes(name);
}

/** The columns of a resource in the order of its fields. Attributes come last, because `attribute.<key>` columns follow them. */
export const ownColumns = perTable(collectionTables, (resource) => attributesLast(resourceOf(resource).entity.columns));

function attributesLast(columns: readonly CsvColumn[]): CsvColumn[] {
  const isLast = ({ kind }: CsvColumn) => kind === 'attributes';
  return [...columns.filter((column) => !isLast(column)), ...columns.filter(isLast)];
}

/** Start of the header of a column with the values of one attribute. */
export const attributeHeader = /^attr(?:ibute)?\./i;

/** Reads the records of a file, and can hold some back until it has seen the records that belong to them. */
export interface Mapper {
  /** Format of the file, for messages. */
  name: string;
  /** Columns that are not used; some are known only at the end. */
  unused: readonly string[];
  map(records: readonly CsvRecord[]): Mapped[];
  /** The records held back. */
  end(): Mapped[];
}

/** Settings of the store that the meaning of a file depends on. */
export interface MapContext {
  currency: string;
  /** Decimals of its currency. */
  decimals: number;
  /** The decimal sign of the file, if it is known. */
  sign: DecimalSign | undefined;
  now: number;
  /** The field by which rows find their items; undefined for the default. */
  match: string | undefined;
  /** Opens the same file again, if rows of a format refer to later ones. */
  reopen(): Promise<CsvFile>;
}

interface Place {
  column: CsvColumn;
  header: string;
  at: number;
}

/** The mapper of a CSV file with our own columns; undefined if it has none of them. */
export function ownMapper(
  resource: ImportedResource,
  headers: readonly string[],
  context: MapContext,
): Mapper | undefined {
  const known = new Map(ownColumns[resource].map((column) => [headerKey(column.name), column]));
  const places: Place[] = [];
  const attributes: { key: string; header: string; at: number }[] = [];
  const unused: string[] = [];
  for (const [at, header] of headers.entries()) {
    const column = known.get(headerKey(header));
    if (column) places.push({ column, header, at });
    else if (resource === 'products' && attributeHeader.test(header)) {
      attributes.push({ key: header.replace(attributeHeader, ''), header, at });
    } else if (header !== '') unused.push(header);
  }
  if (places.length === 0) return undefined;
  const columns = Object.fromEntries(places.map(({ column, header }) => [column.name, header]));
  // Messages about a field name its column.
  for (const { column, header } of places) columns[column.field] = header;

  const byHeader = new Map(headers.map((header, at) => [header, at]));
  const cellsOf = (cells: readonly string[]) => (header: string) => cells[byHeader.get(header) ?? -1];
  const read = ({ cells, line, number }: CsvRecord): Mapped => {
    const problems: Problem[] = [];
    const row: Row = {
      line,
      lastRecord: number,
      chars: charsOf(cells),
      fields: {},
      columns,
      cellOf: cellsOf(cells),
      warnings: [],
    };
    if (isUneven(cells, headers.length)) {
      const reason = `has ${cells.length} cells, but the header has ${headers.length}; a quote is probably missing`;
      return { refused: [problem(line, null, null, reason)], line, lastRecord: number };
    }
    for (const { column, header, at } of places) {
      const cell = cells[at] ?? '';
      const reason = readCell(row, column, cell, context);
      if (reason !== undefined) problems.push(problem(line, header, cell, reason));
    }
    if (attributes.length > 0) {
      const values = Object.fromEntries(
        attributes.flatMap(({ key, at }) => (cells[at] ? [[key, restoreCell(cells[at] as string)]] : [])),
      );
      row.fields.attributes = { ...values, ...(row.fields.attributes as object | undefined) };
    }
    return problems.length > 0 ? { refused: problems, line, lastRecord: number } : { row };
  };
  const email = places.find(({ column }) => column.name === 'email');
  // A file without ids is from elsewhere, where customers can lack an e-mail.
  if (!email || places.some(({ column }) => column.kind === 'id')) {
    return { name: ownFormats.csv, unused, map: (records) => records.map(read), end: () => [] };
  }
  const without = new WithoutEmail(email.header);
  const readOrNote = (record: CsvRecord): Mapped[] => {
    if (isUneven(record.cells, headers.length) || record.cells[email.at]?.trim() !== '') return [read(record)];
    without.note(record.line);
    return [];
  };
  return {
    ...{ name: ownFormats.csv, unused },
    map: (records) => records.flatMap(readOrNote),
    end: () => without.end(),
  };
}

/** True if a record's number of cells differs from the header's; empty cells at the end are ignored. */
export function isUneven(cells: readonly string[], columns: number): boolean {
  return cells.length < columns || cells.slice(columns).some((cell) => cell !== '');
}

/** Puts the value of a cell into the row. @returns the reason if it cannot be read */
function readCell(row: Row, column: CsvColumn, cell: string, context: MapContext): string | undefined {
  const { name, kind } = column;
  const isBlank = kind === 'text' ? cell === '' : cell.trim() === '';
  if (isBlank && column.required) return 'must not be blank';
  if (isBlank && column.isKept) return undefined;
  const take = <T>(reading: Reading<T>): string | undefined => {
    if ('reason' in reading) return reading.reason;
    row.fields[name] = reading.value;
    return undefined;
  };
  switch (kind) {
    case 'id':
    case 'time':
      keep(row, name, cell.trim());
      return undefined;
    case 'categories':
      row.categories = splitEscaped(restoreCell(cell), ',').map((path) => splitEscaped(path, '>'));
      return undefined;
    case 'parent':
      row.parentSlug = isBlank ? null : restoreCell(cell).trim();
      return undefined;
    case 'images':
      row.images = readAddresses(restoreCell(cell)).map((url) => ({ url }));
      return undefined;
    case 'image':
      row[name === 'image' ? 'primaryImage' : 'seoImage'] = isBlank ? null : restoreCell(cell).trim();
      return undefined;
    case 'attributes':
    case 'json': {
      if (isBlank) return take({ value: kind === 'attributes' ? {} : (column.blank ?? null) });
      const value = parseJson(restoreCell(cell));
      return value === undefined ? 'must be JSON' : take({ value });
    }
  }
  if (isBlank) return take({ value: column.blank ?? null });
  switch (kind) {
    case 'text':
      return take({ value: restoreCell(cell) });
    case 'word':
      return take({ value: restoreCell(cell).trim().toLowerCase() });
    case 'decimal':
      return take(readPrice(cell, context));
    case 'integer':
      return take(readInteger(cell, context.sign));
    case 'flag':
      return take(readFlag(cell));
  }
}

/** Notes an id or a time for a new item. */
function keep(row: Row, name: string, value: unknown): void {
  if (name === 'id') {
    if (typeof value === 'string' && isId(value)) row.kept = { ...row.kept, id: value };
    return;
  }
  if (name === 'updatedAt' && isTimestamp(value)) row.fields.updatedAt = value;
  if (isTimestamp(value)) row.kept = { id: '', ...row.kept, [name]: value } as Kept;
  else if (name === 'publishedAt') row.kept = { id: '', ...row.kept, publishedAt: null };
}

/** The text is an object or a list, or undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maps an object of a JSON Lines file: an item as the interface answers it, or a part of one. */
export function mapJson(resource: ImportedResource, { value, chars, line, number }: JsonRecord): Mapped {
  const refuse = (column: string | null, reason: string): Mapped => ({
    refused: [problem(line, column, null, reason)],
    line,
    lastRecord: number,
  });
  if (value === undefined) return refuse(null, 'must be a JSON object on a line of its own');
  const item = value as Record<string, unknown>;
  const kindOf = (name: string) => ownColumns[resource].find((column) => column.name === name)?.kind;
  const row: Row = { line, lastRecord: number, chars, fields: {}, columns: {}, warnings: [] };
  for (const [name, given] of Object.entries(item)) {
    if (/^(?:id|createdAt|updatedAt|publishedAt)$/.test(name)) keep(row, name, given);
    else if (kindOf(name) === 'categories') {
      if (!isTexts(given)) return refuse(name, 'must be a list of slugs');
      row.categories = given.map((slug) => splitEscaped(slug, '>'));
    } else if (kindOf(name) === 'parent') {
      if (given !== null && typeof given !== 'string') return refuse(name, 'must be the slug of a category');
      row.parentSlug = given;
    } else if (kindOf(name) === 'images') {
      if (!isImages(given)) return refuse(name, 'must be a list such as [{"url": "https://…"}]');
      row.images = given;
    } else if (kindOf(name) === 'image') {
      if (given !== null && typeof given !== 'string') return refuse(name, 'must be an address');
      row[name === 'image' ? 'primaryImage' : 'seoImage'] = given;
    } else if (name !== '__proto__') row.fields[name] = given;
  }
  return { row };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= 250 && value.every((one) => typeof one === 'string');
}

function isImages(value: unknown): value is { url: string; altText?: string | null }[] {
  return (
    Array.isArray(value) &&
    value.length <= 250 &&
    value.every((one) => {
      const { url, altText = null } = (one ?? {}) as { url?: unknown; altText?: unknown };
      return typeof url === 'string' && (altText === null || typeof altText === 'string');
    })
  );
}

/** An item with the additional data of its CSV form. */
export interface Printable {
  item: Record<string, unknown>;
  categories?: string[];
  parent?: string | null;
  images?: { url: string; altText: string | null }[];
  image?: string | null;
  seoImage?: string | null;
  /** The customer of an order; null if it names none. */
  customer?: { name: string | null; email: string } | null;
}

/** Headers of a CSV file of a resource. @param keys of attributes that have their own column */
export function csvHeaders(resource: ImportedResource, keys: readonly string[]): string[] {
  return [...ownColumns[resource].map(({ name }) => name), ...keys.map((key) => `attribute.${key}`)];
}

/** A cell with the decimal sign of a country, if it is a number with decimals. */
export function withSign(text: string, sign: DecimalSign): string {
  return sign === ',' && /^-?\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
}

/** The cells of an item, in the order of the headers. */
export function csvCells(
  resource: ImportedResource,
  printable: Printable,
  keys: readonly string[],
  sign: DecimalSign,
): string[] {
  const { item } = printable;
  const attributes = { ...((item.attributes as Record<string, string> | undefined) ?? {}) };
  const ofKeys = keys.map((key) => {
    // `constructor` would be found on the prototype of every object.
    const value = Object.hasOwn(attributes, key) ? (attributes[key] as string) : '';
    // An empty text would look like a missing attribute, so it stays among the others.
    if (value !== '') delete attributes[key];
    return defuseCell(value);
  });
  const cells = ownColumns[resource].map(({ name, kind }) => {
    switch (kind) {
      case 'categories':
        return (printable.categories ?? []).join(', ');
      case 'parent':
        return printable.parent ?? '';
      case 'images':
        return (printable.images ?? []).map(({ url }) => url).join(' ');
      case 'image':
        return (name === 'image' ? printable.image : printable.seoImage) ?? '';
      case 'attributes':
        return Object.keys(attributes).length === 0 ? '' : JSON.stringify(attributes);
      case 'json':
        return jsonCell(item[name]);
      default: {
        const value = item[name];
        if (value === null || value === undefined) return '';
        const text = String(value);
        if (kind === 'decimal') return withSign(text, sign);
        return kind === 'text' || kind === 'word' ? defuseCell(text) : text;
      }
    }
  });
  return [...cells, ...ofKeys];
}

/** Blank for nothing, and for an empty list or object. */
function jsonCell(value: unknown): string {
  return value === null || Object.keys(value as object).length === 0 ? '' : JSON.stringify(value);
}

/** True for a header of our own files. */
export function isOwnHeader(resource: ImportedResource, header: string): boolean {
  return attributeHeader.test(header) || ownColumns[resource].some(({ name }) => headerKey(name) === header);
}
