import { type Context, getSettings, rotateOrderLinks, type Settings, updateSettings } from '@commerce/core';
import { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { confirm, requireConsent } from '../../input/confirm.ts';
import { addFieldOptions, givenFields } from '../../input/field-options.ts';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, storeOption, yesOption } from '../../input/options.ts';
import { pairs, print } from '../../output/print.ts';
import type { Options } from '../../resource/resource.ts';

export function settingsCommand(): Command {
  const show = newCommand('show', 'show the settings of a store: tax, shipping, return pages, seller', [
    'settings show',
    'settings show --json',
  ])
    .addOption(storeOption())
    .action((options: Options) => inStore(options, getSettings));
  const update = newCommand('update', 'change settings; a running server applies them within a second', [
    'settings update --tax-rate 0.19 --tax-included',
    'settings update --return-urls https://shop.example --file shipping.json',
    'settings update --country DE --locale de --product-url "https://shop.example/p/{slug}"',
  ])
    .addOption(storeOption())
    .action(async (options: Options, command: Command) => {
      const given = await givenFields(command);
      await inStore(options, (shop) => updateSettings(shop, given));
    });
  addFieldOptions(update, 'SettingsChanges', {});
  withGroups(update, {
    'Ways to pay': ['--payment-methods', '--manual-payments', '--max-open-offline'],
    Mail: ['--mail', '--order-url'],
    'What pages of the shop must know': [
      '--country',
      '--locale',
      '--min-subtotal',
      '--pages',
      '--product-url',
      '--page-url',
      '--seller',
    ],
  });
  const rotate = newCommand(
    'rotate-order-links',
    "end all links to buyers' pages of orders that were sent so far, for example because some became known",
    ['settings rotate-order-links', 'settings rotate-order-links --yes'],
  )
    .addOption(storeOption())
    .addOption(yesOption())
    .action((options: Options, command: Command) => {
      requireConsent(options, command);
      return inStore(options, async (shop) => {
        await confirm(options, `end all links to orders of ${shop.store.name}`);
        return rotateOrderLinks(shop);
      });
    });
  const group = new Command('settings')
    .description('show and change store settings')
    .addCommand(show)
    .addCommand(update)
    .addCommand(rotate);
  return group;
}

function inStore(options: Options, work: (shop: Context) => Promise<Settings>): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const item = await work(await storeContext(commerce, options.store));
    print(options, { item }, () => described(item));
  });
}

function described(settings: Settings): string {
  const { taxRate, taxIncluded, shippingMethods, paymentMethods, returnUrls, seller } = settings;
  const methods = shippingMethods.map(({ id, name, price, freeFrom, countries }) => [
    `shipping ${id}`,
    [name, price, freeFrom && `free from ${freeFrom}`, countries?.join(' ')].filter(Boolean).join(', '),
  ]);
  const ways = paymentMethods.map((method) => [
    `payment ${method.id}`,
    [
      ...[method.name, method.provider ?? method.kind, method.countries?.join(' ')],
      method.minTotal && `from ${method.minTotal}`,
      method.maxTotal && `up to ${method.maxTotal}`,
      !method.active && 'not active',
    ]
      .filter(Boolean)
      .join(', '),
  ]);
  return pairs({
    name: settings.name,
    currency: settings.currency,
    'tax rate': `${taxRate} ${taxIncluded ? 'contained in prices' : 'added to prices'}`,
    ...Object.fromEntries([...methods, ...ways]),
    'reservation minutes': String(settings.reservationMinutes),
    'max quantity': String(settings.maxQuantity),
    'return urls': returnUrls.join(', ') || 'none: no page is allowed to sell',
    'manual payments': settings.manualPayments ? 'yes' : 'no',
    'time zone': settings.timeZone,
    country: settings.country,
    language: settings.locale,
    'smallest order': settings.minSubtotal,
    ...Object.fromEntries(Object.entries(settings.pages).map(([name, id]) => [`page ${name}`, id])),
    'product pages': settings.productUrl,
    'other pages': settings.pageUrl,
    seller:
      seller &&
      Object.values(seller)
        .flatMap(
          (value) =>
            value
              ?.split('\n')
              .map((line) => line.trim())
              .filter(Boolean) ?? [],
        )
        .join(', '),
  });
}
