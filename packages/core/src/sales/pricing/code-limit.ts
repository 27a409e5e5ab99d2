import type { Discount } from '../../discounts/fields.ts';
import type { Context } from '../../engine/context.ts';
import { perEngine } from '../../engine/per-engine.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { maxUnknownCodes } from '../../kernel/limits.ts';
import { networkOf } from '../../network/network-of.ts';

/** Milliseconds for which codes that do not exist count. */
const window = 60_000;
/** Most remembered addresses; the one that has waited longest is forgotten first. */
const maxRemembered = 10_000;

/**
 * The unknown codes by address, in this process: a guess costs no write. Each process that answers checkouts allows the limit; on one
 * machine that is one process with SQLite.
 */
const misses = perEngine(() => new Map<string, { count: number; endsAt: number }>());

/**
 * Refuses codes of an address that has guessed too many, good ones too, so that the answers do not tell which codes exist. Only storefront
 * keys are limited, because anyone has them, and only if the address is known.
 * @throws CommerceError `rateLimited`
 */
export function refuseGuessing(ctx: Context, code: string | null): void {
  if (code === null) return;
  const known = missesOf(ctx);
  if (!known || known.count < maxUnknownCodes) return;
  const seconds = Math.ceil((known.endsAt - ctx.engine.clock.now()) / 1000);
  throw new CommerceError(
    'rateLimited',
    `the limit for one network address is ${maxUnknownCodes} unknown discount codes a minute; try again in ${seconds} s, or without discountCode`,
    { retryAfter: seconds },
  );
}

/**
 * The discount of a buyer's code.
 * @returns undefined without a code; null for one that does not exist, which counts against the limit
 * @throws CommerceError `rateLimited`
 */
export async function discountOfBuyer<C extends Context>(
  ctx: C,
  code: string | null,
  read: (ctx: C, code: string) => Promise<Discount | null>,
): Promise<Discount | null | undefined> {
  if (code === null) return undefined;
  const discount = await read(ctx, code);
  // Other requests can have reached the limit meanwhile. Nothing is awaited from here on, so at most the limit of guesses is answered.
  refuseGuessing(ctx, code);
  if (!discount) countMiss(ctx);
  return discount;
}

function nameOf({ actor, store, address }: Context): string | undefined {
  return actor.isPublic && address !== undefined ? `${store.id} ${networkOf(address)}` : undefined;
}

function missesOf(ctx: Context): { count: number; endsAt: number } | undefined {
  const name = nameOf(ctx);
  const known = name === undefined ? undefined : misses(ctx.engine).get(name);
  return known && known.endsAt > ctx.engine.clock.now() ? known : undefined;
}

function countMiss(ctx: Context): void {
  const name = nameOf(ctx);
  if (name === undefined) return;
  const known = missesOf(ctx);
  if (known) {
    known.count++;
    return;
  }
  const all = misses(ctx.engine);
  all.delete(name);
  const [oldest] = all.keys();
  if (all.size >= maxRemembered && oldest !== undefined) all.delete(oldest);
  all.set(name, { count: 1, endsAt: ctx.engine.clock.now() + window });
}
