import { getShop, type Shop } from '@commerce/core';
import type { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { newCommand, storeOption } from '../../input/options.ts';
import { pairs, print } from '../../output/print.ts';
import type { Options } from '../../resource/resource.ts';

export function shopCommand(): Command {
  return newCommand('shop', 'show what pages of the shop must know before they sell', ['shop', 'shop --json'])
    .addOption(storeOption())
    .action((options: Options) =>
      withCommerce(options, async (commerce) => {
        const item = await getShop(await storeContext(commerce, options.store));
        print(options, { item }, () => described(item));
      }),
    );
}

function described(shop: Shop): string {
  const { shippingMethods, paymentMethods, pages, seller } = shop;
  const namesOf = (methods: readonly { id: string; name: string }[]) =>
    methods.map(({ id, name }) => `${name} (${id})`).join(', ') || 'none';
  return pairs({
    name: shop.name,
    currency: shop.currency,
    country: shop.country,
    language: shop.locale,
    'time zone': shop.timeZone,
    prices: shop.taxIncluded ? 'with tax' : 'without tax',
    'ships to': shop.countries?.join(' ') ?? 'everywhere',
    'shipping methods': namesOf(shippingMethods),
    'ways to pay': namesOf(paymentMethods),
    'smallest order': shop.minSubtotal,
    ...Object.fromEntries(Object.entries(pages).map(([name, slug]) => [`page ${name}`, slug])),
    'product pages': shop.productUrl,
    'other pages': shop.pageUrl,
    seller:
      seller &&
      [
        seller.name,
        ...seller.address
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean),
        seller.email,
      ].join(', '),
    'reservation minutes': String(shop.reservationMinutes),
  });
}
