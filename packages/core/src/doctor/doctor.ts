import type { Engine } from '../engine/context.ts';
import { unmatchedValues } from '../payments/fields.ts';
import { findUnreadableSecrets, hasClearSecrets } from '../secrets-rotation.ts';
import { migrationStatus } from '../storage/migrations/index.ts';
import { placementReport } from '../storage/placing.ts';
import type { LabelTable } from '../storage/tables/resources.ts';
import { findWrongCounts, repairCounts } from './counts.ts';
import { findWrongFigures, repairFigures, type WrongFigures } from './figures.ts';
import { findHeldForNone, releaseHeld } from './held.ts';
import { findWrongLabels, repairLabels } from './labels.ts';
import { countTroubledMails, storesLackingMail } from './mail.ts';
import { findWrongUses, repairUses, type WrongUse } from './media-uses.ts';
import { findMissingIndexes, findMissingTables, makeIndexes } from './schema.ts';
import { findWrongTexts, repairTexts, type WrongText } from './search.ts';
import { findTroubledSubscribers } from './subscribers.ts';
import { findWeightless } from './weights.ts';

/** Result of one check: `problem` needs action, `warning` deserves a look. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'problem' | 'repaired';
  /** The result in a sentence. */
  message: string;
}

/** Milliseconds by which a due delivery or a database's clock can be late. */
const patience = 60 * 60 * 1000;
const maxSkew = 60_000;

/**
 * Checks a database for errors that stay unnoticed. It reads everything, so run it in a process that serves no requests.
 * @param options.repair corrects data that follows from other rows: counts, figures of customers, labels, uses of media, texts of searches, and pieces held without an
 * order. Also recreates missing indexes. Never writes to a damaged database
 */
export async function examine(engine: Engine, { repair = false }: { repair?: boolean } = {}): Promise<Finding[]> {
  const integrity = await look('integrity', () => checkIntegrity(engine));
  // Writing to a damaged database makes more of it unreadable.
  const mends = repair && integrity.status === 'ok';
  return [
    integrity,
    await look('migrations', () => checkMigrations(engine)),
    await look('schema', () => checkSchema(engine, mends)),
    await look('placement', () => checkPlacement(engine)),
    await look('counts', () => checkCounts(engine, mends)),
    await look('customers', () => checkCustomers(engine, mends)),
    await look('search', () => checkSearch(engine, mends)),
    await look('labels', () => checkLabels(engine, mends)),
    await look('media uses', () => checkMediaUses(engine, mends)),
    await look('deliveries', () => checkDeliveries(engine)),
    await look('subscribers', () => checkSubscribers(engine)),
    await look('mail', () => checkMail(engine)),
    await look('weights', () => checkWeights(engine)),
    await look('reservations', () => checkReservations(engine, mends)),
    await look('payments', () => checkPayments(engine)),
    await look('secrets', () => checkSecrets(engine)),
    await look('clock', () => checkClock(engine)),
  ];
}

/** Runs one check. An error that makes the check impossible is its finding; the other checks continue. */
async function look(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { check, status: 'problem', message: `this check failed: ${reason.replace(/\s+/g, ' ')}` };
  }
}

async function checkIntegrity({ storage }: Engine): Promise<Finding> {
  const faults = await storage.integrity();
  const check = 'integrity';
  if (faults.length === 0) return { check, status: 'ok', message: 'the database is intact' };
  return {
    check,
    status: 'problem',
    message: `the database is damaged (${faults.slice(0, 3).join('; ')}): restore a backup`,
  };
}

async function checkMigrations({ storage }: Engine): Promise<Finding> {
  const { applied, pending } = await migrationStatus(storage);
  const check = 'migrations';
  if (pending.length === 0) return { check, status: 'ok', message: `up to date (${applied.at(-1)})` };
  return { check, status: 'problem', message: `missing: ${pending.join(', ')}` };
}

