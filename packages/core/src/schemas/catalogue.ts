import { z } from 'zod';
import type { Category as CategoryEntity } from '../categories/fields.ts';
import type { Media as MediaEntity } from '../media/fields.ts';
import type { Page as PageEntity } from '../pages/pages.ts';
import type { ProductAttributes as ProductAttributesEntity } from '../products/facets.ts';
import type { Product as ProductEntity } from '../products/fields.ts';
import { publishingStatuses } from '../resources/publishing.ts';
import {
  amount,
  count,
  exactly,
  exampleIds,
  id,
  optionalAmount,
  optionalId,
  optionalTime,
  optionalWords,
  time,
  words,
  yesOrNo,
} from './values.ts';

const ids = (description: string, example: string) =>
  z.array(z.string().meta({ format: 'uuid' })).meta({ description, examples: [[example]] });

const storeId = id('The store it belongs to.', exampleIds.store);
const createdAt = time('When it was made, UTC.');
const updatedAt = time('When it was last changed, UTC.', '2026-11-20T12:30:00.000Z');

/** What products, categories and pages have alike. */
const published = {
  slug: words(
    'Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among those of its kind that are not deleted.',
    'blue-mug',
  ).meta({ minLength: 1, maxLength: 255, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  status: z.enum([...publishingStatuses, 'deleted']).meta({
    description:
      'Any move among draft, published and archived is allowed. `deleted` is reached by DELETE alone, and is seen in events only.',
    examples: ['published'],
  }),
  publishedAt: optionalTime('When it was first published; it never changes afterwards.', '2026-11-20T12:00:00.000Z'),
  seoTitle: optionalWords('The title for search engines.'),
  seoDescription: optionalWords('The description for search engines.'),
  seoKeywords: optionalWords('Keywords for search engines.'),
  seoImageId: optionalId('The image that is shown with links to it; it may have been deleted since.'),
};

export const Product = exactly<ProductEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7: it sorts by the time it was made.', exampleIds.product),
      storeId,
      title: words('The name that customers see.', 'Blue mug'),
      ...published,
      description: optionalWords('Text or markup, stored as it is given.', 'A mug, and it is blue.'),
      price: amount("In the store's currency, with all its decimals.", '12.50'),
      compareAtPrice: optionalAmount('The price before a reduction, to be shown struck through.', '15.00'),
      sku: optionalWords('The stock keeping unit: unique among the products that are not deleted.', 'MUG'),
      barcode: optionalWords('A GTIN, an ISBN or the like.'),
      variantGroupId: optionalWords('What products share that are variants of each other; any text.', 'mugs'),
      attributes: z
        .record(z.string(), z.string())
        .meta({ description: 'Texts by name, replaced as a whole.', examples: [{ color: 'blue' }] }),
      trackStock: yesOrNo('Whether paid orders take from `stock`.', true),
      stock: count('Pieces at hand. Below zero only through back-orders.', 10),
      allowBackorder: yesOrNo('Whether it can be ordered although the stock is short.', false),
      lowStockThreshold: z
        .int()
        .nullable()
        .meta({
          description: 'From which stock on a shop wants to be warned; it changes nothing here.',
          examples: [2],
        }),
      categoryIds: ids('The categories it is in.', exampleIds.category),
      primaryMediaId: optionalId('The image that stands for it; it may have been deleted since.', exampleIds.media),
      mediaIds: ids('Its images, in the order they are shown; some may have been deleted since.', exampleIds.media),
      createdAt,
      updatedAt,
    })
    .meta({ description: "A product. Amounts are decimal strings in the store's currency." }),
);

export const ProductAttributes = exactly<ProductAttributesEntity>()(
  z
    .object({
      keys: z.array(z.string()).meta({ description: 'Every key, sorted.', examples: [['color', 'size']] }),
      values: z.record(z.string(), z.array(z.string())).meta({
        description: 'The values of each key, sorted.',
        examples: [{ color: ['blue', 'red'], size: ['L', 'M'] }],
      }),
    })
    .meta({ description: 'The attributes of the products that are not deleted.' }),
);

export const Category = exactly<CategoryEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.category),
      storeId,
      name: words('The name that customers see.', 'Mugs'),
      ...published,
      slug: published.slug.meta({ examples: ['mugs'] }),
      description: optionalWords('Text or markup, stored as it is given.'),
      parentId: optionalId('The root category above it; null for a root. There are two levels.'),
      createdAt,
      updatedAt,
    })
    .meta({ description: 'A category of products.' }),
);

export const Page = exactly<PageEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.page),
      storeId,
      title: words('The title of the page.', 'Imprint'),
      ...published,
      slug: published.slug.meta({ examples: ['imprint'] }),
      content: optionalWords('Text or markup, as the storefront wants it; stored as it is given.', '<p>Shop Ltd.</p>'),
      createdAt,
      updatedAt,
    })
    .meta({ description: 'A page of content, such as an imprint.' }),
);

export const Media = exactly<MediaEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.media),
      storeId,
      url: words(
        'Where a browser finds the file: `<cdn url>/<store id>/<id>.<extension>`. It begins with a slash where a service was not told its own address.',
        `https://shop.test/media/${exampleIds.store}/${exampleIds.media}.jpg`,
      ).meta({ format: 'uri-reference' }),
      mimeType: z
        .enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
        .meta({ description: 'Decided from the bytes of the file.', examples: ['image/jpeg'] }),
      width: count('Pixels, as it is shown.', 1600),
      height: count('Pixels, as it is shown.', 1200),
      fileSize: count('Bytes.', 245_760),
      altText: optionalWords('What is said in place of the image.', 'A blue mug on a table'),
      createdAt,
      updatedAt,
    })
    .meta({ description: 'An image.' }),
);
