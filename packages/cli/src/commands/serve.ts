import { createFirstStore, hasClearSecrets, openCommerce, publicStore } from '@commerce/core';
import { createServer, openLog } from '@commerce/server';
import { type Command, Option } from 'commander';
import { cli } from '../context.ts';
import { type DatabaseOptions, openStorage, secretKey } from '../database.ts';
import { type MediaFileOptions, openMediaFiles, withMediaFileOptions } from '../media-files.ts';
import {
  newCommand,
  parseBaseUrl,
  parseCount,
  parseDuration,
  parseDurationOrNever,
  parseOrigins,
  parsePort,
  switchOption,
} from '../options.ts';
import { version } from '../version.ts';

interface ServeOptions extends DatabaseOptions, MediaFileOptions {
  host: string;
  port: number;
  publicUrl?: string;
  cdnUrl?: string;
  ordersApi: boolean;
  allowInsecureWebhooks: boolean;
  webhookAllow?: string[];
  importDir?: string;
  importMax: number;
  expirePending?: number;
  disableWebhooksAfter?: number | 'never';
  cors?: string[];
  trustProxy: boolean;
  maxConnections: number;
  metrics: boolean;
  log: 'off' | 'json';
  json?: boolean;
}

/** The store that `serve` creates where there is none; `init` creates one with another name and currency. */
const firstStore = { name: 'My shop', currency: 'USD' };

export function serveCommand(): Command {
  return withMediaFileOptions(newCommand('serve', 'run the service; the first run creates a store and a key'))
    .addOption(new Option('--host <address>', 'the address to listen on').env('COMMERCE_HOST').default('127.0.0.1'))
    .addOption(
      new Option('--port <number>', 'the port; 0 takes a free one')
        .env('COMMERCE_PORT')
        .argParser(parsePort)
        .default(3000),
    )
    .addOption(
      new Option('--public-url <url>', 'public address of the service; the address it listens on by default')
        .env('COMMERCE_PUBLIC_URL')
        .argParser(parseBaseUrl),
    )
    .addOption(
      new Option('--cdn-url <url>', 'start of the addresses of images; <public-url>/media by default')
        .env('COMMERCE_CDN_URL')
        .argParser(parseBaseUrl),
    )
    .addOption(switchOption('--orders-api', 'let keys with order.write create pending orders', 'COMMERCE_ORDERS_API'))
    .addOption(
      switchOption(
        '--allow-insecure-webhooks',
        'allow webhook subscribers on plain HTTP and at any address, for development',
        'COMMERCE_ALLOW_INSECURE_WEBHOOKS',
      ),
    )
    .addOption(
      new Option(
        '--webhook-allow <ranges>',
        'ranges of your own network in which webhook subscribers may be, such as 10.1.0.0/16',
      )
        .env('COMMERCE_WEBHOOK_ALLOW')
        .argParser((value) => value.split(',').map((range) => range.trim())),
    )
    .addOption(
      new Option('--import-dir <folder>', 'where files sent to /imports wait; a temporary folder by default').env(
        'COMMERCE_IMPORT_DIR',
      ),
    )
    .addOption(
      new Option('--import-max <MiB>', 'longest file that /imports takes')
        .env('COMMERCE_IMPORT_MAX')
        .argParser(parseCount)
        .default(1024),
    )
    .addOption(
      new Option('--expire-pending <time>', 'cancel orders whose payment does not come in this time, such as 48h')
        .env('COMMERCE_EXPIRE_PENDING')
        .argParser(parseDuration),
    )
    .addOption(
      new Option(
        '--cors <origins>',
        'origins of pages that may call the interface from a browser: https://shop.example,… or *',
      )
        .env('COMMERCE_CORS')
        .argParser(parseOrigins),
    )
    .addOption(
      switchOption('--trust-proxy', 'believe the X-Forwarded headers of the proxy in front', 'COMMERCE_TRUST_PROXY'),
    )
    .addOption(
      new Option('--max-connections <number>', 'connections that may be open at once')
        .env('COMMERCE_MAX_CONNECTIONS')
        .argParser(parseCount)
        .default(10_000),
    )
    .addOption(
      new Option(
        '--disable-webhooks-after <time>',
        'switch off subscriptions whose deliveries have failed for this time, such as 30d, or `never`; 5d by default',
      )
        .env('COMMERCE_DISABLE_WEBHOOKS_AFTER')
        .argParser(parseDurationOrNever),
    )
    .addOption(switchOption('--metrics', 'answer /metrics to anybody, for Prometheus', 'COMMERCE_METRICS'))
    .addOption(
      new Option('--log <form>', 'log a line for every request on standard error')
        .env('COMMERCE_LOG')
        .choices(['off', 'json'])
        .default('json'),
    )
    .action(serve);
}