async function checkSchema({ storage }: Engine, mends: boolean): Promise<Finding> {
  const check = 'schema';
  const tables = await findMissingTables(storage);
  if (tables.length > 0) {
    return { check, status: 'problem', message: `missing tables: ${tables.join(', ')}; restore a backup` };
  }
  const indexes = await findMissingIndexes(storage);
  if (indexes.length === 0) return { check, status: 'ok', message: 'every table and every index exists' };
  const message = `missing indexes: ${indexes.join(', ')}`;
  if (!mends) return { check, status: 'problem', message: `${message}; --repair recreates them` };
  const failed = await makeIndexes(storage, indexes);
  if (failed.length === 0) return { check, status: 'repaired', message };
  return { check, status: 'problem', message: `${message}; some cannot be recreated (${failed.join('; ')})` };
}

/** Tables that are distributed differently from their placement: a request of one store would ask several servers, or be refused. */
async function checkPlacement({ storage }: Engine): Promise<Finding> {
  const check = 'placement';
  const { isDistributed, servers, tables } = await placementReport(storage);
  if (!isDistributed) return { check, status: 'ok', message: 'all tables are on one server' };
  const wrong = tables.filter(({ fault }) => fault !== null);
  if (wrong.length === 0) {
    return {
      check,
      status: 'ok',
      message: `every table is distributed by store or is on every server (servers: ${servers})`,
    };
  }
  const some = wrong.slice(0, 5).map(({ table, fault }) => `${table} ${fault}`);
  return {
    check,
    status: 'problem',
    message: `${wrong.length} tables are not placed correctly (${some.join('; ')}): run migrate --distribute`,
  };
}

async function checkCounts({ storage }: Engine, mends: boolean): Promise<Finding> {
  const check = 'counts';
  const wrong = await findWrongCounts(storage);
  if (wrong.length === 0) return { check, status: 'ok', message: 'every total matches its rows' };
  const some = wrong
    .slice(0, 3)
    .map(({ list, value, counted, actual }) => `${list} ${value}: ${counted}, not ${actual}`);
  const message = `${wrong.length} totals differ from their rows (${some.join('; ')})`;
  if (!mends) return { check, status: 'problem', message: `${message}; --repair corrects them` };
  await repairCounts(storage, wrong);
  return { check, status: 'repaired', message };
}

async function checkCustomers({ storage }: Engine, mends: boolean): Promise<Finding> {
  const check = 'customers';
  const wrong = await findWrongFigures(storage);
  if (wrong.length === 0) return { check, status: 'ok', message: 'the figures of every customer match the orders' };
  const [{ id, storeId }] = wrong as [WrongFigures];
  const message = `the figures of ${wrong.length} customers do not match their orders (such as ${id} of store ${storeId})`;
  if (!mends) return { check, status: 'problem', message: `${message}; --repair corrects them` };
  await repairFigures(storage, wrong);
  return { check, status: 'repaired', message };
}

async function checkSearch({ storage }: Engine, mends: boolean): Promise<Finding> {
  const check = 'search';
  const wrong = await findWrongTexts(storage);
  if (wrong.length === 0) return { check, status: 'ok', message: 'every product and order is found by search' };
  const [{ table, number }] = wrong as [WrongText];
  const message = `${wrong.length} products or orders are not found by search (such as number ${number} of ${table})`;
  if (!mends) return { check, status: 'problem', message: `${message}; --repair corrects them` };
  await repairTexts(storage, wrong);
  return { check, status: 'repaired', message };
}

async function checkLabels({ storage }: Engine, mends: boolean): Promise<Finding> {
  const check = 'labels';
  const wrong = await findWrongLabels(storage);
  if (wrong.length === 0) return { check, status: 'ok', message: 'lists find every item by its metadata and tags' };
  const [{ resource, label, item_id }] = wrong as [LabelTable];
  const message = `${wrong.length} labels do not match the metadata and tags of their items (such as ${label} of ${item_id} in ${resource})`;
  if (!mends) return { check, status: 'problem', message: `${message}; --repair corrects them` };
  await repairLabels(storage, wrong);
  return { check, status: 'repaired', message };
}

