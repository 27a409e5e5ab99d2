import {
  adjustStock,
  createProduct,
  deleteProduct,
  getProduct,
  includeWords,
  listProducts,
  listProductsByAttributes,
  type Product,
  updateProduct,
} from '@commerce/core';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { collectPair } from '../../input/field-options.ts';
import { flagOf, forField } from '../../input/flags.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { print } from '../../output/print.ts';
import { resolveId } from '../../resolve.ts';
import { describeFields, type Options, type Resource, resourceCommand } from '../../resource/resource.ts';
import { UsageError } from '../../usage-error.ts';

const attribute = /^attr\./;

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
      variantGroupId: { flags: '--variants <group>', description: 'only the variants of this group' },
      categoryId: { flags: '--category <category>', description: 'only products in this category', kind: 'category' },
      search: { flags: '--search <text>', description: 'only products with this text in title, description or SKU' },
      lowStock: {
        flags: '--low-stock',
        description: 'only products with stock at or below their threshold, or at zero without one',
      },
      'attr.<name>': {
        flags: '--attribute <name=value>',
        description: 'only products with this attribute, such as color=blue; repeatable',
        parse: collectPair,
      },
    },
    columns: {
      id: (product) => product.id,
      slug: (product) => product.slug,
      sku: (product) => product.sku,
      title: (product) => product.title,
      price: (product) => product.price,
      stock: (product) => (product.trackStock ? product.stock : null),
      status: (product) => product.status,
    },
    async read(shop, query, command) {
      const named = Object.entries(query).filter(([field]) => attribute.test(field));
      if (named.length === 0) return listProducts(shop, query);
      const others = Object.fromEntries(Object.entries(query).filter(([field]) => !attribute.test(field)));
      refuseBesideAttributes(others, command);
      const attributes = Object.fromEntries(
        named.map(([field, value]) => [field.replace(attribute, ''), String(value)]),
      );
      return listProductsByAttributes(shop, { ...others, attributes });
    },
  },
  title: (product) => `${product.slug} (${product.title})`,
  show: (shop, id, { include }: { include?: string } = {}) => getProduct(shop, id, { include }),
  showOptions: () => [new Option('--include <words>', `also show, separated by commas: ${includeWords.join(', ')}`)],
  create: { schema: 'ProductInput', run: createProduct },
  update: { schema: 'ProductChanges', run: updateProduct },
  delete: deleteProduct,
  groups: {
    'Search engines': ['--seo-title', '--seo-description', '--seo-keywords', '--seo-image-id'],
    'Further fields': [
      '--description-format',
      '--compare-at-price',
      '--barcode',
      '--variant-group-id',
      '--attributes',
      '--track-stock',
      '--allow-backorder',
      '--low-stock-threshold',
      '--media-ids',
    ],
  },
  references: { categoryIds: 'category', mediaIds: 'media', primaryMediaId: 'media', seoImageId: 'media' },
  texts: { list: 'list the products of a store, newest first' },
  examples: {
    list: ['products list --status draft --sort title', 'products list --category mugs --csv > mugs.csv'],
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

/** Refuses attribute filters that the interface does not support: they would be ignored silently. */
function refuseBesideAttributes(others: Record<string, unknown>, command: Command): void {
  const beside = Object.keys(others).filter((field) => !/^(limit|offset|status)$/.test(field));
  if (beside.length === 0) return;
  const flags = beside.map((field) => flagOf(command, field, false) ?? field);
  throw new UsageError(`${flags.join(', ')}: cannot be combined with attributes; only --status can`);
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
