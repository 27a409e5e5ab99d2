import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { categoryEntity } from '../categories/fields.ts';
import { parse } from '../kernel/parse.ts';
import { mediaEntity } from '../media/fields.ts';
import { pageEntity } from '../pages/fields.ts';
import { productEntity } from '../products/fields.ts';
import { readShown } from '../resources/public-view.ts';
import { type Changes, type Entity, entity, type Field, type Input, written } from './entity.ts';
import { nullable, text } from './kinds.ts';

/** A copy of a resource with two more fields: one is public, the other does not say. */
const probe = entity(
  {
    ...pageEntity.shape,
    brand: written(nullable(text(5)), { words: 'The maker.', example: 'ACME', public: true }),
    margin: written(nullable(text(5)), { words: 'A note of the shop.' }),
  },
  pageEntity.facts,
);
type Shape = typeof probe.shape;

const given = { title: 'Imprint', slug: 'imprint' };
const stored: Entity<typeof pageEntity.shape> = {
  ...pageEntity.initial,
  ...given,
  id: '0193d3ed-9e10-7e35-8718-2daf406e8c9f',
  storeId: '0193d3e8-5f00-7a11-8c3d-2f9b6a1e4c70',
  publishedAt: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};

describe('a field that is said once', () => {
  it('is in the types of answer, input and changes', () => {
    expectTypeOf<Entity<Shape>['brand']>().toEqualTypeOf<string | null>();
    expectTypeOf<Input<Shape>>().toExtend<{ title: string; brand?: string | null | undefined }>();
    expectTypeOf<Changes<Shape>['brand']>().toEqualTypeOf<string | null | undefined>();
    // @ts-expect-error a new page has a title
    const untitled: Input<Shape> = { slug: 'imprint' };
    // @ts-expect-error no client writes the store
    const foreign: Input<Shape> = { ...given, storeId: stored.storeId };
    expect([untitled, foreign]).toHaveLength(2);
  });

  it('is validated, and null unless it is given', () => {
    const { create, update } = probe.inputs();
    expect(parse(create, { ...given, brand: 'ACME' })).toEqual({ ...given, brand: 'ACME' });
    expect(() => parse(create, { ...given, brand: 'longer' })).toThrow(
      'brand: must be a text of at most 5 characters, not "longer"',
    );
    expect(parse(update, { brand: null })).toEqual({ brand: null });
    expect(parse(update, {})).toEqual({});
    expect(probe.initial).toEqual({ ...pageEntity.initial, brand: null, margin: null });
  });

  it('is answered in its place, also by an item that was stored before the field existed', () => {
    const item = probe.of({ ...stored, brand: 'ACME', margin: null });
    expect(Object.keys(item)).toEqual([...Object.keys(pageEntity.shape), 'brand', 'margin']);
    expect(probe.of(stored as Entity<Shape>)).toEqual({ ...stored, brand: null, margin: null });
  });

  it('is in the schema of answers with its words, and in CSV files with a column', () => {
    const { properties } = z.toJSONSchema(probe.answer()) as { properties: Record<string, object> };
    expect(properties.brand).toMatchObject({ description: 'The maker.', examples: ['ACME'] });
    expect(probe.columns).toEqual([
      ...pageEntity.columns,
      { name: 'brand', field: 'brand', kind: 'text' },
      { name: 'margin', field: 'margin', kind: 'text' },
    ]);
  });

  it.each(Object.entries({ productEntity, categoryEntity, pageEntity, mediaEntity }))(
    'of %s is to storefront keys what its answer can be',
    (_, { shape }) => {
      const hidden = Object.entries<Field>(shape).filter(([, { isPublic }]) => !isPublic);
      expect(
        hidden.filter(([, field]) => !field.answer().safeParse(field.hidden).success).map(([name]) => name),
      ).toEqual([]);
    },
  );

  it('is hidden from storefront keys unless it says `public`', () => {
    const json = JSON.stringify({ ...stored, brand: 'ACME', margin: '40 %', unknown: 1 });
    const [item] = readShown(probe, json as never).items;
    expect(item).toEqual({ ...stored, brand: 'ACME', margin: null });
    expect(readShown(probe, JSON.stringify(stored) as never).items).toEqual([{ ...stored, brand: null, margin: null }]);
  });

  it('of a product is public only if it was decided here, too', () => {
    const shown = Object.entries<Field>(productEntity.shape).filter(([, { isPublic }]) => isPublic);
    expect(shown.map(([name]) => name)).toMatchInlineSnapshot(`
      [
        "id",
        "storeId",
        "title",
        "slug",
        "status",
        "publishedAt",
        "description",
        "price",
        "compareAtPrice",
        "priorPrice",
        "sku",
        "barcode",
        "gtin",
        "brand",
        "manufacturerId",
        "responsiblePersonId",
        "safetyNotes",
        "unitPricing",
        "variantGroupId",
        "attributes",
        "trackStock",
        "stock",
        "allowBackorder",
        "withdrawalExempt",
        "taxClass",
        "weight",
        "requiresShipping",
        "categoryIds",
        "primaryMediaId",
        "mediaIds",
        "seoTitle",
        "seoDescription",
        "seoKeywords",
        "seoImageId",
        "createdAt",
        "updatedAt",
        "descriptionFormat",
      ]
    `);
  });
});
