import { invalid, quote } from '../../kernel/errors.ts';
import type { CsvFile } from '../files/csv.ts';
import { refusedFile } from '../files/csv.ts';
import { headerKey } from '../files/rows.ts';
import { etsyMapper, isEtsyHeader } from './etsy.ts';
import {
  attributeHeader,
  type ImportedResource,
  isOwnFormat,
  isOwnHeader,
  type MapContext,
  type Mapper,
  matchFields,
  ownColumns,
  ownMapper,
  resourceOf,
} from './own.ts';
import { shopifyMapper } from './shopify.ts';
import { isShopifyHeader } from './shopify-columns.ts';
import { isShopifyCustomerHeader, shopifyCustomersMapper } from './shopify-customers.ts';
import { wooMapper } from './woocommerce.ts';
import { isWooHeader } from './woocommerce-columns.ts';

/** The headers of a file, replaced by the names in `--map`. */
function renamed(headers: readonly string[], map: Readonly<Record<string, string>>): string[] {
  const names = new Map(Object.entries(map).map(([theirs, ours]) => [headerKey(theirs), ours]));
  return headers.map((header) => names.get(headerKey(header)) ?? header);
}

/** True for a known header; used to find the separator of a file. */
export function recognises(
  resource: ImportedResource,
  map: Readonly<Record<string, string>>,
): (header: string) => boolean {
  const theirs = new Set(Object.keys(map).map(headerKey));
  return (header) => theirs.has(header) || isKnown(resource, header);
}

function isKnown(resource: ImportedResource, header: string): boolean {
  if (isOwnHeader(resource, header)) return true;
  if (resource === 'customers') return isShopifyCustomerHeader(header);
  return resource === 'products' && (isShopifyHeader(header) || isWooHeader(header) || isEtsyHeader(header));
}

/** @throws CommerceError `validation` if no format has these columns, or `map` names a missing one */
export async function openMapper(
  resource: ImportedResource,
  csv: CsvFile,
  map: Readonly<Record<string, string>>,
  context: MapContext,
): Promise<Mapper> {
  for (const [theirs, ours] of Object.entries(map)) {
    if (!csv.headers.some((header) => headerKey(header) === headerKey(theirs))) {
      throw invalid('map', `the file does not have a column ${quote(theirs)}; it has ${listed(csv.headers)}`, {
        code: 'NOT_FOUND',
      });
    }
    if (!isKnown(resource, headerKey(ours)) && !attributeHeader.test(ours)) {
      throw invalid(
        'map',
        `unknown column ${quote(ours)}; use one of ${listed(ownColumns[resource].map(({ name }) => name))}`,
        { code: 'UNKNOWN_FIELD' },
      );
    }
  }
  const headers = renamed(csv.headers, map);
  refuseDoubles(csv.headers, headers);
  const mapper = (await foreignMapper(resource, headers, context)) ?? ownMapper(resource, headers, context);
  if (mapper) {
    if (isOwnFormat(mapper.name)) refuseNameless(resource, csv.headers, headers, context.match);
    return mapper;
  }
  const known = ownColumns[resource].map(({ name }) => name);
  throw refusedFile(
    `none of its columns is known: it has ${listed(csv.headers)}; ${resource} have ${listed(known)}. ` +
      "use --map 'Their column=ourColumn' to assign them",
  );
}

/**
 * Refuses a file in which no row could be matched to an item, such as one with headers in another language.
 * @throws CommerceError `validation`
 */
function refuseNameless(
  resource: ImportedResource,
  theirs: readonly string[],
  ours: readonly string[],
  match: string | undefined,
): void {
  const [usual] = matchFields[resource];
  const { named } = resourceOf(resource);
  // A slug is made from the name of an item.
  const keys = [match ?? usual ?? 'id', ...(named && (match ?? usual) === usual ? [named] : [])];
  const here = new Set(ours.map(headerKey));
  if (keys.some((key) => here.has(headerKey(key)))) return;
  throw refusedFile(
    `none of its columns says which of the ${resource} a row is: it has ${listed(theirs)}, and needs ` +
      `${keys.map((key) => quote(key)).join(' or ')}. use --map 'Their column=ourColumn' to assign them`,
  );
}

/** @throws CommerceError `validation` if two columns of the file get the same meaning */
function refuseDoubles(theirs: readonly string[], ours: readonly string[]): void {
  const known = new Map<string, number>();
  for (const [at, header] of ours.entries()) {
    const key = attributeHeader.test(header) ? header : headerKey(header);
    const first = known.get(key);
    if (key !== '' && first !== undefined) {
      const both = listed([theirs[first] ?? '', theirs[at] ?? '']);
      throw invalid('map', `two columns of the file would be ${quote(header)}: ${both}`, { code: 'CONFLICTING' });
    }
    known.set(key, at);
  }
}

async function foreignMapper(
  resource: ImportedResource,
  headers: readonly string[],
  context: MapContext,
): Promise<Mapper | undefined> {
  if (resource === 'customers') return shopifyCustomersMapper(headers);
  if (resource !== 'products') return undefined;
  return shopifyMapper(headers, context) ?? etsyMapper(headers, context) ?? (await wooMapper(headers, context));
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 40).map((name) => quote(name));
  return shown.join(', ') + (names.length > 40 ? ` and ${names.length - 40} more` : '');
}
