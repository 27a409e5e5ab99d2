import { type Commerce, createFirstStore, publicStore } from '@commerce/core';
import type { Command } from 'commander';
import { cli, storeContext } from '../context.ts';
import { withCommerce } from '../database.ts';
import { demoClock, type Filled, fillDemo } from '../demo/fill.ts';
import { removeDemo } from '../demo/remove.ts';
import { confirm, requireConsent } from '../input/confirm.ts';
import { newCommand, storeOption, yesOption } from '../input/options.ts';
import { type MediaPlaceOptions, openMediaPlace, withMediaPlaceOptions } from '../media-files.ts';
import { pairs, print } from '../output/print.ts';
import type { Options } from '../resource/resource.ts';

type DemoOptions = Options & MediaPlaceOptions & { remove?: boolean };

export function demoCommand(): Command {
  const command = newCommand(
    'demo',
    'fill a store with a sample catalogue, customers and a month of orders; a new database also gets a store. Webhooks of the store are notified',
    ['demo', 'demo --store "My shop" --remove'],
  )
    .addOption(storeOption())
    .option('--remove', 'remove the demo data of an earlier call, and nothing else')
    .addOption(yesOption())
    .action((options: DemoOptions, self: Command) => (options.remove ? remove(options, self) : fill(options, self)));
  return withMediaPlaceOptions(command);
}

function fill(options: DemoOptions, command: Command): Promise<void> {
  const clock = demoClock();
  const work = async (commerce: Commerce) => {
    // Created now: with a past time, the key would be the first line of its audit log.
    const made = await createFirstStore(commerce.engine, cli, { name: 'Demo shop', currency: 'USD' });
    const shop = await storeContext(commerce, made?.store.id ?? options.store);
    const filled = await fillDemo(shop, clock, (what) => {
      if (process.stderr.isTTY) process.stderr.write(`creating ${what} …\n`);
    });
    const first = made ? { store: publicStore(made.store), apiKey: made.apiKey } : {};
    print(options, { made: filled, ...first }, () => {
      const lines = [describe('made', filled)];
      if (made) lines.push(pairs({ store: made.store.id, key: `${made.apiKey.key}  (shown only now)` }));
      lines.push('`commerce serve` serves it; `commerce demo --remove` removes it.');
      return lines.join('\n\n');
    });
  };
  return withCommerce(options, work, { isMaking: true, clock, media: openMediaPlace(options, command) });
}

function remove(options: DemoOptions, command: Command): Promise<void> {
  requireConsent(options, command);
  const work = async (commerce: Commerce) => {
    const shop = await storeContext(commerce, options.store);
    await confirm(options, `remove the demo data of ${shop.store.name}`);
    const { kept, ...removed } = await removeDemo(shop);
    print(options, { removed, kept }, () => {
      const stayed = kept.length > 0 ? `\n${kept.join(', ')} were kept: they have orders that are not demo data` : '';
      return describe('removed', removed) + stayed;
    });
  };
  return withCommerce(options, work, { media: openMediaPlace(options, command) });
}

function describe(verb: string, counts: Filled): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  if (parts.length === 0) return verb === 'made' ? 'nothing to do: the demo data exists already' : 'no demo data found';
  return `${verb} ${parts.map(([what, count]) => `${count} ${what}`).join(', ')}`;
}
