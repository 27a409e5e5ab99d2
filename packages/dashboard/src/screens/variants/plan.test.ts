import { describe, expect, it } from 'vitest';
import { combinations, comboKey, mistakeIn, type Option, optionsOf, type Product } from './options.ts';
import { type Draft, missing, planOf, rowsOf } from './plan.ts';
import { variantSlug } from './slugs.ts';

const product = (id: string, attributes: Product['attributes'], changes: Partial<Product> = {}): Product => ({
  id,
  storeId: 's',
  title: 'Shirt',
  slug: id,
  status: 'published',
  publishedAt: null,
  description: 'Soft',
  price: '20.00',
  compareAtPrice: null,
  sku: null,
  barcode: null,
  gtin: null,
  brand: null,
  manufacturerId: null,
  responsiblePersonId: null,
  safetyNotes: null,
  unitPricing: null,
  priorPrice: null,
  metadata: {},
  variantGroupId: 'shirt',
  attributes,
  trackStock: true,
  stock: 5,
  allowBackorder: false,
  withdrawalExempt: null,
  taxClass: 'standard',
  weight: null,
  requiresShipping: true,
  lowStockThreshold: null,
  descriptionFormat: 'text',
  categoryIds: ['c'],
  primaryMediaId: null,
  mediaIds: ['m'],
  seoTitle: null,
  seoDescription: null,
  seoKeywords: null,
  seoImageId: null,
  createdAt: '2026-11-20T12:00:00.000Z',
  updatedAt: '2026-11-20T12:00:00.000Z',
  ...changes,
});

const keys = () => {
  let last = 0;
  return () => ++last;
};
const option = (name: string, texts: readonly string[], next: () => number): Option => ({
  key: next(),
  was: undefined,
  name,
  values: texts.map((text) => ({ key: next(), was: undefined, text })),
});
const draftOf = (options: readonly Option[], changes: Partial<Draft> = {}): Draft => ({
  options,
  edits: {},
  leftOut: [],
  ...changes,
});

describe('options', () => {
  it('are the first attributes that tell the variants apart', () => {
    const variants = [
      product('a', { color: 'red', size: 'S', cloth: 'wool' }),
      product('b', { color: 'red', size: 'M', cloth: 'wool' }),
      product('c', { color: 'blue', size: 'S', cloth: 'linen' }),
    ];
    const options = optionsOf(variants, keys());
    expect(options.map(({ name, values }) => [name, ...values.map(({ text }) => text)])).toEqual([
      ['color', 'red', 'blue'],
      ['size', 'S', 'M'],
    ]);
    expect(combinations(options)).toHaveLength(4);
    expect(missing(options, variants)).toHaveLength(1);
    expect(optionsOf(variants.slice(0, 1), keys())).toEqual([]);
    expect(combinations([])).toEqual([]);
  });

  it('are refused with names or values that are there twice, or missing', () => {
    const next = keys();
    const of = (...options: [string, string[]][]) =>
      mistakeIn(options.map(([name, texts]) => option(name, texts, next)));
    expect(of(['color', ['red', 'blue']])).toBeUndefined();
    expect(of(['color', ['red']], [' color ', ['S']])).toEqual({ mistake: 'nameTwice', text: 'color' });
    expect(of(['color', ['red', 'red ']])).toEqual({ mistake: 'valueTwice', text: 'red' });
    expect(of(['', ['red']])).toEqual({ mistake: 'unnamed', text: 'red' });
    const many = Array.from({ length: 20 }, (_, i) => String(i));
    expect(of(['a', many], ['b', many])).toMatchObject({ mistake: 'tooMany' });
  });
});

