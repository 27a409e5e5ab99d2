import type { Engine } from '../context.ts';
import { unmatchedValues } from '../payments/fields.ts';
import { hasClearSecrets } from '../secrets-rotation.ts';
import { placementReport } from '../storage/distribute.ts';
import { migrationStatus } from '../storage/migrations/index.ts';
import { findWrongCounts, repairCounts } from './counts.ts';
import { findWrongUses, repairUses, type WrongUse } from './media-uses.ts';

/** One thing looked at: `problem` needs somebody, `warning` deserves a look. */
export interface Finding {
  check: string;
  status: 'ok' | 'warning' | 'problem' | 'repaired';
  /** What was found, in a sentence. */
  message: string;
}

/** Milliseconds that a due delivery or a database's clock may be late. */
const patience = 60 * 60 * 1000;
const maxSkew = 60_000;

/**
 * Looks into a database for what goes wrong without anybody noticing. It reads all there is: to be run in a process that serves nobody.
 * @param options.repair sets right counts that differ from their rows, and uses of media that differ from what names them
 */
export async function examine(engine: Engine, { repair = false }: { repair?: boolean } = {}): Promise<Finding[]> {
  return [
    await checkIntegrity(engine),
    await checkMigrations(engine),
    await checkPlacement(engine),
    await checkCounts(engine, repair),
    await checkMediaUses(engine, repair),
    await checkDeliveries(engine),
    await checkReservations(engine),
    await checkPayments(engine),
    await checkSecrets(engine),
    await checkClock(engine),
  ];
}

async function checkIntegrity({ storage }: Engine): Promise<Finding> {
  const faults = await storage.integrity();
  const check = 'integrity';
  if (faults.length === 0) return { check, status: 'ok', message: 'the database is whole' };
  return { check, status: 'problem', message: `the database is damaged: ${faults.slice(0, 3).join('; ')}` };
}

async function checkMigrations({ storage }: Engine): Promise<Finding> {
  const { applied, pending } = await migrationStatus(storage);
  const check = 'migrations';
  if (pending.length === 0) return { check, status: 'ok', message: `up to date (${applied.at(-1)})` };
  return { check, status: 'problem', message: `missing: ${pending.join(', ')}` };
}

/** Tables that lie otherwise than their placement says: a request of one store would ask several servers, or is refused. */
async function checkPlacement({ storage }: Engine): Promise<Finding> {
  const check = 'placement';
  const { isDistributed, servers, tables } = await placementReport(storage);
  if (!isDistributed) return { check, status: 'ok', message: 'all is on one server' };
  const wrong = tables.filter(({ fault }) => fault !== null);
  if (wrong.length === 0) {
    return { check, status: 'ok', message: `every table lies by store or on every server (servers: ${servers})` };
  }
  const some = wrong.slice(0, 5).map(({ table, fault }) => `${table} ${fault}`);
  return {
    check,
    status: 'problem',
    message: `${wrong.length} tables do not lie as they should (${some.join('; ')}): run migrate --distribute`,
  };
}

async function checkCounts({ storage }: Engine, repair: boolean): Promise<Finding> {
  const check = 'counts';
  const wrong = await findWrongCounts(storage);
  if (wrong.length === 0) return { check, status: 'ok', message: 'every total is what its rows say' };
  const some = wrong
    .slice(0, 3)
    .map(({ list, value, counted, actual }) => `${list} ${value}: ${counted}, not ${actual}`);
  const message = `${wrong.length} totals differ from their rows (${some.join('; ')})`;
  if (!repair) return { check, status: 'problem', message };
  await repairCounts(storage, wrong);
  return { check, status: 'repaired', message };
}

async function checkMediaUses({ storage }: Engine, repair: boolean): Promise<Finding> {
  const check = 'media uses';
  const wrong = await findWrongUses(storage);
  if (wrong.length === 0)
    return { check, status: 'ok', message: 'the media that storefronts see are those that something published names' };
  const [{ mediaId, usedBy }] = wrong as [WrongUse];
  const message = `${wrong.length} uses of media are not what is published (such as of ${mediaId} by ${usedBy})`;
  if (!repair) return { check, status: 'problem', message };
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
    .executeTakeFirstOrThrow();
  if (stuck === 0) return { check, status: 'ok', message: 'no webhook is overdue' };
  return {
    check,
    status: 'problem',
    message: `${stuck} webhooks have been due for more than an hour: is a service running?`,
  };
}

/** Reservations and pages that should have ended: nothing is sold wrongly by them, but they say that no process tidies. */
async function checkReservations({ storage, clock }: Engine): Promise<Finding> {
  const check = 'reservations';
  const since = clock.now() - patience;
  const count = (table: 'orders' | 'checkouts') =>
    storage.reads.selectFrom(table).select((eb) => eb.fn.countAll<number>().as('n'));
  const { n: orders } = await count('orders').where('reserved_until', '<', since).executeTakeFirstOrThrow();
  const { n: pages } = await count('checkouts')
    .where('state', 'in', ['opening', 'open'])
    .where('expires_at', '<', since)
    .executeTakeFirstOrThrow();
  if (orders === 0 && pages === 0) return { check, status: 'ok', message: 'no reservation is overdue' };
  const late = [...(orders > 0 ? [`${orders} reservations`] : []), ...(pages > 0 ? [`${pages} pages to pay at`] : [])];
  const message = `${late.join(' and ')} should have ended more than an hour ago: is a service running?`;
  return { check, status: 'problem', message };
}

async function checkPayments({ storage }: Engine): Promise<Finding> {
  const check = 'payments';
  const { waiting } = await storage.reads
    .selectFrom('payments')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('matched', 'in', unmatchedValues)
    .executeTakeFirstOrThrow();
  if (waiting === 0) return { check, status: 'ok', message: 'every payment has its order' };
  return { check, status: 'warning', message: `${waiting} payments wait for somebody to apply or dismiss them` };
}

async function checkSecrets(engine: Engine): Promise<Finding> {
  const check = 'secrets';
  if (!(await hasClearSecrets(engine))) return { check, status: 'ok', message: 'no secret is stored in the clear' };
  return { check, status: 'warning', message: 'secrets are stored in the clear' };
}

/** The newest event lies in the past, unless a clock was ahead of this one when it was written. */
async function checkClock({ storage, clock }: Engine): Promise<Finding> {
  const check = 'clock';
  const { newest } = await storage.reads
    .selectFrom('events')
    .select((eb) => eb.fn.max<number | null>('created_at').as('newest'))
    .executeTakeFirstOrThrow();
  const ahead = (newest ?? 0) - clock.now();
  if (ahead <= maxSkew) return { check, status: 'ok', message: 'no event lies in the future' };
  return {
    check,
    status: 'problem',
    message: `the newest event lies ${Math.round(ahead / 1000)} s in the future: this clock is behind, or another was ahead`,
  };
}
