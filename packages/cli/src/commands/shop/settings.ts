import {
  CommerceError,
  type Context,
  getSettings,
  isMemberState,
  proposedTaxes,
  rotateOrderLinks,
  type Settings,
  type ShippingMethod,
  starterRates,
  updateSettings,
} from '@commerce/core';
import { Command } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { confirm, requireConsent } from '../../input/confirm.ts';
import { addFieldOptions, givenFields } from '../../input/field-options.ts';
import { withGroups } from '../../input/help-groups.ts';
import { newCommand, storeOption, yesOption } from '../../input/options.ts';
import { pairs, print, table } from '../../output/print.ts';
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
    'Tax and shipping': ['--tax-rate', '--tax-included', '--taxes', '--shipping-methods', '--invoices'],
    'Ways to pay': ['--payment-methods', '--manual-payments', '--max-open-offline'],
    Mail: ['--mail', '--order-url'],
    'Feeds and agents': ['--feed', '--ucp'],
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
  const taxes = newCommand('taxes', 'show the rates of tax by country and class, or propose standard rates', [
    'settings taxes',
    'settings taxes --starter DE',
    'settings taxes --starter DE --apply',
  ])
    .addOption(storeOption())
    .option('--starter <country>', 'show the standard rates that a shop in that country could begin with')
    .option('--apply', 'with --starter: write them; rates of other classes and regions stay')
    .action((options: Options & { starter?: string; apply?: boolean }, command: Command) => {
      if (options.apply && options.starter === undefined) command.error('error: --apply needs --starter <country>');
      return withCommerce(options, async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const item = await taxesOf(shop, options.starter, options.apply === true);
        print(options, { item }, () => taxText(item, options.starter, options.apply === true));
      });
    });
  const group = new Command('settings')
    .description('show and change store settings')
    .addCommand(show)
    .addCommand(update)
    .addCommand(taxes)
    .addCommand(rotate);
  return group;
}

/** What `settings taxes` shows. */
type ShownTaxes = Pick<Settings, 'country' | 'taxRate' | 'taxIncluded' | 'taxes'>;

/** The taxes of a store, or those that it could begin with. */
async function taxesOf(shop: Context, starter: string | undefined, applies: boolean): Promise<ShownTaxes> {
  const { country, taxRate, taxIncluded, taxes } = await getSettings(shop);
  if (starter === undefined) return { country, taxRate, taxIncluded, taxes };
  const code = starter.trim().toUpperCase();
  const proposed = proposedTaxes(code, taxes);
  if (!proposed) {
    const known = Object.keys(starterRates.rates).join(', ');
    throw new CommerceError(
      'validation',
      `--starter: no rates are known for ${JSON.stringify(starter)}, only for ${known}`,
    );
  }
  if (!applies) return { country: code, taxRate, taxIncluded, taxes: proposed };
  return updateSettings(shop, { country: code, taxes: proposed });
}

function taxText({ country, taxRate, taxIncluded, taxes }: ShownTaxes, starter: string | undefined, applied: boolean) {
  const contained = taxIncluded ? 'contained in prices' : 'added to prices';
  if (taxes === null) return `one rate: ${taxRate}, ${contained}`;
  const scope = {
    destination: 'rates of the country that the goods go to',
    origin: 'own rates, in the European Union in all member states',
  }[taxes.scope];
  const lines = [
    table(taxes.rates, {
      country: ({ country, region }) => (region === null ? country : `${country}-${region}`),
      class: (row) => row.class,
      rate: ({ rate }) => rate,
      name: ({ name }) => name,
    }),
    '',
    `shop in ${country}; ${scope}; ${contained}; shipping: ${taxes.shipping ?? 'as usual'}`,
  ];
  if (starter === undefined) return lines.join('\n');
  lines.push(
    `Standard rates of ${starterRates.asOf}. Check them with your adviser, and add the reduced ones of your goods.`,
    ...(country !== null && isMemberState(country)
      ? [
          `Below EUR 10,000 a year sent to other member states, the scope can be "origin": your own rates in all of them.`,
        ]
      : []),
    applied ? 'They are written.' : 'Nothing was written: repeat it with --apply.',
  );
  return lines.join('\n');
}

function inStore(options: Options, work: (shop: Context) => Promise<Settings>): Promise<void> {
  return withCommerce(options, async (commerce) => {
    const item = await work(await storeContext(commerce, options.store));
    print(options, { item }, () => described(item));
  });
}

function bandOf({ upToWeight, upToSubtotal, price }: NonNullable<ShippingMethod['rates']>[number]): string {
  if (upToWeight !== null) return `${price} up to ${upToWeight} g`;
  return upToSubtotal === null ? `${price} above` : `${price} up to a subtotal of ${upToSubtotal}`;
}

function described(settings: Settings): string {
  const { taxRate, taxIncluded, shippingMethods, paymentMethods, returnUrls, seller } = settings;
  const methods = shippingMethods.map((method) => [
    `shipping ${method.id}`,
    [
      ...[method.name, method.kind === 'pickup' && 'pickup', method.rates?.map(bandOf).join(', ') ?? method.price],
      method.freeFrom && `free from ${method.freeFrom}`,
      method.minSubtotal && `from ${method.minSubtotal}`,
      method.countries?.join(' '),
      method.postalPrefixes?.include && `postal codes ${method.postalPrefixes.include.join(' ')}`,
      method.postalPrefixes?.exclude && `not postal codes ${method.postalPrefixes.exclude.join(' ')}`,
      method.deliveryDays && `${method.deliveryDays.min}-${method.deliveryDays.max} days`,
      !method.active && 'not active',
    ]
      .filter(Boolean)
      .join(', '),
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
    feeds: settings.feed.enabled ? 'on' : 'off',
    agents: settings.ucp.enabled ? (settings.ucp.host ?? 'on') : 'off',
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
