import { type Context, type FeedTotals, getSettings, rotateFeedToken, type Settings } from '@commerce/core';
import { Command, Option } from 'commander';
import { storeContext } from '../../context.ts';
import { withCommerce } from '../../database.ts';
import { confirm, requireConsent } from '../../input/confirm.ts';
import { newCommand, parseCount, storeOption, yesOption } from '../../input/options.ts';
import { type MediaAddressOptions, mediaAddress, withMediaAddressOptions } from '../../media-address.ts';
import { pairs, print, table } from '../../output/print.ts';
import type { Options } from '../../resource/resource.ts';
import { UsageError } from '../../usage-error.ts';

interface FeedOptions extends Options, MediaAddressOptions {
  limit?: number;
  warnings?: boolean;
  quiet?: boolean;
}

export function feedsCommand(): Command {
  const url = newCommand('url', 'show the addresses of the feeds and of the sitemap', [
    'feeds url --public-url https://api.shop.example',
    'feeds url --json',
  ]).addOption(storeOption());
  withPublicUrl(url).action((options: FeedOptions) =>
    withCommerce(options, async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      const item = addressesOf(shop, await getSettings(shop), options);
      print(options, { item }, () => pairs(item));
    }),
  );
  const check = newCommand('check', 'list the published products that the feeds leave out, with the reasons', [
    'feeds check',
    'feeds check --warnings --limit 500 --json',
  ])
    .addOption(storeOption())
    .option('--warnings', 'also products in the feeds that something is wrong with')
    .addOption(
      new Option('--limit <count>', 'list at most so many; the totals are of all').argParser(parseCount).default(1000),
    );
  withMediaAddressOptions(check).action((options: FeedOptions) =>
    withCommerce(
      options,
      async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        const { checkAll } = await import('./files.ts');
        const { limit = 1000, warnings = false } = options;
        const report = await checkAll(shop, { limit, warnings });
        print(options, report, () => described(report));
      },
      // Whether there are images does not depend on where they are.
      addresses({ publicUrl: 'http://localhost', ...options }),
    ),
  );
  const write = newCommand('export', 'write a feed to a file: .tsv or .xml', [
    'feeds export products.tsv --public-url https://api.shop.example',
    'feeds export products.xml --cdn-url https://cdn.shop.example',
  ])
    .argument('<file>', 'the file')
    .addOption(storeOption())
    .option('--quiet', 'do not show progress');
  withMediaAddressOptions(write).action(async (file: string, options: FeedOptions) => {
    const { formatOf, writeFeed } = await import('./files.ts');
    formatOf(file);
    if (options.publicUrl === undefined && options.cdnUrl === undefined) {
      throw new UsageError('--public-url or --cdn-url is required: feeds have the addresses of images');
    }
    await withCommerce(
      options,
      async (commerce) => {
        const shop = await storeContext(commerce, options.store);
        await writeFeed(file, shop, options);
        print(options, { file }, () => `the feed is in ${file}`);
      },
      addresses(options),
    );
  });
  const rotate = newCommand('rotate-token', 'end the addresses of the feeds, which get others', [
    'feeds rotate-token',
    'feeds rotate-token --yes --public-url https://api.shop.example',
  ])
    .addOption(storeOption())
    .addOption(yesOption());
  withPublicUrl(rotate).action((options: FeedOptions, command: Command) => {
    requireConsent(options, command);
    return withCommerce(options, async (commerce) => {
      const shop = await storeContext(commerce, options.store);
      await confirm(options, `end the addresses of the feeds of ${shop.store.name}`);
      const item = addressesOf(shop, await rotateFeedToken(shop), options);
      print(options, { item }, () => pairs(item));
    });
  });
  return new Command('feeds')
    .description('check and write product feeds for search engines and marketplaces, and show their addresses')
    .addCommand(url)
    .addCommand(check)
    .addCommand(write)
    .addCommand(rotate);
}

function withPublicUrl(command: Command): Command {
  // The same option as of the others, without the one of images.
  const [option] = withMediaAddressOptions(new Command()).options;
  return option ? command.addOption(option) : command;
}

function addresses(options: MediaAddressOptions) {
  const { publicUrl } = options;
  // An export stores nothing: it needs only the addresses of images.
  const media = { files: undefined as never, url: mediaAddress(options) };
  return { media, ...(publicUrl === undefined ? {} : { publicUrl }) };
}

/** The addresses; without `--public-url` from their path on. Null for feeds that have never been enabled. */
function addressesOf({ store }: Context, { feed, productUrl, pageUrl }: Settings, { publicUrl = '' }: FeedOptions) {
  const folder = `${publicUrl}/feeds/${store.id}`;
  const of = (format: string) => (feed.token === null ? null : `${folder}/${feed.token}/products.${format}`);
  return {
    tsv: of('tsv'),
    xml: of('xml'),
    sitemap: productUrl === null && pageUrl === null ? null : `${folder}/sitemap.xml`,
    enabled: feed.enabled ? 'yes' : 'no',
  };
}

function described({ items, totals }: Awaited<ReturnType<typeof import('./files.ts')['checkAll']>>): string {
  const rows = items.flatMap(({ id, sku, title, isLeftOut, problems }) =>
    problems
      .filter(({ leavesOut }) => leavesOut || !isLeftOut)
      .map(({ code, message }) => ({ id, sku, title, code, message })),
  );
  return [
    table(rows, {
      id: (row) => row.id,
      sku: (row) => row.sku,
      title: (row) => row.title,
      code: (row) => row.code,
      reason: (row) => row.message,
    }),
    '',
    summed(totals),
  ].join('\n');
}

function summed({ published, listed, leftOut, warned }: FeedTotals): string {
  const warnings = warned === 0 ? '' : `; something is wrong with ${warned} of those in the feeds: --warnings`;
  return `${listed} of ${published} published products are in the feeds, ${leftOut} are left out${warnings}`;
}