const mebibyte = 1024 * 1024;

async function serve(options: ServeOptions, command: Command): Promise<void> {
  const { ordersApi, allowInsecureWebhooks, host, port, trustProxy, metrics, maxConnections } = options;
  let { publicUrl } = options;
  // The address is known once the server listens; nothing asks for it before.
  const media = { files: openMediaFiles(options, command), url: () => options.cdnUrl ?? `${publicUrl}/media` };
  const commerce = await openCommerce({
    ...secretKey(),
    storage: await openStorage(options, true),
    allowInsecureWebhooks,
    ...(options.webhookAllow ? { webhookAllow: options.webhookAllow } : {}),
    ...(options.disableWebhooksAfter === undefined
      ? {}
      : { disableWebhooksAfter: options.disableWebhooksAfter === 'never' ? null : options.disableWebhooksAfter }),
    media,
    imports: { directory: options.importDir, maxBytes: options.importMax * mebibyte },
  });
  const log = options.log === 'json' ? openLog() : undefined;
  /** Logs failures of background tasks. */
  const failed = (task: string) => (error: unknown) =>
    log ? log.fault(error, { task }) : console.error(`${task} failed:`, error);
  const server = createServer(commerce, {
    ordersApi,
    trustProxy,
    metrics,
    maxConnections,
    ...(options.cors ? { cors: options.cors } : {}),
    ...(log ? { onRequest: log.request, onError: (error, requestId) => log.fault(error, { requestId }) } : {}),
  });
  const stop = async () => {
    await server.stop();
    await commerce.close();
    await log?.close();
  };
  try {
    const { url } = await server.listen({ host, port });
    publicUrl ??= url;
    // After the server listens: a start that fails must not use up the one time the key is shown.
    const made = await createFirstStore(commerce.engine, cli, firstStore);
    commerce.startDelivery({ onError: failed('delivery') });
    commerce.startImports({ onError: failed('going on with imports') });
    if (log) {
      commerce.watch({
        webhookDisabled: (webhook) => log.warning({ event: 'webhook.disabled', ...webhook }),
        deliveryBlocked: (queue) => log.warning({ event: 'webhook.blocked', ...queue }),
      });
    }
    if (options.expirePending !== undefined) {
      commerce.startExpiry({ pendingFor: options.expirePending, onError: failed('the expiry of pending orders') });
    }
    if (log && (await hasClearSecrets(commerce.engine))) {
      const message =
        'secrets stand in the database in the clear: set COMMERCE_SECRET_KEY and run `commerce secrets rotate`';
      log.warning({ event: 'secrets.clear', message });
    }
    // Before the announcement: a caller that waits for it may stop the server at once.
    stopOnSignal(stop);
    announce(options, url, commerce.engine.storage.location, made);
  } catch (error) {
    await stop();
    throw describeListenError(error, host, port);
  }
}

type FirstStore = Awaited<ReturnType<typeof createFirstStore>>;

function announce(options: ServeOptions, url: string, location: string, made: FirstStore): void {
  if (options.json) {
    const first = made ? { store: publicStore(made.store), apiKey: made.apiKey } : {};
    process.stdout.write(`${JSON.stringify({ url, ...first })}\n`);
    return;
  }
  const lines = [`Commerce ${version} listens on ${url}, database ${location}`];
  if (made) {
    const { store, apiKey } = made;
    lines.push(
      '',
      'The database is new. It got a store, and a key that is shown only now:',
      `  store  ${store.id}  (${store.name}, ${store.currency}; \`commerce stores create\` makes another)`,
      `  key    ${apiKey.key}`,
      '',
      'Try it:',
      `  curl -H 'Authorization: Bearer ${apiKey.key}' ${url}/stores/${store.id}/products`,
    );
  }
  process.stdout.write(`${lines.join('\n')}\n`);
}

function describeListenError(error: unknown, host: string, port: number): unknown {
  const { code } = (error ?? {}) as { code?: string };
  const reasons: Record<string, string> = {
    EADDRINUSE: `port ${port} on ${host} is in use; choose another with --port`,
    EACCES: `port ${port} on ${host} may not be used by this user; choose one above 1023 with --port`,
    EADDRNOTAVAIL: `${host} is not an address of this machine; choose another with --host`,
    ENOTFOUND: `${host} is not an address of this machine; choose another with --host`,
  };
  const reason = code === undefined ? undefined : reasons[code];
  return reason === undefined ? error : Object.assign(new Error(reason, { cause: error }), { code });
}

/** The first signal lets requests under way finish; a second one does not wait. */
function stopOnSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = () => {
    if (stopping) process.exit(1);
    stopping = true;
    stop().then(
      () => process.exit(0),
      (error) => {
        console.error('error: the stop was not clean:', error);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
