interface Facts {
  /** The table of its rows, and the name of its list in addresses and files. */
  table: string;
  /** True if it has a status, so that buyers see it only while it is published, and deleted ones keep their row. */
  isPublished: boolean;
}

/**
 * Every resource that has list, create, change, delete, events, audit log, import and export. Its operations are in its folder, which
 * `collections.ts` names. Event types, scopes, routes, schemas, files and counts follow from these two lists.
 */
export const nouns = {
  product: { table: 'products', isPublished: true },
  customer: { table: 'customers', isPublished: false },
  category: { table: 'categories', isPublished: true },
  page: { table: 'pages', isPublished: true },
} as const satisfies Record<string, Facts>;

export type Noun = keyof typeof nouns;
type FactsOf<N extends Noun> = (typeof nouns)[N];

/** Tables whose rows are items of these resources. */
export type CollectionTable = FactsOf<Noun>['table'];
/** Tables whose items have a status. */
export type PublishedTable = Extract<FactsOf<Noun>, { isPublished: true }>['table'];

export const nounNames = Object.keys(nouns) as Noun[];

export const collectionTables: readonly CollectionTable[] = nounNames.map((noun) => nouns[noun].table);

export const publishedTables = nounNames.flatMap((noun) =>
  nouns[noun].isPublished ? [nouns[noun].table as PublishedTable] : [],
);

/** The resource whose items are in a table. */
export function nounOfTable(table: CollectionTable): Noun {
  return nounNames.find((noun) => nouns[noun].table === table) as Noun;
}

/** A value for each of these tables. */
export function perTable<T extends CollectionTable, V>(tables: readonly T[], make: (table: T) => V): Record<T, V> {
  return Object.fromEntries(tables.map((table) => [table, make(table)])) as Record<T, V>;
}
