import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { metadataLabel } from '../../labels/labels.ts';
import type { Facet } from '../facets.ts';

/** A table with the products of each value of facets or of metadata, within a value in the order of time. */
interface Places {
  table: 'product_facets' | 'labels';
  /** The columns of the product's creation time and its id. */
  at: 'created_at' | 'made_at';
  id: 'product_id' | 'item_id';
  /** The condition that a row has the name of the facet. */
  isNamed: RawBuilder<SqlBool>;
}

/** True for a key of metadata, whose values are not counted and shown to nobody. */
export function isMetadata([name]: Facet): boolean {
  return name.startsWith(metadataLabel);
}

/** Where the products of the facets of one name are listed. */
export function placesOf(name: string): Places {
  return isMetadata([name, ''])
    ? {
        table: 'labels',
        at: 'made_at',
        id: 'item_id',
        isNamed: sql<SqlBool>`resource = 'products' and label = ${name}`,
      }
    : { table: 'product_facets', at: 'created_at', id: 'product_id', isNamed: sql<SqlBool>`facet = ${name}` };
}
