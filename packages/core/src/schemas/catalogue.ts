import * as z from 'zod';
import type { Category as CategoryEntity } from '../categories/fields.ts';
import type { Media as MediaEntity } from '../media/fields.ts';
import type { Page as PageEntity } from '../pages/pages.ts';
import type { ProductAttributes as ProductAttributesEntity } from '../products/facets.ts';
import { descriptionFormats, type Product as ProductEntity } from '../products/fields.ts';
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
const createdAt = time('Time of creation, UTC.');
const updatedAt = time('Time of the last change, UTC.', '2026-11-20T12:30:00.000Z');

/** Fields that products, categories and pages have in common. */
const published = {
  slug: words(
    'Its name in addresses: lower-case letters and digits with single dashes. Unique in the store among undeleted resources of its kind.',
    'blue-mug',
  ).meta({ minLength: 1, maxLength: 255, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' }),
  status: z.enum([...publishingStatuses, 'deleted']).meta({
    description:
      'Any change among draft, published and archived is allowed. `deleted` is set by DELETE alone and appears only in events.',
    examples: ['published'],
  }),
  publishedAt: optionalTime('Time of the first publication; never changes afterwards.', '2026-11-20T12:00:00.000Z'),
  seoTitle: optionalWords('The title for search engines.'),
  seoDescription: optionalWords('The description for search engines.'),
  seoKeywords: optionalWords('Keywords for search engines.'),
  seoImageId: optionalId('The image shown with links to it; it may have been deleted since.'),
};

export const Product = exactly<ProductEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7, which sorts by the time of creation.', exampleIds.product),
      storeId,
      title: words('The name shown to customers.', 'Blue mug'),
      ...published,
      description: optionalWords(
        'Stored unchanged, also HTML: whoever shows it has to make it safe.',
        'A mug, and it is blue.',
      ),
      descriptionFormat: z
        .enum(descriptionFormats)
        .meta({ description: 'How `description` is written.', examples: ['text'] }),
      price: amount("In the store's currency, with all its decimals.", '12.50'),
      compareAtPrice: optionalAmount('The price before a reduction, for display.', '15.00'),
      sku: optionalWords('The stock keeping unit, unique among undeleted products.', 'MUG'),
      barcode: optionalWords('A GTIN, an ISBN or the like.'),
      variantGroupId: optionalWords('A text shared by products that are variants of each other.', 'mugs'),
      attributes: z
        .record(z.string(), z.string())
        .meta({ description: 'Texts by name, replaced as a whole.', examples: [{ color: 'blue' }] }),
      trackStock: yesOrNo('True when paid orders take from `stock`.', true),
      stock: count('Pieces in stock; below zero only through back-orders.', 10),
      allowBackorder: yesOrNo('True when it can be ordered although stock is short.', false),
      lowStockThreshold: z
        .int()
        .nullable()
        .meta({
          description: 'The stock at or below which it is listed with `lowStock=true`; null for 0.',
          examples: [2],
        }),
      categoryIds: ids('The categories it is in.', exampleIds.category),
      primaryMediaId: optionalId('Its main image; it may have been deleted since.', exampleIds.media),
      mediaIds: ids('Its images in display order; some may have been deleted since.', exampleIds.media),
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
    .meta({ description: 'The attributes of undeleted products.' }),
);

export const Category = exactly<CategoryEntity>()(
  z
    .object({
      id: id('The id, a UUIDv7.', exampleIds.category),
      storeId,
      name: words('The name shown to customers.', 'Mugs'),
      ...published,
      slug: published.slug.meta({ examples: ['mugs'] }),
      description: optionalWords('Text or markup, stored unchanged.'),
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
      content: optionalWords('Text or markup for the storefront, stored unchanged.', '<p>Shop Ltd.</p>'),
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
        'The address of the file: `<cdn url>/<store id>/<id>.<extension>`. Begins with a slash when the service does not know its own address.',
        `https://shop.test/media/${exampleIds.store}/${exampleIds.media}.jpg`,
      ).meta({ format: 'uri-reference' }),
      mimeType: z
        .enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif'])
        .meta({ description: 'Determined from the bytes of the file.', examples: ['image/jpeg'] }),
      width: count('Displayed width in pixels.', 1600),
      height: count('Displayed height in pixels.', 1200),
      fileSize: count('Bytes.', 245_760),
      altText: optionalWords('The alternative text.', 'A blue mug on a table'),
      createdAt,
      updatedAt,
    })
    .meta({ description: 'An image.' }),
);
