import * as z from 'zod';
import { methodId } from '../engine/settings/methods.ts';
import { maxWeight } from '../engine/settings/shipping.ts';
import { standardClass, taxClass } from '../engine/settings/taxes.ts';
import { type Changes, type Entity, entity, type Input, made, written } from '../fields/entity.ts';
import { exampleIds } from '../fields/example-ids.ts';
import {
  choice,
  flag,
  integer,
  kind,
  madeAmount,
  madeTextOrNone,
  money,
  nullable,
  reference,
  references,
  requiredText,
  text,
} from '../fields/kinds.ts';
import { metadata } from '../fields/metadata.ts';
import { identity, stamps } from '../fields/stamps.ts';
import { maxAttributes, maxProductReferences } from '../kernel/limits.ts';
import { ruled, text as textRule } from '../kernel/parse.ts';
import { publishedFields, seoFields } from '../resources/publishing.ts';
import { unitPricing, unitPricingShape } from './unit-pricing.ts';

export const descriptionFormats = ['text', 'markdown', 'html'] as const;
export type DescriptionFormat = (typeof descriptionFormats)[number];

export const maxStock = 2_147_483_647;

/** A SKU or a barcode. Surrounding blanks are dropped; a blank value becomes null. */
const code = () =>
  kind(
    textRule(255)
      .trim()
      .transform((value) => value || null)
      .nullable(),
    () => z.string().nullable(),
    'text',
  );

const attributesRule = attributeRecord()
  .refine(
    (value) => Object.keys(value).length <= maxAttributes,
    ruled(`must have at most ${maxAttributes} keys`, 'TOO_MANY'),
  )
  .meta({ maxProperties: maxAttributes });

function attributeRecord() {
  const schema = z
    // Zod silently drops this key from a record.
    .custom<Record<string, string>>(
      (value) => typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__'),
      { error: 'must not have the key "__proto__"', abort: true },
    )
    .pipe(z.record(textRule(64, 1), textRule(255), 'must be an object of texts, such as {"color": "red"}'));
  return schema.meta({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: 'string', maxLength: 255 },
  });
}

/** The id of a party of the settings. */
const party = () => kind(methodId, () => z.string(), 'word');

const decimalWords = "A decimal string with at most the currency's decimals.";

