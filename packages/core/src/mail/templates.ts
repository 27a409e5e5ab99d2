import { audit } from '../audit/entry.ts';
import type { Context } from '../engine/context.ts';
import { type MailKind, mailKinds } from '../engine/mail-kinds.ts';
import { refusePublic } from '../engine/public-actor.ts';
import { localeRule } from '../engine/settings/pages.ts';
import { transact } from '../engine/transaction.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, quote } from '../kernel/errors.ts';
import type { List } from '../kernel/json.ts';
import { parse } from '../kernel/parse.ts';
import { reading } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { MailTemplateTable } from '../storage/tables/mails.ts';
import { type MailTemplate, MailTemplateFields, type MailTemplateInput } from './fields.ts';
import { checkTemplate, templateVariables } from './letters/template.ts';

/** The shop's own text for a kind of mail in one language. */
interface Place {
  kind: MailKind;
  locale: string;
}

/** Texts of one store; each kind can have one in every language. */
const maxTemplates = 1000;

/** @throws CommerceError `notFound` for an unknown kind or a malformed language */
function placeOf(kind: string, locale: string): Place {
  const tag = localeRule.safeParse(locale);
  if (!mailKinds.includes(kind as MailKind)) {
    throw new CommerceError('notFound', `no kind of mail ${quote(kind)}; the kinds are ${mailKinds.join(', ')}`);
  }
  if (!tag.success) throw new CommerceError('notFound', `${quote(locale)} is no language tag, such as "de" or "de-AT"`);
  return { kind: kind as MailKind, locale: tag.data };
}

/** The shop's own texts of mails. */
export async function listMailTemplates(ctx: Context): Promise<List<MailTemplate>> {
  refusePublic(ctx);
  const rows = await reading(ctx.engine.storage, (db) =>
    db
      .selectFrom('mail_templates')
      .selectAll()
      .where('store_id', '=', ctx.store.id)
      .orderBy('kind')
      .orderBy('locale')
      .execute(),
  );
  return { items: rows.map((row) => toTemplate(placeOf(row.kind, row.locale), row)), total: rows.length };
}

/**
 * The shop's own text of a kind of mail in one language, with the variables that it can name. Texts are null while there is none.
 * @throws CommerceError `notFound` for an unknown kind
 */
export async function getMailTemplate(ctx: Context, kind: string, locale: string): Promise<MailTemplate> {
  refusePublic(ctx);
  const place = placeOf(kind, locale);
  return toTemplate(place, await reading(ctx.engine.storage, (db) => findTemplate(db, ctx.store.id, place)));
}

/**
 * Sets the shop's own text, in Liquid.
 * @throws CommerceError `notFound`; `validation` with line and column if it cannot be read or names an unknown variable
 */
export async function putMailTemplate(
  ctx: Context,
  kind: string,
  locale: string,
  input: MailTemplateInput,
): Promise<MailTemplate> {
  refusePublic(ctx);
  const place = placeOf(kind, locale);
  const given = parse(MailTemplateFields, input);
  checkTemplate(place.kind, given);
  return transact(ctx, async (tx) => {
    const { count } = await tx.db
      .selectFrom('mail_templates')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('store_id', '=', tx.store.id)
      .executeTakeFirstOrThrow();
    const before = await findTemplate(tx.db, tx.store.id, place);
    if (!before && count >= maxTemplates) {
      throw new CommerceError('conflict', `the store has ${maxTemplates} texts of mails, the maximum`);
    }
    const row: MailTemplateTable = { store_id: tx.store.id, ...place, ...given, updated_at: tx.now };
    await tx.db
      .insertInto('mail_templates')
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(['store_id', 'kind', 'locale']).doUpdateSet({ ...given, updated_at: tx.now }),
      )
      .execute();
    audit(tx, {
      action: 'mailTemplate.updated',
      resourceType: 'store',
      resourceId: tx.store.id,
      changes: { ...place },
    });
    return toTemplate(place, row);
  });
}

/**
 * Goes back to the built-in wording.
 * @throws CommerceError `notFound`, also if the shop has no text of its own
 */
export async function deleteMailTemplate(ctx: Context, kind: string, locale: string): Promise<void> {
  refusePublic(ctx);
  const place = placeOf(kind, locale);
  await transact(ctx, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('mail_templates')
      .where('store_id', '=', tx.store.id)
      .where('kind', '=', place.kind)
      .where('locale', '=', place.locale)
      .executeTakeFirstOrThrow();
    if (Number(numDeletedRows) === 0) {
      throw new CommerceError('notFound', `the shop has no text of its own for ${place.kind} in ${place.locale}`);
    }
    audit(tx, {
      action: 'mailTemplate.deleted',
      resourceType: 'store',
      resourceId: tx.store.id,
      changes: { ...place },
    });
  });
}

async function findTemplate(db: Db, storeId: string, { kind, locale }: Place): Promise<MailTemplateTable | undefined> {
  return db
    .selectFrom('mail_templates')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('kind', '=', kind)
    .where('locale', '=', locale)
    .executeTakeFirst();
}

/** The shop's own text for a letter: in its language with the region, else in the language alone. */
export async function templateFor(
  db: Db,
  storeId: string,
  kind: MailKind,
  locale: string,
): Promise<MailTemplateTable | undefined> {
  const language = new Intl.Locale(locale).language;
  const rows = await db
    .selectFrom('mail_templates')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('kind', '=', kind)
    .where('locale', 'in', [...new Set([locale, language])])
    .execute();
  return rows.find((row) => row.locale === locale) ?? rows[0];
}

function toTemplate({ kind, locale }: Place, row: MailTemplateTable | undefined): MailTemplate {
  return {
    kind,
    locale,
    subject: row?.subject ?? null,
    text: row?.text ?? null,
    variables: templateVariables(kind),
    updatedAt: row ? toTimestamp(row.updated_at) : null,
  };
}
