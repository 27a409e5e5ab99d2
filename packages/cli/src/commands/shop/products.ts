import {
  adjustStock,
  createProduct,
  deleteProduct,
  getProduct,
  includeWords,
  listProducts,
  type Product,
  type ProductList,
  productSorts,
  updateProduct,
} from '@commerce/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { collectPairs } from '../../input/field-options.ts';
import { forField } from '../../input/flags.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { print } from '../../output/print.ts';
import { resolveId } from '../../resolve.ts';
import { metadataFilter } from '../../resource/filters.ts';
import { describeFields, type Options, type Resource, resourceCommand } from '../../resource/resource.ts';

const products: Resource<Product> = {
  kind: 'product',
  noun: 'product',
  names: 'its id, slug or SKU',
  listing: {
    item: 'Product',
    filters: {
      status: { flags: '--status <status>', description: 'only items with this status: draft, published or archived' },
      slug: { flags: '--slug <slug>', description: 'only the item with this slug' },
      sku: { flags: '--sku <sku>', description: 'only the product with this SKU' },
      barcode: { flags: '--barcode <code>', description: 'only products with this barcode' },
      variantGroupId: { flags: '--variants <group>', description: 'only the variants of this group' },
      categoryId: {
        flags: '--category <category>',
        description: 'only products in this category or below it',
        kind: 'category',
      },
      search: {
        flags: '--search <text>',
        description: 'only products with all these words in title, description, SKU, barcode or attributes',
      },
      minPrice: { flags: '--min-price <amount>', description: 'only products that cost at least this' },
      maxPrice: { flags: '--max-price <amount>', description: 'only products that cost at most this' },
      inStock: { flags: '--in-stock', description: 'only products that can be bought now' },
      onSale: { flags: '--on-sale', description: 'only products with a price below the price before' },
      lowStock: {
        flags: '--low-stock',
        description: 'only products with stock at or below their threshold, or at zero without one',
      },
      'attr.<name>': {
        flags: '--attr <name=value>',
        description: 'only products with this attribute, such as color=blue; repeatable',
        parse: collectPairs,
      },
      ...metadataFilter,
      group: { flags: '--group <by>', description: 'one product of each variant group', choices: ['variants'] },
      facets: {
        flags: '--facets <names>',
        description: 'count the values of attributes, price, category or inStock, separated by commas',
      },
      include: {
        flags: '--include <parts>',
        description: 'with --json, what each product has in addition: variants, media, or both',
      },
    },
    rareFilters: [
      '--barcode',
      '--group',
      '--facets',
      '--include',
      '--metadata',
      '--min-price',
      '--max-price',
      '--on-sale',
    ],
    sorts: productSorts,
    columns: {
      id: (product) => product.id,
      slug: (product) => product.slug,
      sku: (product) => product.sku,
      title: (product) => product.title,
      price: (product) => product.price,
      stock: (product) => (product.trackStock ? product.stock : null),
      status: (product) => product.status,
    },
    read: listProducts,
    footer: (list) => facetText((list as ProductList).facets),
  },
  title: (product) => `${product.slug} (${product.title})`,
  show: (shop, id, { include }: { include?: string } = {}) => getProduct(shop, id, { include }),
  showOptions: () => [new Option('--include <words>', `also show, separated by commas: ${includeWords.join(', ')}`)],
  create: { schema: 'ProductInput', run: createProduct },
  update: { schema: 'ProductChanges', run: updateProduct },
  delete: deleteProduct,
  groups: {
    'Search engines': ['--seo-title', '--seo-description', '--seo-keywords', '--seo-image-id'],
    'Tax and shipping': ['--tax-class', '--weight', '--requires-shipping'],
    'Law and feeds': ['--brand', '--manufacturer-id', '--responsible-person-id', '--safety-notes', '--unit-pricing'],
    'Further fields': [
      '--description-format',
      '--compare-at-price',
      '--barcode',
      '--variant-group-id',
      '--attributes',
      '--track-stock',
      '--allow-backorder',
      '--low-stock-threshold',
      '--withdrawal-exempt',
      '--media-ids',
      '--metadata',
    ],
  },
  references: { categoryIds: 'category', mediaIds: 'media', primaryMediaId: 'media', seoImageId: 'media' },
  texts: { list: 'list the products of a store, newest first unless sorted' },
  examples: {
    list: [
      'products list --status draft --sort title',
      'products list --category mugs --csv > mugs.csv',
      'products list --sort price --min-price 5 --attr color=red --facets color,price',
    ],
    show: ['products show blue-mug', 'products show MUG-BLUE --include variants,media --json'],
    create: [
      'products create --title "Blue mug" --slug blue-mug --sku MUG --price 12.50 --status published',
      'products create --file mug.json --track-stock --stock 10',
    ],
    update: [
      'products update MUG --price 11.00 --compare-at-price 12.50',
      'products update blue-mug --clear description',
    ],
    delete: ['products delete blue-mug', 'products delete MUG --yes'],
  },
};

/** Facets as lines, such as `color: blue 3, red 1`. */
function facetText(facets: ProductList['facets']): string {
  if (!facets) return '';
  const { attributes, categories, price, inStock } = facets;
  const counted = (values: readonly { count: number }[] | null | undefined, nameOf: (one: never) => string) =>
    values === null
      ? 'more than 20,000 products'
      : values?.map((one) => `${nameOf(one as never)} ${one.count}`).join(', ');
  const lines: [string, string | undefined][] = [
    ...Object.entries(attributes).map(([name, values]): [string, string | undefined] => [
      name,
      counted(values, ({ value }: { value: string }) => value),
    ]),
    ['category', categories === undefined ? undefined : counted(categories, ({ id }: { id: string }) => id)],
    ['price', price === null ? 'more than 20,000 products' : price && `${price.min ?? '-'} to ${price.max ?? '-'}`],
    ['in stock', inStock === null ? 'more than 20,000 products' : inStock && String(inStock.count)],
  ];
  return lines.flatMap(([name, text]) => (text === undefined ? [] : [`\n${name}: ${text || 'none'}`])).join('');
}

export const productFilters = products.listing.filters;

export function productsCommand(): Command {
  return resourceCommand('products', 'list, show, create, change and delete products', products).addCommand(
    newCommand('stock', 'increase or decrease the stock of a product', [
      'products stock MUG --adjust 12 --reason "Delivery of Monday"',
      'products stock blue-mug --adjust -1 --reason Broken',
    ])
      .argument('<product>', products.names)
      .addOption(storeOption())
      .addOption(
        forField(
          'adjustment',
          new Option('--adjust <number>', 'pieces to add; negative to remove')
            .argParser(parseAdjustment)
            .makeOptionMandatory(),
        ),
      )
      .option('--reason <text>', 'for the audit log')
      .action((text: string, options: Options & { adjust: number; reason?: string }) =>
        withCommerce(options, async (commerce) => {
          const shop = await storeContext(commerce, options.store);
          const { adjust: adjustment, reason } = options;
          const id = await resolveId(shop, 'product', text);
          const item = await adjustStock(shop, id, { adjustment, ...(reason === undefined ? {} : { reason }) });
          print(options, { item }, () => describeFields(item));
        }),
      ),
  );
}

function parseAdjustment(value: string): number {
  if (!/^[+-]?\d{1,10}$/.test(value)) throw new InvalidArgumentError('It must be a whole number, such as 12 or -1.');
  return Number(value);
}
