import { backupCommand } from './backup.ts';
import { copyCommand } from './copy.ts';
import { customersCommand } from './customers.ts';
import { doctorCommand } from './doctor.ts';
import { initCommand } from './init.ts';
import { keysCommand } from './keys.ts';
import { mediaCommand } from './media.ts';
import { migrateCommand } from './migrate.ts';
import { openapiCommand } from './openapi.ts';
import { ordersCommand } from './orders.ts';
import { paymentsCommand } from './payments.ts';
import { restoreCommand } from './restore.ts';
import { secretsCommand } from './secrets.ts';
import { serveCommand } from './serve.ts';
import { storesCommand } from './stores.ts';
import { webhooksCommand } from './webhooks.ts';

/** Makes every command of the program. */
export const commands = [
  serveCommand,
  initCommand,
  migrateCommand,
  storesCommand,
  keysCommand,
  paymentsCommand,
  ordersCommand,
  customersCommand,
  mediaCommand,
  webhooksCommand,
  secretsCommand,
  backupCommand,
  restoreCommand,
  copyCommand,
  doctorCommand,
  openapiCommand,
];
