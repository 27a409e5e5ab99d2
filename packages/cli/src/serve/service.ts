import {
  type Commerce,
  type CommerceOptions,
  createFirstStore,
  createFirstStoreWithoutKey,
  createSignInCode,
  type Engine,
  hasClearSecrets,
  isLoopbackHost,
  openCommerce,
  publicStore,
  requireReadableSecrets,
} from '@commerce/core';
import { type Log, type OwnServerOptions, openLog } from '@commerce/server';
import type { Command } from 'commander';
import { prepareFolder, startBackups } from '../backups.ts';
import { cli } from '../context.ts';
import { openStorage, secretKey } from '../database.ts';
import { openMediaFiles } from '../media-files.ts';
import { migrationSettings, textOf } from '../migration-backup.ts';
import { firstStoreFor } from './first-store.ts';
import { logForm } from './log-form.ts';
import type { FirstStore } from './messages.ts';
import type { ServeOptions } from './options.ts';

const mebibyte = 1024 * 1024;

/** Database, log and settings of a process that serves. */
export interface Service {
  commerce: Commerce;
  log: Log | undefined;
  server: OwnServerOptions;
  /** Creates the first store if there is none, and starts the background work. */
  begin(): Promise<FirstStore | undefined>;
  close(): Promise<void>;
}

/**
 * Opens the database, and creates it if it does not exist.
 * @param publicUrl returns the address of the service; not called before it listens
 * @param place.isOneOfMany other processes also serve, and write to the same log
 * @param place.isReader another process does the upkeep, and writes what is handed over to it
 */
export async function openService(
  options: ServeOptions,
  command: Command,
  publicUrl: () => string,
  { isOneOfMany = false, isReader = false } = {},
): Promise<Service> {
  const { ordersApi, dashboard, allowInsecureWebhooks, trustProxy, metrics, maxConnections } = options;
  const settings: Omit<CommerceOptions, 'storage'> = {
    ...secretKey(),
    allowInsecureWebhooks,
    ...(options.webhookAllow ? { webhookAllow: options.webhookAllow } : {}),
    invoiceFont: options.invoiceFont,
    ...(options.smtpAllow ? { smtpAllow: options.smtpAllow } : {}),
    ...(options.disableWebhooksAfter === undefined
      ? {}
      : { disableWebhooksAfter: options.disableWebhooksAfter === 'never' ? null : options.disableWebhooksAfter }),
    media: { files: openMediaFiles(options, command), url: () => options.cdnUrl ?? `${publicUrl()}/media` },
    imports: { directory: options.importDir, maxBytes: options.importMax * mebibyte },
    upkeep: !isReader,
    publicUrl,
  };
  if (options.backup !== undefined && !isReader) prepareFolder(options.backup);
  const storage = await openStorage(options, !isReader);
  const form = logForm(options);
  const log = form ? openLog(process.stderr, { form, isShared: isOneOfMany }) : undefined;
  const migration = migrationSettings(storage, options, (backup) =>
    log?.warning({ event: 'migration.backup', file: backup.file, message: textOf(backup) }),
  );
  const commerce = await openCommerce({ ...settings, ...migration, storage }).catch(async (error: unknown) => {
    await log?.close();
    throw error;
  });
  const unreadable = await requireReadableSecrets(commerce.engine).catch(async (error: unknown) => {
    await commerce.close();
    await log?.close();
    throw error;
  });
  for (const { storeId, of } of unreadable.slice(0, 20)) {
    const message = `the secret of ${of} cannot be read with COMMERCE_SECRET_KEY: set the key it was encrypted with, or configure it again`;
    log?.warning({ event: 'secrets.unreadable', storeId, of, message });
  }
  // Before any request is served, because it may ask a person.
  const firstStore = isReader ? undefined : await firstStoreFor(commerce.engine, options);
  /** Logs failures of background tasks. */
  const failed: Failed = (task) => (error) => {
    if (log) log.fault(error, { task });
    else console.error(`${task} failed:`, error);
  };
  let backups: ReturnType<typeof startBackups> | undefined;
  return {
    commerce,
    log,
    server: {
      ordersApi,
      dashboard,
      trustProxy,
      metrics,
      maxConnections,
      stopDelay: options.stopDelay,
      ...(options.cors ? { cors: options.cors } : {}),
      ...(options.storefrontLimits ? { storefrontLimits: options.storefrontLimits } : {}),
      ...(log ? { onRequest: log.request, onError: (error, requestId) => log.fault(error, { requestId }) } : {}),
    },
    async begin() {
      const first = await begin(commerce, failed, log, options, publicUrl, firstStore);
      if (options.backup !== undefined) backups = startBackups(options.backup, options, failed('backup'));
      return first;
    },
    async close() {
      await backups?.stop();
      await commerce.close();
      await log?.close();
    },
  };
}

type Failed = (task: string) => (error: unknown) => void;

async function begin(
  commerce: Commerce,
  failed: Failed,
  log: Log | undefined,
  options: Pick<ServeOptions, 'dashboard' | 'expirePending' | 'host' | 'publicUrl'>,
  publicUrl: () => string,
  firstStore: { name: string; currency: string } | undefined,
): Promise<FirstStore | undefined> {
  const { dashboard, expirePending } = options;
  const made = firstStore && (await makeFirstStore(commerce.engine, firstStore));
  commerce.startDelivery({ onError: failed('delivery') });
  commerce.startImports({ onError: failed('continuing imports') });
  if (log) {
    commerce.watch({
      webhookDisabled: (webhook) => log.warning({ event: 'webhook.disabled', ...webhook }),
      deliveryBlocked: (queue) => log.warning({ event: 'webhook.blocked', ...queue }),
    });
  }
  if (expirePending !== undefined) {
    commerce.startExpiry({ pendingFor: expirePending, onError: failed('the expiry of pending orders') });
  }
  if (log && options.publicUrl === undefined && !isLoopbackHost(options.host)) {
    const message = `the service is reachable from outside, but links to images and returns from payments begin with ${publicUrl()}: set --public-url or COMMERCE_PUBLIC_URL to the address that buyers use`;
    log.warning({ event: 'public-url.missing', message });
  }
  if (log && (await hasClearSecrets(commerce.engine))) {
    const message =
      'secrets are stored unencrypted in the database: set COMMERCE_SECRET_KEY and run `commerce secrets rotate`';
    log.warning({ event: 'secrets.clear', message });
  }
  if (!made) return undefined;
  const { store, apiKey } = made;
  const shop = await commerce.store(store.id, cli);
  const signInCode = dashboard ? (await createSignInCode(shop)).code : undefined;
  return { store: publicStore(store), ...(apiKey ? { apiKey } : {}), ...(signInCode ? { signInCode } : {}) };
}

/** A key is created only if a person can read it on the terminal; the other processes inherit the supervisor's. */
async function makeFirstStore(engine: Engine, input: { name: string; currency: string }) {
  if (process.stdout.isTTY) return createFirstStore(engine, cli, input);
  const store = await createFirstStoreWithoutKey(engine, cli, input);
  return store && { store, apiKey: undefined };
}
