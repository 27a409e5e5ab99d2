import { sql } from 'kysely';
import type { Engine } from '../engine/context.ts';
import { mailKinds } from '../engine/mail-kinds.ts';
import { perEngine } from '../engine/per-engine.ts';
import { type SellingSettings, sellingEntity } from '../engine/settings/settings.ts';
import { breathe } from '../kernel/breathe.ts';
import { sendsMail } from '../mail/queue.ts';
import { pageEntity } from '../pages/fields.ts';
import { reading } from '../storage/run.ts';

/** What a store lacks to confirm its orders as Art. 8(7) of Directive 2011/83/EU asks. */
interface Lacking {
  storeId: string;
  /** Names of settings. */
  settings: string[];
}

/** The settings that a store needs to send the mails that are on. */
function lackedBy({ mail, seller, pages, orderUrl }: SellingSettings, shown: ReadonlySet<string>): string[] {
  if (!mailKinds.some((kind) => mail.kinds[kind])) return [];
  return [
    ...(mail.from === null ? ['mail.from'] : []),
    ...(mail.smtp === null ? ['mail.smtp'] : []),
    ...(seller === null ? ['seller'] : seller.phone === null ? ['seller.phone'] : []),
    ...(['terms', 'withdrawal'] as const).flatMap((name) => {
      const id = pages[name];
      if (id === null) return [`pages.${name}`];
      return shown.has(id) ? [] : [`a published text of pages.${name}`];
    }),
    ...(orderUrl === null ? ['orderUrl'] : []),
  ];
}

/** Of these pages, the published ones that have a text: only these can be attached. */
async function pagesWithText(
  storage: Engine['storage'],
  storeId: string,
  given: readonly (string | null)[],
): Promise<Set<string>> {
  const ids = given.filter((id) => id !== null);
  if (ids.length === 0) return new Set();
  const rows = await reading(storage, (db) =>
    db
      .selectFrom('pages')
      .select(['id', 'json'])
      .where('store_id', '=', storeId)
      .where('id', 'in', ids)
      .where('status', '=', 'published')
      .execute(),
  );
  return new Set(rows.flatMap(({ id, json }) => (pageEntity.read(json).content ? [id] : [])));
}

/** The stores whose mails lack something. */
export async function storesLackingMail({ storage }: Engine): Promise<Lacking[]> {
  const lacking: Lacking[] = [];
  const rows = await reading(storage, (db) =>
    db.selectFrom('stores').select(['id', 'settings']).orderBy('number').execute(),
  );
  for (const { id, settings } of rows) {
    const given = sellingEntity.read(settings);
    const lacked = lackedBy(given, await pagesWithText(storage, id, [given.pages.terms, given.pages.withdrawal]));
    if (lacked.length > 0) lacking.push({ storeId: id, settings: lacked });
    await breathe();
  }
  return lacking;
}

/** Milliseconds before the stores are looked at again, because any caller can ask. */
const lookInterval = 60_000;

const looks = perEngine((): { last: Promise<number> | undefined; at: number } => ({ last: undefined, at: 0 }));

/** The number of stores that send no mail although some kind is on; at most a minute old. */
export function storesWithoutMail(engine: Engine): Promise<number> {
  const look = looks(engine);
  const now = engine.clock.now();
  if (look.last && now - look.at >= 0 && now - look.at < lookInterval) return look.last;
  const counted = countSilent(engine);
  Object.assign(look, { last: counted, at: now });
  counted.catch(() => {
    look.last = undefined;
  });
  return counted;
}

async function countSilent(engine: Engine): Promise<number> {
  const rows = await reading(engine.storage, (db) => db.selectFrom('stores').select('settings').execute());
  let silent = 0;
  for (const { settings } of rows) {
    const { mail } = sellingEntity.read(settings);
    if (!sendsMail(mail) && mailKinds.some((kind) => mail.kinds[kind])) silent++;
    await breathe();
  }
  return silent;
}

/** Mails that should have been sent an hour ago, and mails of the last week that were given up. */
export async function countTroubledMails(
  { storage, clock }: Engine,
  patience: number,
): Promise<{ overdue: number; failed: number }> {
  const now = clock.now();
  const count = () => storage.reads.selectFrom('mails').select((eb) => eb.fn.countAll<number>().as('n'));
  const { n: overdue } = await count()
    .where('status', '=', sql.lit('pending'))
    .where('due_at', '<', now - patience)
    .executeTakeFirstOrThrow();
  const { n: failed } = await count()
    .where('status', '=', sql.lit('failed'))
    .where('created_at', '>', now - 7 * 86_400_000)
    .executeTakeFirstOrThrow();
  return { overdue, failed };
}
