import type { DatabaseOptions, ReplicaOptions } from '../database.ts';
import type { MediaAddressOptions } from '../media-address.ts';
import type { MediaFileOptions } from '../media-options.ts';
import type { MigrationOptions } from '../migration-options.ts';
import type { FirstStoreOptions } from './first-store.ts';
import type { LogOptions } from './log-form.ts';

/** Options of `serve`. */
export interface ServeOptions
  extends DatabaseOptions,
    ReplicaOptions,
    MediaFileOptions,
    MediaAddressOptions,
    LogOptions,
    MigrationOptions,
    FirstStoreOptions {
  host: string;
  port: number;
  ordersApi: boolean;
  dashboard: boolean;
  allowInsecureWebhooks: boolean;
  webhookAllow?: string[];
  smtpAllow?: string[];
  invoiceFont?: string;
  importDir?: string;
  importMax: number;
  expirePending?: number;
  disableWebhooksAfter?: number | 'never';
  cors?: string[];
  trustProxy: boolean;
  storefrontLimits?: { reads: number; writes: number };
  maxConnections: number;
  workers: number;
  /** Milliseconds. */
  stopDelay: number;
  metrics: boolean;
  backup?: string;
  backupEvery: number;
  backupKeep: number;
  backupMedia: boolean;
  json?: boolean;
}