async function checkMediaUses({ storage }: Engine, mends: boolean): Promise<Finding> {
  const check = 'media uses';
  const wrong = await findWrongUses(storage);
  if (wrong.length === 0)
    return { check, status: 'ok', message: 'storefronts see exactly the media of published items' };
  const [{ mediaId, usedBy }] = wrong as [WrongUse];
  const message = `${wrong.length} uses of media do not match the published items (such as ${mediaId} by ${usedBy})`;
  if (!mends) return { check, status: 'problem', message: `${message}; --repair corrects them` };
  await repairUses(storage, wrong);
  return { check, status: 'repaired', message };
}

async function checkDeliveries({ storage, clock }: Engine): Promise<Finding> {
  const check = 'deliveries';
  const since = clock.now() - patience;
  const { stuck } = await storage.reads
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('stuck'))
    .where('status', '=', 'pending')
    .where('due_at', '<', since)
    // Those of the application are the next check's.
    .where('subscriber_id', 'not like', 'app:%')
    .executeTakeFirstOrThrow();
  if (stuck === 0) return { check, status: 'ok', message: 'no webhook is overdue' };
  return {
    check,
    status: 'problem',
    message: `${stuck} webhooks have been due for more than an hour: is a service running?`,
  };
}

/** Finds subscribers of the application whose handlers failed for good, or that no process calls. */
async function checkSubscribers(engine: Engine): Promise<Finding> {
  const check = 'subscribers';
  const found = await findTroubledSubscribers(engine, patience);
  if (found.length === 0)
    return { check, status: 'ok', message: 'no subscriber of the application has missed an event' };
  const said = found.slice(0, 5).map(({ name, overdue, failed, lastError }) => {
    const failures = failed > 0 ? [`failed for ${failed} events of the last week (${lastError})`] : [];
    const late =
      overdue > 0
        ? [
            `has ${overdue} events due for more than an hour: does an application with its handler call startDelivery()?`,
          ]
        : [];
    return `${name} ${[...failures, ...late].join(', and ')}`;
  });
  const more = found.length > said.length ? `; and ${found.length - said.length} more` : '';
  const isOverdue = found.some(({ overdue }) => overdue > 0);
  return { check, status: isOverdue ? 'problem' : 'warning', message: `${said.join('; ')}${more}` };
}

async function checkMail(engine: Engine): Promise<Finding> {
  const check = 'mail';
  const { overdue, failed } = await countTroubledMails(engine, patience);
  const lacking = await storesLackingMail(engine);
  const said = lacking.slice(0, 5).map(({ storeId, settings }) => `store ${storeId} lacks ${settings.join(', ')}`);
  const messages = [
    ...(overdue > 0 ? [`${overdue} mails have been due for more than an hour: is a service running?`] : []),
    ...(failed > 0
      ? [`${failed} mails of the last week could not be sent: see \`commerce mail list --status failed\``]
      : []),
    ...(said.length > 0
      ? [
          `${said.join('; ')}${lacking.length > said.length ? `; and ${lacking.length - said.length} more` : ''}: see \`commerce mail configure\``,
        ]
      : []),
  ];
  if (messages.length === 0) return { check, status: 'ok', message: 'every store can confirm its orders by mail' };
  return { check, status: overdue > 0 ? 'problem' : 'warning', message: messages.join('; ') };
}

