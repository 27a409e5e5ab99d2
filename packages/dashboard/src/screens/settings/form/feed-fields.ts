import { type AttributeColumn, attributeColumns } from '../../../../../core/src/engine/settings/feed-columns.ts';
import { type ApiError, type Detail, refusal } from '../../../api/errors.ts';
import { check, type FieldKind, own } from '../../../kit/index.ts';
import { t } from '../../../words/words.ts';

const words = t.settings.feed;

/** Columns that attributes can fill, by Google's names. */
export const columnNames = Object.keys(attributeColumns) as AttributeColumn[];

/** A column of the feed by its name: "Color (color)". */
export function columnText(column: string): string {
  const names: Readonly<Record<string, string>> = words.columnNames;
  return Object.hasOwn(names, column) ? `${names[column]} (${column})` : column;
}

/** A column, and the attribute that fills it. */
export type ColumnRow = readonly [column: string, attribute: string];

/** The name of the field of columns. */
const columnsField = 'feed.columns';

const columns: FieldKind<ColumnRow[]> = {
  ...own<ColumnRow[]>(words.columns, []),
  read: (stored) => Object.entries((stored ?? {}) as Record<string, string>),
  sent(rows) {
    const filledIn = rows
      .map(([column, attribute]) => [column, attribute.trim()] as const)
      .filter(([, attribute]) => attribute !== '');
    if (filledIn.some(([column]) => column === '')) throw refusal(columnsField, words.noColumn);
    return Object.fromEntries(filledIn);
  },
};

export const feedFields = {
  'feed.enabled': check(words.enabled, { hint: words.enabledHint }),
  'feed.targetCountries': own<string[]>(words.countries, [], (codes) => (codes.length > 0 ? codes : null)),
  [columnsField]: columns,
};

/** The refusal of a feed that has no addresses of products, in words of its own. */
export function feedRefusal(error: ApiError): ApiError {
  return error.with(
    error.details.map(
      (detail): Detail => (detail.field === 'feed.enabled' ? { ...detail, said: words.addressMissing } : detail),
    ),
  );
}