describe('a plan', () => {
  it('makes the product one began with a variant, and adds the other combinations', () => {
    const base = product('shirt', { cloth: 'wool' }, { variantGroupId: null });
    const next = keys();
    const options = [option('Color', ['Red', 'Blue'], next), option('Size', ['S', 'L'], next)];
    const draft = draftOf(options);
    const [, second] = rowsOf(draft, [base], base);
    const edited = draftOf(options, { edits: { [second?.key ?? '']: { price: '22.50', sku: ' R-L ', stock: '3' } } });
    const work = planOf(edited, [base], base, []);
    expect(work.map(({ kind }) => kind)).toEqual(['update', 'create', 'create', 'create']);
    expect(work[0]).toMatchObject({
      variant: { id: 'shirt' },
      body: { attributes: { Color: 'Red', Size: 'S', cloth: 'wool' }, variantGroupId: 'shirt' },
      adjustment: 0,
    });
    expect(work[1]).toMatchObject({
      body: {
        slug: 'shirt-red-l',
        price: '22.50',
        sku: 'R-L',
        stock: 3,
        title: 'Shirt',
        variantGroupId: 'shirt',
        attributes: { Color: 'Red', Size: 'L', cloth: 'wool' },
        mediaIds: ['m'],
        primaryMediaId: 'm',
        categoryIds: ['c'],
      },
    });
    expect(work[3]).toMatchObject({ body: { slug: 'shirt-blue-l', price: '20.00', sku: null, stock: 0 } });
  });

  it('gives new variants the maker, the safety notes and the price per unit, but no numbers of other programs', () => {
    const law = { brand: 'Hof', manufacturerId: 'maker', responsiblePersonId: 'importer', safetyNotes: 'Hot!' };
    const unitPricing = { measure: '750 ml', base: '1 l', price: '26.67' };
    const changes = {
      ...law,
      unitPricing,
      metadata: { 'erp.id': '1' },
      barcode: '4006381333931',
      variantGroupId: null,
    };
    const base = product('wine', {}, changes);
    const work = planOf(draftOf([option('Year', ['2024', '2025'], keys())]), [base], base, []);
    const made = work.find(({ kind }) => kind === 'create');
    expect(made).toMatchObject({ body: { ...law, unitPricing: { measure: '750 ml', base: '1 l' } } });
    for (const name of ['metadata', 'barcode', 'unitPricing.price']) expect(made).not.toHaveProperty(`body.${name}`);
  });

  it('takes the value that an attribute already has', () => {
    const base = product('shirt', { color: 'blue' }, { variantGroupId: null });
    const options = [option('color', ['red', 'blue'], keys())];
    const work = planOf(draftOf(options), [base], base, []);
    expect(work).toMatchObject([
      { kind: 'create', body: { attributes: { color: 'red' } } },
      { kind: 'update', body: { variantGroupId: 'shirt' } },
    ]);
  });

  const red = product('red', { color: 'red', cloth: 'wool' });
  const blue = product('blue', { color: 'blue', cloth: 'wool' });
  const stored = optionsOf([red, blue], keys()) as [Option];

  it('does nothing for what has not changed', () => {
    expect(planOf(draftOf(stored), [red, blue], red, ['color'])).toEqual([]);
    const edits = { red: { stock: '5', price: '20.00', sku: '' } };
    expect(planOf(draftOf(stored, { edits }), [red, blue], red, ['color'])).toEqual([]);
  });

  it('sends only changed cells, and the stock as a difference', () => {
    const edits = { blue: { stock: '2', price: '21.00', mediaId: 'n' } };
    expect(planOf(draftOf(stored, { edits }), [red, blue], red, ['color'])).toEqual([
      {
        kind: 'update',
        key: 'blue',
        variant: blue,
        body: { price: '21.00', primaryMediaId: 'n', mediaIds: ['n', 'm'] },
        adjustment: -3,
      },
    ]);
  });

  it('renames options and values in every variant', () => {
    const [color] = stored;
    const values = color.values.map((value) => (value.text === 'red' ? { ...value, text: 'dark red' } : value));
    const work = planOf(draftOf([{ ...color, name: 'Colour', values }]), [red, blue], red, ['color']);
    expect(work).toMatchObject([
      { body: { attributes: { Colour: 'dark red', cloth: 'wool' } } },
      { body: { attributes: { Colour: 'blue', cloth: 'wool' } } },
    ]);
  });

  it('archives the variants of a removed value, and restores them with it', () => {
    const [color] = stored;
    const less = { ...color, values: color.values.filter(({ text }) => text !== 'blue') };
    expect(planOf(draftOf([less]), [red, blue], red, ['color'])).toEqual([
      { kind: 'archive', key: 'blue', variant: blue },
    ]);
    const again = { ...less, values: [...less.values, { key: 99, was: undefined, text: 'blue' }] };
    const former = { ...blue, status: 'archived' as const, stock: 1 };
    const work = planOf(draftOf([again]), [red, former], red, ['color']);
    expect(work).toMatchObject([
      { kind: 'update', variant: { id: 'blue' }, body: { status: 'published' }, adjustment: -1 },
    ]);
  });

  it('leaves out combinations that are not wanted', () => {
    const next = keys();
    const options = [option('color', ['red', 'blue'], next), option('size', ['S', 'L'], next)];
    const all = combinations(options).map(comboKey);
    const work = planOf(draftOf(options, { leftOut: all.slice(1, 3) }), [red], red, []);
    expect(work.map(({ kind }) => kind)).toEqual(['update', 'create']);
  });
});

describe('the slug of a variant', () => {
  it('is that of the product with the values, and free', () => {
    expect(variantSlug('shirt', ['Größe L', 'Rot'], new Set())).toBe('shirt-grosse-l-rot');
    expect(variantSlug('shirt', ['Red'], new Set(['shirt-red', 'shirt-red-2']))).toBe('shirt-red-3');
    expect(variantSlug('shirt', ['青'], new Set())).toMatch(/^shirt-[a-z2-9]{6}$/);
  });
});

describe('a plan of which a part was stored', () => {
  it('goes on with the rest', () => {
    const red = product('red', { color: 'red' });
    const blue = product('blue', { color: 'blue' });
    const [color] = optionsOf([red, blue], keys()) as [Option];
    const values = color.values.map((value) => (value.text === 'red' ? { ...value, text: 'dark red' } : value));
    const green = { key: 99, was: undefined, text: 'green' };
    const draft = draftOf([{ ...color, name: 'Colour', values: [...values, green] }]);
    const saved = [product('red', { Colour: 'dark red' }), blue, product('green', { Colour: 'green' })];
    expect(planOf(draft, saved, blue, ['color', 'Colour'])).toEqual([
      { kind: 'update', key: 'blue', variant: blue, body: { attributes: { Colour: 'blue' } }, adjustment: 0 },
    ]);
  });
});
