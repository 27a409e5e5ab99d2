import { describe, expect, it } from 'vitest';
import { textsOf } from '../labels/pairs.ts';
import { bodyOf, copyOf, newValues, type Product, valuesOf } from './values.ts';

const product: Product = {
  id: '0193d3ea-1c48-7b02-9d4e-6c1f0a7b3e52',
  storeId: 's',
  title: 'Mug',
  slug: 'mug',
  status: 'published',
  publishedAt: null,
  description: null,
  price: '12.50',
  compareAtPrice: null,
  sku: 'MUG',
  barcode: '4006381333931',
  gtin: '4006381333931',
  brand: 'Morning Cups',
  manufacturerId: 'maker',
  responsiblePersonId: null,
  safetyNotes: null,
  unitPricing: { measure: '750 ml', base: '1 l', price: '16.67' },
  priorPrice: null,
  metadata: { 'erp.id': '4711' },
  variantGroupId: 'mugs',
  attributes: { color: 'blue', size: 'L' },
  trackStock: true,
  stock: 7,
  allowBackorder: false,
  withdrawalExempt: null,
  taxClass: 'standard',
  weight: null,
  requiresShipping: true,
  lowStockThreshold: 0,
  descriptionFormat: 'markdown',
  categoryIds: [],
  primaryMediaId: null,
  mediaIds: [],
  seoTitle: null,
  seoDescription: null,
  seoKeywords: null,
  seoImageId: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
};

describe('the values of a product', () => {
  it('name the kind of goods in the language, and weigh whole grams', () => {
    const values = valuesOf({ ...product, taxClass: 'reduced', weight: 350 });
    expect(values).toMatchObject({ taxClass: 'Reduced', weight: '350', requiresShipping: true });
    expect(bodyOf({ ...values, taxClass: 'Maps & books', weight: '' })).toMatchObject({
      taxClass: 'maps-books',
      weight: null,
    });
    expect(newValues).toMatchObject({ taxClass: 'Standard', weight: '', requiresShipping: true });
  });

  it('come back as they were, without the stock, which only differences change', () => {
    const body = bodyOf(valuesOf(product));
    const { unitPricing, ...others } = body;
    expect(product).toMatchObject(others as object);
    expect(unitPricing).toEqual({ measure: '750 ml', base: '1 l' });
    expect(body).not.toHaveProperty('stock');
    expect(body.lowStockThreshold).toBe(0);
  });

  it('are null where a text was emptied, and go as typed where they are no numbers', () => {
    expect(bodyOf({ sku: '', compareAtPrice: '', title: '', lowStockThreshold: '' })).toEqual({
      sku: null,
      compareAtPrice: null,
      title: '',
      lowStockThreshold: null,
    });
    expect(bodyOf({ price: ' 9.90 ', lowStockThreshold: 'few' })).toEqual({ price: '9.90', lowStockThreshold: 'few' });
    expect(bodyOf(newValues)).toMatchObject({ stock: 0, attributes: {} });
  });

  it('keep attributes whose value is missing, and drop rows that are empty', () => {
    expect(
      textsOf([
        [' color ', 'blue'],
        ['', ''],
        ['size', ''],
      ]),
    ).toEqual({ color: 'blue', size: '' });
  });

  it('are copied without what has to be unique', () => {
    expect(copyOf(product)).toMatchObject({ title: 'Mug', slug: 'mug-copy', sku: '', status: 'draft', stock: '0' });
    expect(copyOf(product)).toMatchObject({ barcode: '', variantGroupId: '', metadata: [], brand: 'Morning Cups' });
  });
});
