import { type Quote, quoteCheckout } from '@commerce/core';
import { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { type Item, parseItems } from '../../input/items.ts';
import { newCommand, parseText, storeOption } from '../../input/options.ts';
import { pairs, print, table } from '../../output/print.ts';
import { isId, resolveId } from '../../resolve.ts';
import type { Options } from '../../resource/resource.ts';

interface QuoteOptions extends Options {
  items: Item[];
  country?: string;
  region?: string;
  postalCode?: string;
  shippingMethod?: string;
  discountCode?: string;
  paymentMethod?: string;
}

export function checkoutsCommand(): Command {
  const quote = newCommand('quote', 'show what a cart costs now, and what is wrong with it; creates nothing', [
    'checkouts quote --items MUG:2 --country DE',
    'checkouts quote --items MUG:2,CUP:1 --shipping-method standard --discount-code WELCOME10 --json',
  ])
    .addOption(storeOption())
    .requiredOption(
      '--items <product:n>',
      'published products by SKU, slug or id with quantity, such as MUG:2,CUP:1',
      parseItems,
    )
    .option('--country <code>', 'the country of the goods, such as DE', parseText)
    .option('--region <region>', 'the region in the country', parseText)
    .option('--postal-code <code>', 'the postal code in the country', parseText)
    .option('--shipping-method <id>', 'one of the shipping methods of the settings', parseText)
    .option('--discount-code <code>', 'the code of a discount', parseText)
    .option('--payment-method <id>', 'one of the ways to pay, such as stripe', parseText)
    .action((options: QuoteOptions) =>
      withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const items = [];
        for (const { sku, quantity } of options.items) {
          const named = await resolveId(shop, 'product', sku);
          items.push({ ...(isId(named) ? { productId: named } : { sku }), quantity });
        }
        const item = await quoteCheckout(shop, {
          items,
          country: options.country ?? null,
          region: options.region ?? null,
          postalCode: options.postalCode ?? null,
          shippingMethodId: options.shippingMethod,
          discountCode: options.discountCode ?? null,
          paymentMethodId: options.paymentMethod ?? null,
        });
        print(options, { item }, () => described(item));
      }),
    );
  return new Command('checkouts').description('show what a cart costs').addCommand(quote);
}

function described(quote: Quote): string {
  const { currency, taxIncluded, shippingMethods, paymentMethods, problems } = quote;
  const lines = table(quote.lines, {
    sku: ({ sku }) => sku,
    title: ({ title }) => title,
    quantity: ({ quantity }) => quantity,
    price: ({ unitPrice }) => unitPrice,
    total: ({ total }) => total,
    problem: ({ problem }) => problem,
  });
  const totals = pairs({
    subtotal: quote.subtotal,
    ...(quote.discountCode !== null && { [`discount ${quote.discountCode}`]: quote.discount }),
    [quote.shippingMethodId === null ? 'shipping' : `shipping ${quote.shippingMethodId}`]: quote.shipping,
    [taxIncluded ? 'tax, contained' : 'tax']: quote.tax,
    total: `${quote.total} ${currency}`,
    'shipping methods': shippingMethods.map(({ id, price }) => `${id} ${price}`).join(', ') || 'none',
    'ways to pay': paymentMethods.map(({ id }) => id).join(', ') || 'none',
    ...Object.fromEntries(problems.map(({ code, field, message }) => [code, `${field}: ${message}`])),
  });
  return `${lines}\n\n${totals}`;
}
