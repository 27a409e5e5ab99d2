import { type Command, Option } from 'commander';
import { type OptionGroups, withGroups } from '../input/help-groups.ts';
import {
  invoiceFontOption,
  newCommand,
  parseCount,
  parseDatabases,
  parseDuration,
  parseDurationOrNever,
  parseHost,
  parseOrigins,
  parsePort,
  parseRanges,
  parseStopDelay,
  parseStorefrontLimits,
  parseSwitch,
  parseWorkers,
  smtpAllowOption,
  switchOption,
} from '../input/options.ts';
import { withMediaAddressOptions } from '../media-address.ts';
import { mediaPlaceGroup, withMediaFileOptions } from '../media-options.ts';
import { withMigrationOptions } from '../migration-options.ts';
import { logFormatOption, logOption } from '../serve/log-form.ts';
import type { ServeOptions } from '../serve/options.ts';
import { takePlace } from '../serve/place.ts';

export function serveCommand(): Command {
  const command = withMediaFileOptions(
    newCommand('serve', 'start the service; the first start creates a store', [
      'serve',
      'serve --port 8080 --db postgres://shop@127.0.0.1/shop --public-url https://shop.example',
    ]),
  )
    .addOption(
      new Option('--host <address>', 'the address to listen on')
        .env('COMMERCE_HOST')
        .argParser(parseHost)
        .default('127.0.0.1'),
    )
    .addOption(
      new Option('--port <number>', 'the port; 0 picks a free one')
        .env('COMMERCE_PORT')
        .argParser(parsePort)
        .default(3000),
    );
  withMediaAddressOptions(withMigrationOptions(command), 'the address it listens on')
    .addOption(
      switchOption('--orders-api', 'allow keys with order.write to create pending orders', 'COMMERCE_ORDERS_API'),
    )
    .addOption(
      new Option('--dashboard [yes or no]', 'serve the dashboard at /dashboard')
        .env('COMMERCE_DASHBOARD')
        .preset('yes')
        .argParser(parseSwitch)
        .default(true, 'yes'),
    )
    .option('--no-dashboard', 'do not serve the dashboard')
    .addOption(
      switchOption(
        '--allow-insecure-webhooks',
        'allow webhook subscribers on plain HTTP and at any address, for development',
        'COMMERCE_ALLOW_INSECURE_WEBHOOKS',
      ),
    )
    .addOption(
      new Option('--webhook-allow <ranges>', 'private network ranges that webhooks can be sent to, such as 10.1.0.0/16')
        .env('COMMERCE_WEBHOOK_ALLOW')
        .argParser(parseRanges),
    )
    .addOption(smtpAllowOption())
    .addOption(invoiceFontOption())
    .addOption(
      new Option('--import-dir <folder>', 'folder for files sent to /imports; a temporary folder by default').env(
        'COMMERCE_IMPORT_DIR',
      ),
    )
    .addOption(
      new Option('--import-max <MiB>', 'largest file that /imports accepts')
        .env('COMMERCE_IMPORT_MAX')
        .argParser(parseCount)
        .default(1024),
    )
    .addOption(
      new Option('--expire-pending <time>', 'cancel orders that are not paid within this time, such as 48h')
        .env('COMMERCE_EXPIRE_PENDING')
        .argParser(parseDuration),
    )
    .addOption(
      new Option('--cors <origins>', 'origins that can call the API from a browser: https://shop.example,… or *')
        .env('COMMERCE_CORS')
        .argParser(parseOrigins),
    )
    .addOption(
      switchOption('--trust-proxy', 'trust the X-Forwarded headers of a reverse proxy', 'COMMERCE_TRUST_PROXY'),
    )
    .addOption(
      new Option(
        '--storefront-limits <reads,writes>',
        'requests per minute that each network address can send with storefront keys; 600,60 by default',
      )
        .env('COMMERCE_STOREFRONT_LIMITS')
        .argParser(parseStorefrontLimits),
    )
    .addOption(
      new Option('--max-connections <number>', 'maximum number of open connections')
        .env('COMMERCE_MAX_CONNECTIONS')
        .argParser(parseCount)
        .default(10_000),
    )
    .addOption(
      new Option(
        '--read-db <URLs>',
        'streaming replicas of the PostgreSQL database in --db to read lists and items from, separated by commas',
      )
        .env('COMMERCE_READ_DB')
        .argParser(parseDatabases),
    )
    .addOption(
      new Option('--read-max-lag <seconds>', 'maximum age of the data read from a replica')
        .env('COMMERCE_READ_MAX_LAG')
        .argParser(parseCount)
        .default(5),
    )
    .addOption(
      new Option(
        '--workers <number>',
        'processes that answer reads, in addition to the one that writes; 1 is a single process',
      )
        .env('COMMERCE_WORKERS')
        .argParser(parseWorkers)
        .default(1),
    )
    .addOption(
      new Option(
        '--stop-delay <seconds>',
        'how long a stopping server keeps serving while /readyz answers 503, to let load balancers drain it',
      )
        .env('COMMERCE_STOP_DELAY')
        .argParser(parseStopDelay)
        .default(0, '0'),
    )
    .addOption(
      new Option(
        '--disable-webhooks-after <time>',
        'disable webhooks whose deliveries have failed for this time, such as 30d, or `never`; 5d by default',
      )
        .env('COMMERCE_DISABLE_WEBHOOKS_AFTER')
        .argParser(parseDurationOrNever),
    )
    .addOption(
      new Option('--backup <folder>', 'write backups to this folder, and remove the oldest').env('COMMERCE_BACKUP'),
    )
    .addOption(
      new Option('--backup-every <time>', 'time between two backups, such as 6h')
        .env('COMMERCE_BACKUP_EVERY')
        .argParser(parseDuration)
        .default(86_400_000, '1d'),
    )
    .addOption(
      new Option('--backup-keep <number>', 'number of backups to keep')
        .env('COMMERCE_BACKUP_KEEP')
        .argParser(parseCount)
        .default(7),
    )
    .addOption(switchOption('--backup-media', 'include image files in each backup', 'COMMERCE_BACKUP_MEDIA'))
    .addOption(
      switchOption('--metrics', 'serve Prometheus metrics at /metrics without authentication', 'COMMERCE_METRICS'),
    )
    .addOption(logOption())
    .addOption(logFormatOption())
    .addOption(
      new Option('--name <name>', 'the name of the store that the first start creates; `My shop` by default').env(
        'COMMERCE_STORE_NAME',
      ),
    )
    .addOption(
      new Option(
        '--currency <code>',
        'the currency of that store, ISO 4217, such as USD; cannot be changed later; USD by default',
      ).env('COMMERCE_STORE_CURRENCY'),
    )
    .action(serve);
  return withGroups(command, groups);
}