const shape = {
  ...identity(exampleIds.product, 'The id, a UUIDv7, which sorts by the time of creation.'),
  /** The name shown to customers. */
  title: written(requiredText(255), {
    words: 'The name shown to customers.',
    example: 'Blue mug',
    required: true,
    public: true,
  }),
  ...publishedFields('blue-mug'),
  /** Stored unchanged, including HTML: sanitise it before you show it. */
  description: written(nullable(text(100_000)), {
    words: 'Stored unchanged, including HTML: sanitise it before you show it.',
    example: 'A mug, and it is blue.',
    public: true,
  }),
  /** In the store's currency, with all its decimals. */
  price: written(money(), {
    words: "In the store's currency, with all its decimals.",
    example: '12.50',
    input: { words: decimalWords, example: '12.50' },
    required: true,
    public: true,
  }),
  /** The price before a reduction, for display. */
  compareAtPrice: written(nullable(money()), {
    words: 'The price before a reduction, for display.',
    example: '15.00',
    input: { words: `The price before a reduction. ${decimalWords}` },
    public: true,
  }),
  /** While it is reduced, the lowest price of the 30 days before the reduction; null otherwise, and for new products. */
  priorPrice: made(
    { answer: () => madeAmount.answer().nullable(), cell: 'decimal' },
    {
      words:
        'While it is reduced, the lowest price of the 30 days before the reduction; null otherwise, and for new products.',
      example: '14.00',
      public: true,
      csv: false,
    },
  ),
  /** The stock keeping unit, unique among undeleted products. */
  sku: written(code(), {
    words: 'The stock keeping unit, unique among undeleted products.',
    example: 'MUG',
    public: true,
  }),
  /** A GTIN, an ISBN or a similar code. */
  barcode: written(code(), { words: 'A GTIN, an ISBN or a similar code.', public: true }),
  /** The barcode if it is a GTIN: 8, 12, 13 or 14 digits with a right check digit. */
  gtin: made(madeTextOrNone, {
    words: 'The barcode if it is a GTIN: 8, 12, 13 or 14 digits with a right check digit.',
    example: '4006381333931',
    public: true,
    csv: false,
  }),
  /** The brand. */
  brand: written(nullable(requiredText(255)), { words: 'The brand.', example: 'Morning Cups', public: true }),
  /** Who made it: the id of one of the parties of the settings. */
  manufacturerId: written(nullable(party()), {
    words: 'Who made it: the id of one of the parties of the settings.',
    example: 'maker',
    public: true,
  }),
  /** Who is responsible for it in the European Union, if the maker is elsewhere: the id of one of the parties of the settings. */
  responsiblePersonId: written(nullable(party()), {
    words:
      'Who is responsible for it in the European Union, if the maker is elsewhere: the id of one of the parties of the settings.',
    public: true,
  }),
  /** Warnings and notes about safety, as a page must show them. Plain text. */
  safetyNotes: written(nullable(requiredText(5000)), {
    words: 'Warnings and notes about safety, as a page must show them. Plain text.',
    example: 'Not for children under 3 years.',
    public: true,
  }),
  /** The price of a unit, such as a litre; null if it is sold by the piece. */
  unitPricing: written(nullable(unitPricing), {
    words: 'The price of a unit, such as a litre; null if it is sold by the piece.',
    entries: unitPricingShape,
    public: true,
    csv: { kind: 'json' },
  }),
  /** A text shared by all variants of a product. */
  variantGroupId: written(nullable(text(255, 1)), {
    words: 'A text shared by all variants of a product.',
    example: 'mugs',
    public: true,
  }),
  /** Texts by name, replaced as a whole. */
  attributes: written(
    kind(attributesRule, () => z.record(z.string(), z.string()), 'attributes'),
    { words: 'Texts by name, replaced as a whole.', example: { color: 'blue' }, initial: {}, public: true },
  ),
  /** True if paid orders reduce `stock`. */
  trackStock: written(flag(), {
    words: 'True if paid orders reduce `stock`.',
    example: true,
    initial: false,
    public: true,
  }),
  /** Pieces in stock; negative only through back-orders. */
  stock: written(
    // Accepts a negative stock, because a client sends back the value that it read. The operation refuses a new negative stock.
    integer(-maxStock, maxStock),
    {
      words: 'Pieces in stock; negative only through back-orders.',
      example: 10,
      input: {
        words: 'Pieces in stock, replacing the stored number. Not negative, unless it equals the stored number.',
      },
      initial: 0,
      public: true,
    },
  ),
  /** True if it can be ordered when out of stock. */
  allowBackorder: written(flag(), {
    words: 'True if it can be ordered when out of stock.',
    example: false,
    initial: false,
    public: true,
  }),
  /** Why a buyer cannot withdraw from buying it, such as "made to your measure"; null if a buyer can. */
  withdrawalExempt: written(nullable(text(200, 1)), {
    words: 'Why a buyer cannot withdraw from buying it, such as "made to your measure"; null if a buyer can.',
    public: true,
  }),
  /** The class of goods that the rate of tax follows from. */
  taxClass: written(taxClass(), {
    words: 'The class of goods that the rate of tax follows from.',
    example: 'standard',
    input: {
      words:
        'The class of goods that the rate of tax follows from. A new one must have a rate in the country of the store.',
    },
    initial: standardClass,
    public: true,
  }),
  /** Weight of a piece in grams, with its packing; null if it is not known, which weighs nothing. */
  weight: written(nullable(integer(0, maxWeight)), {
    words: 'Weight of a piece in grams, with its packing; null if it is not known, which weighs nothing.',
    example: 350,
    public: true,
  }),
  /** False for goods that are not sent, such as downloads and vouchers. */
  requiresShipping: written(flag(), {
    words: 'False for goods that are not sent, such as downloads and vouchers.',
    example: true,
    initial: true,
    public: true,
  }),
  /** The stock at or below which it is listed with `lowStock=true`; null for 0. */
  lowStockThreshold: written(nullable(integer(0, maxStock)), {
    words: 'The stock at or below which it is listed with `lowStock=true`; null for 0.',
    example: 2,
  }),
  /** The categories it belongs to. */
  categoryIds: written(references(maxProductReferences, 'category'), {
    words: 'The categories it belongs to.',
    example: [exampleIds.category],
    input: { words: 'The categories it belongs to, replaced as a whole. They must exist when they are added.' },
    initial: [],
    public: true,
    csv: { name: 'categories', kind: 'categories' },
  }),
  /** Its main image, which might have been deleted. */
  primaryMediaId: written(nullable(reference('media')), {
    words: 'Its main image, which might have been deleted.',
    example: exampleIds.media,
    input: { words: 'Its main image; it must exist when it is added.' },
    public: true,
    csv: { name: 'image', kind: 'image' },
  }),
  /** Its images in display order; some might have been deleted. */
  mediaIds: written(references(maxProductReferences, 'media'), {
    words: 'Its images in display order; some might have been deleted.',
    example: [exampleIds.media],
    input: { words: 'Its images, replaced as a whole. They must exist when they are added.' },
    initial: [],
    public: true,
    csv: { name: 'images', kind: 'images' },
  }),
  ...seoFields,
  ...metadata,
  ...stamps,
  /** How `description` is written. */
  descriptionFormat: written(choice(descriptionFormats), {
    words: 'How `description` is written.',
    example: 'text',
    initial: 'text',
    public: true,
  }),
};

export const productEntity = entity(shape, {
  words: "A product. Amounts are decimal strings in the store's currency.",
  create: {
    words: 'A new product.',
    example: {
      title: 'Blue mug',
      slug: 'blue-mug',
      price: '12.50',
      sku: 'MUG',
      status: 'published',
      attributes: { color: 'blue' },
      trackStock: true,
      stock: 10,
    },
  },
  update: {
    words: 'Changes of a product: absent fields keep their values.',
    example: { price: '11.00', compareAtPrice: '12.50' },
  },
});

/** A product as every interface answers it. Amounts are decimal strings in the store's currency. */
export type Product = Entity<typeof shape>;
export type ProductInput = Input<typeof shape>;
/** `updatedAt`, as the caller read it, proves that the caller has seen the stored stock; it is not written. */
export type ProductChanges = Changes<typeof shape> & {
  /** As it was read; not written. */
  updatedAt?: string;
};
