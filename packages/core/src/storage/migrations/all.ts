import { initial } from './0001_initial.ts';
import { catalogue } from './0002_catalogue.ts';
import { productBlocks } from './0003_product_blocks.ts';
import { refunds } from './0004_refunds.ts';
import { edge } from './0005_edge.ts';
import { webhookQueues } from './0006_webhook_queues.ts';
import { payments } from './0007_payments.ts';
import { keyOrigins } from './0008_key_origins.ts';
import { bounds } from './0009_bounds.ts';
import { subscribers } from './0010_subscribers.ts';
import { noBlocks } from './0011_no_blocks.ts';
import { listTotals } from './0012_list_totals.ts';
import { imports } from './0013_imports.ts';
import { selling } from './0014_selling.ts';
import { mediaUses } from './0015_media_uses.ts';
import { statistics } from './0016_statistics.ts';
import { dashboard } from './0017_dashboard.ts';
import { byStore } from './0018_by_store.ts';
import { files } from './0021_files.ts';
import { maxQuantity } from './0022_max_quantity.ts';
import type { Migration } from './index.ts';

/**
 * All migrations, in the order of `migrationNames`. Each stands alone, importing no code that may change, and is never edited
 * after a release.
 */
export const migrations: readonly Migration[] = [
  initial,
  catalogue,
  productBlocks,
  refunds,
  edge,
  webhookQueues,
  payments,
  keyOrigins,
  bounds,
  subscribers,
  noBlocks,
  listTotals,
  imports,
  selling,
  mediaUses,
  statistics,
  dashboard,
  byStore,
  files,
  maxQuantity,
];