/**
 * Rarely needed options. The others are shown first: database, address, images, proxy, backups, and the currency, which cannot be changed
 * later.
 */
const groups: OptionGroups = {
  ...mediaPlaceGroup,
  'Routes and access': [
    '--dashboard',
    '--no-dashboard',
    '--orders-api',
    '--cors',
    '--storefront-limits',
    '--max-connections',
    '--metrics',
  ],
  'Webhooks and mail': ['--webhook-allow', '--allow-insecure-webhooks', '--disable-webhooks-after', '--smtp-allow'],
  Invoices: ['--invoice-font'],
  'Orders and imports': ['--expire-pending', '--import-dir', '--import-max'],
  Backups: ['--backup-every', '--backup-keep', '--backup-media'],
  Upgrades: ['--migration-backup', '--no-migration-backup', '--ignore-older-servers', '--stop-delay'],
  'Several processes and servers': ['--workers', '--read-db', '--read-max-lag'],
  'Output and first store': ['--log', '--log-format', '--json', '--name'],
};

/**
 * Serves in this process only, serves as one of several workers, or starts the workers. Each case loads its own part, so that the process
 * that starts the workers stays small.
 */
async function serve(options: ServeOptions, command: Command): Promise<void> {
  const place = takePlace();
  if (place) await (await import('../serve/worker.ts')).serveAsWorker(options, command, place);
  else if (options.workers > 1) await (await import('../serve/supervisor.ts')).supervise(options);
  else await (await import('../serve/alone.ts')).serveAlone(options, command);
}