async function checkWeights(engine: Engine): Promise<Finding> {
  const check = 'weights';
  const found = await findWeightless(engine);
  if (found.length === 0) return { check, status: 'ok', message: 'every product that is shipped by weight has one' };
  const said = found.slice(0, 5).map(({ storeId, count, slugs }) => {
    const more = count > slugs.length ? '…' : '';
    return `${count} products of store ${storeId} (${slugs.join(', ')}${more})`;
  });
  const more = found.length > said.length ? `; and of ${found.length - said.length} more stores` : '';
  return {
    check,
    status: 'warning',
    message: `products without a weight count as 0 g, where shipping is priced by weight: ${said.join('; ')}${more}`,
  };
}

/**
 * Finds reservations and pages that should have ended. They cause no wrong sale, but show that no process cleans up. Also finds pieces that
 * are held without an order, which no customer can buy.
 */
async function checkReservations({ storage, clock }: Engine, mends: boolean): Promise<Finding> {
  const check = 'reservations';
  const since = clock.now() - patience;
  const count = (table: 'orders' | 'checkouts') =>
    storage.reads.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('n'));
  const { n: orders } = await count('orders').where('reserved_until', '<', since).executeTakeFirstOrThrow();
  const { n: pages } = await count('checkouts')
    .where('state', 'in', ['opening', 'open'])
    .where('expires_at', '<', since)
    .executeTakeFirstOrThrow();
  const held = await storage.oneMoment(findHeldForNone);
  if (mends) await releaseHeld(storage, held);
  const late = [...(orders > 0 ? [`${orders} reservations`] : []), ...(pages > 0 ? [`${pages} payment pages`] : [])];
  const messages = [
    ...(late.length > 0
      ? [`${late.join(' and ')} should have ended more than an hour ago: is a service running?`]
      : []),
    ...(held.length > 0
      ? [
          `pieces of ${held.length} products are reserved for orders without reservations${mends ? '' : '; --repair releases them'}`,
        ]
      : []),
  ];
  if (messages.length === 0) return { check, status: 'ok', message: 'no reservation is overdue or without an order' };
  return { check, status: mends && late.length === 0 ? 'repaired' : 'problem', message: messages.join('; ') };
}

async function checkPayments({ storage }: Engine): Promise<Finding> {
  const check = 'payments';
  const { waiting } = await storage.reads
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('matched', 'in', unmatchedValues)
    .executeTakeFirstOrThrow();
  if (waiting === 0) return { check, status: 'ok', message: 'every payment has an order' };
  return { check, status: 'warning', message: `${waiting} payments are waiting to be applied or dismissed` };
}

async function checkSecrets(engine: Engine): Promise<Finding> {
  const check = 'secrets';
  const { unreadable } = await findUnreadableSecrets(engine);
  if (unreadable.length > 0) {
    const named = unreadable.slice(0, 5).map(({ storeId, of }) => `${of} of store ${storeId}`);
    const message = `${unreadable.length} secrets cannot be read with COMMERCE_SECRET_KEY: ${named.join(', ')}${unreadable.length > 5 ? '…' : ''}; set the key they were encrypted with, or configure them again`;
    return { check, status: 'problem', message };
  }
  if (!(await hasClearSecrets(engine))) return { check, status: 'ok', message: 'every secret is encrypted' };
  return {
    check,
    status: 'warning',
    message: 'secrets are stored unencrypted: set COMMERCE_SECRET_KEY, and run `commerce secrets rotate`',
  };
}

/** The newest event is in the past, unless a clock was ahead of this one when it was written. */
async function checkClock({ storage, clock }: Engine): Promise<Finding> {
  const check = 'clock';
  const { newest } = await storage.reads
    .selectFrom('events')
    .select((eb) => eb.fn.max<number | null>('created_at').as('newest'))
    .executeTakeFirstOrThrow();
  const ahead = (newest ?? 0) - clock.now();
  if (ahead <= maxSkew) return { check, status: 'ok', message: 'no event is in the future' };
  return {
    check,
    status: 'problem',
    message: `the newest event is ${Math.round(ahead / 1000)} s in the future: this clock is behind, or another was ahead`,
  };
}
