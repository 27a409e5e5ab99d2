import * as z from 'zod';
import { type Entity, entity, made, written } from '../../fields/entity.ts';
import { flag, kind, nullable } from '../../fields/kinds.ts';
import { objectOf } from '../../fields/nested.ts';
import { fields, text } from '../../kernel/parse.ts';
import { type AttributeColumn, attributeColumnNames } from './feed-columns.ts';
import { countries } from './methods.ts';

/** The source of a column that is the product's own field, and not an attribute. */
export const brandField = 'brand';

const perColumn = <T>(value: T) =>
  Object.fromEntries(attributeColumnNames.map((name) => [name, value])) as Record<AttributeColumn, T>;

const columns = () =>
  kind(fields(perColumn(text(64, 1).optional())), () => z.object(perColumn(z.string().optional())), 'json');

const feedShape = {
  /** Whether the feeds are answered. They need `productUrl`. */
  enabled: written(flag(), {
    words: 'Whether the feeds are answered. They need `productUrl`.',
    example: true,
    initial: false,
  }),
  /** Attributes that fill columns, by Google's names of the columns; `brand` is the field of the product. */
  columns: written(columns(), {
    words:
      "Attributes that fill columns, by Google's names of the columns; `brand` is the field of the product. A column that is left out is filled by the attribute of its own name.",
    example: { color: 'Farbe', mpn: 'model' },
    initial: {},
  }),
  /** Countries that the goods are offered in; null for those of the shipping methods. */
  targetCountries: written(nullable(kind(countries, () => z.array(z.string()), 'json')), {
    words: 'Countries that the goods are offered in; null for those of the shipping methods.',
    example: ['DE', 'AT'],
  }),
  /** Part of the addresses of the feeds, made when they are enabled first. */
  token: made(
    { answer: () => z.string().nullable(), cell: 'text' },
    {
      words:
        'Part of the addresses of the feeds, made when they are enabled first; null before. Without the scope `settings.write` only its last four characters are shown.',
      example: '••••••••••••4fQ2',
      initial: null,
    },
  ),
};

const feedEntity = entity(feedShape, {
  words: 'The feeds of products for search engines and marketplaces.',
  strict: true,
});

/** The feeds of products for search engines and marketplaces. */
export type FeedSettings = Entity<typeof feedShape>;

/** The settings of feeds. */
export const feedSettings = {
  /** The feeds of products for search engines and marketplaces. */
  feed: written(objectOf(feedEntity), {
    words: 'The feeds of products for search engines and marketplaces.',
    input: { words: 'Replaced as a whole: a field that is left out gets its usual value. The token stays.' },
    initial: { ...feedEntity.initial, token: null },
    entries: feedShape,
  }),
};
