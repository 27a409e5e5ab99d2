import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Actor, Context } from '../engine/context.ts';
import { toTimestamp } from '../kernel/clock.ts';
import { CommerceError, invalid } from '../kernel/errors.ts';
import { secretOfStore } from '../orders/link.ts';
import { reading } from '../storage/run.ts';

/** Milliseconds for which a preview can be confirmed. */
export const confirmLasts = 10 * 60_000;

/** Maximum characters of a `confirm`. */
export const maxConfirm = 200;

/** What a preview was about: a `confirm` is of exactly this. */
export interface Previewed {
  /** Name of the tool. */
  tool: string;
  /** Its arguments as JSON, without `confirm`. */
  args: Readonly<Record<string, unknown>>;
}

/** A `confirm` that was read. */
export interface Confirmed {
  /** The version of what changes, as the preview saw it; empty for something new. */
  version: string;
  /** Unique for each preview. */
  name: string;
}

/**
 * A text that carries out a previewed change: when it ends, a random part, the version of what changes, and a signature with a secret of the
 * store over all of it, the tool, its arguments and the actor.
 */
export async function newConfirm(
  ctx: Context,
  previewed: Previewed,
  version: string,
): Promise<{ confirm: string; confirmUntil: string }> {
  const end = ctx.engine.clock.now() + confirmLasts;
  const parts = [end.toString(36), randomBytes(9).toString('base64url'), version];
  const signature = await signatureOf(ctx, previewed, parts);
  return { confirm: [...parts, signature.toString('base64url')].join('.'), confirmUntil: toTimestamp(end) };
}

/**
 * Reads a `confirm` of this change and this actor.
 * @throws CommerceError `validation` for one of something else; `conflict` for one that has ended
 */
export async function readConfirm(ctx: Context, previewed: Previewed, confirm: unknown): Promise<Confirmed> {
  const text = typeof confirm === 'string' && confirm.length <= maxConfirm ? confirm : '';
  const [last = '', random = '', version = '', given = '', ...rest] = text.split('.');
  const bytes = Buffer.from(given, 'base64url');
  const expected = await signatureOf(ctx, previewed, [last, random, version]);
  if (rest.length > 0 || bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) {
    throw invalid('confirm', `must be that of a preview of this call with the same arguments; ${askAgain}`, {
      code: 'INCORRECT',
    });
  }
  if (ctx.engine.clock.now() >= Number.parseInt(last, 36)) {
    throw new CommerceError('conflict', `the preview is older than ten minutes: ${askAgain}`, { reason: 'stale' });
  }
  return { version, name: `${last}.${random}` };
}

/** Says what helps if a `confirm` does not work. */
export const askAgain = 'make the call without confirm, and look at the new preview';

async function signatureOf({ engine, store, actor }: Context, { tool, args }: Previewed, parts: string[]) {
  const [row] = await reading(engine.storage, (db) => secretOfStore(db, { id: store.id }));
  if (!row) throw new CommerceError('notFound', 'the store does not exist any more');
  // A key of its own: no text that this secret signs elsewhere can be a confirm.
  const key = createHmac('sha256', row.link_secret).update('commerce confirm 1').digest();
  const signed = JSON.stringify([store.id, nameOf(actor), tool, args, ...parts], inOrder);
  return createHmac('sha256', key).update(signed).digest();
}

function nameOf({ type, id, session }: Actor): string[] {
  return [type, id ?? session?.id ?? ''];
}

/** Prints equal arguments alike, in whatever order their fields are. */
function inOrder(_: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
