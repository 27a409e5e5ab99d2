import { hasPostalCode } from '../../customers/postal-codes.ts';
import { maxTag, maxTags } from '../../kernel/limits.ts';
import { readFlag } from '../files/cells.ts';
import { Columns } from '../files/columns.ts';
import { type CsvRecord, headerKey, type Mapped, type Problem, problem, type Row } from '../files/rows.ts';
import { isUneven, type Mapper } from './own.ts';
import { WithoutEmail } from './without-email.ts';

const address = (field: string) => [`default address ${field}`, field];

const names = {
  id: ['customer id'],
  firstName: ['first name'],
  lastName: ['last name'],
  email: ['email'],
  optIn: ['accepts email marketing', 'accepts marketing'],
  company: address('company'),
  address1: address('address1'),
  address2: address('address2'),
  city: address('city'),
  region: ['default address province code', 'province code'],
  regionName: ['default address province', 'province'],
  country: ['default address country code', 'country code'],
  countryName: ['default address country', 'country'],
  postalCode: address('zip'),
  addressPhone: ['default address phone'],
  phone: ['phone'],
  tags: ['tags'],
} as const;
type Name = keyof typeof names;

const known = new Set<string>(Object.values(names).flat());

export function isShopifyCustomerHeader(header: string): boolean {
  return known.has(header);
}

/** The mapper of a customer export of Shopify; undefined for another file. */
export function shopifyCustomersMapper(headers: readonly string[]): Mapper | undefined {
  const keys = new Set(headers.map(headerKey));
  const isHere = (name: Name) => names[name].some((header) => keys.has(header));
  if (!(isHere('email') && (isHere('firstName') || isHere('lastName')))) return undefined;
  const columns = new Columns<Name>(headers, names, () => false);
  const without = new WithoutEmail(columns.header('email'));
  const map = (record: CsvRecord): Mapped[] => {
    if (isUneven(record.cells, headers.length) || columns.of(record, 'email').trim() !== '') {
      return [mapCustomer(record, columns, headers.length)];
    }
    without.note(record.line);
    return [];
  };
  return { name: 'Shopify', unused: columns.unused, map: (records) => records.flatMap(map), end: () => without.end() };
}

function mapCustomer(record: CsvRecord, columns: Columns<Name>, width: number): Mapped {
  const { line, number: lastRecord } = record;
  const refuse = (name: Name | null, reason: string): Mapped => ({
    refused: [problem(line, name && columns.header(name), name && columns.of(record, name), reason)],
    line,
    lastRecord,
  });
  if (isUneven(record.cells, width)) {
    return refuse(null, `has ${record.cells.length} cells, but the header has ${width}; a quote is probably missing`);
  }
  // Ids and telephone numbers have a leading quote, which stops spreadsheets from changing them.
  const cell = (name: Name) => columns.of(record, name).trim().replace(/^'/, '');
  const fields: Record<string, unknown> = { email: cell('email') };
  if (columns.has('firstName') || columns.has('lastName')) {
    fields.name = [cell('firstName'), cell('lastName')].filter((name) => name !== '').join(' ') || null;
  }
  if (columns.has('phone') || columns.has('addressPhone')) fields.phone = cell('phone') || cell('addressPhone') || null;
  if (columns.has('optIn')) {
    const optIn = cell('optIn') === '' ? { value: false } : readFlag(cell('optIn'));
    if ('reason' in optIn) return refuse('optIn', optIn.reason);
    fields.marketingOptIn = optIn.value;
  }
  const warnings: Problem[] = [];
  if (columns.has('tags')) {
    fields.tags = readTags(columns.of(record, 'tags'), (value, reason) =>
      warnings.push(problem(line, columns.header('tags'), value, reason)),
    );
  }
  const onlyNew = readAddress(record, columns, cell, warnings);
  const row: Row = {
    line,
    lastRecord,
    fields,
    ...(onlyNew ? { onlyNew } : {}),
    columns: {
      email: columns.header('email'),
      name: columns.header('firstName'),
      phone: columns.header('phone'),
      marketingOptIn: columns.header('optIn'),
      addresses: columns.header('address1'),
      tags: columns.header('tags'),
    },
    warnings,
  };
  return { row };
}

/** The tags of a cell that fit. @param warn gets what is left out */
function readTags(cell: string, warn: (value: string, reason: string) => void): string[] {
  const given = cell.split(',').map((tag) => tag.trim());
  const tags = [...new Set(given)].filter((tag) => tag !== '');
  const fitting = tags.filter((tag) => {
    const fits = [...tag].length <= maxTag;
    if (!fits) warn(tag, `is too long for a tag, which has at most ${maxTag} characters, and is ignored`);
    return fits;
  });
  if (fitting.length > maxTags) {
    warn(cell, `has ${fitting.length} tags; the first ${maxTags} are imported`);
  }
  return fitting.slice(0, maxTags);
}

/** The default address, if it is complete. An existing customer keeps the addresses that were saved here. */
function readAddress(
  record: CsvRecord,
  columns: Columns<Name>,
  cell: (name: Name) => string,
  warnings: Problem[],
): Record<string, unknown> | undefined {
  const country = cell('country') || cell('countryName');
  const needed = ['address1', 'city', ...(hasPostalCode(country) ? (['postalCode'] as const) : []), 'country'] as const;
  const missing = needed.filter((name) => (name === 'country' ? country : cell(name)) === '');
  if (missing.length === needed.length || (missing.length > 0 && cell('address1') === '' && cell('city') === '')) {
    return undefined;
  }
  const [first] = missing;
  if (first !== undefined) {
    warnings.push(
      problem(record.line, columns.header(first), '', 'is missing: the customer is imported without the address'),
    );
    return undefined;
  }
  const optional = (name: Name) => cell(name) || null;
  return {
    addresses: [
      {
        firstName: optional('firstName'),
        lastName: optional('lastName'),
        company: optional('company'),
        address1: cell('address1'),
        address2: optional('address2'),
        city: cell('city'),
        region: optional('region') ?? optional('regionName'),
        postalCode: optional('postalCode'),
        country,
        phone: optional('addressPhone'),
        isDefault: true,
      },
    ],
  };
}
