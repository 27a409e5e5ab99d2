import { changedFields } from '../audit/audit.ts';
import type { Context } from '../engine/context.ts';
import { rehearse } from '../engine/unit.ts';
import { once } from '../idempotency/once.ts';
import { CommerceError } from '../kernel/errors.ts';
import { versionOf } from '../resources/versions.ts';
import { askAgain, newConfirm, type Previewed, readConfirm } from './confirm.ts';

/** A change that an assistant asks for: shown first, and carried out if it is confirmed. */
export interface AgentChange<T> extends Previewed {
  /** The resource that changes, and its text as it is answered; absent if something new is made. */
  target?: {
    id: string;
    read(ctx: Context): Promise<string | object>;
    /** Fields that tell people which one it is. */
    shown: readonly string[];
  };
  /** The operation. */
  run(ctx: Context): Promise<T>;
  /** The JSON text of its result; undefined of a deletion, whatever its transaction returns. */
  print(result: T): string | undefined;
}

/** What a change would do. */
export interface ChangePreview {
  /** The id of the resource that changes, and the fields that people recognise it by. */
  of?: Record<string, unknown>;
  /** The fields of the resource that would change, each with the value before and after. */
  changes?: Record<string, { from: unknown; to: unknown }>;
  /** The item that would be made, without its ids, which are not known before. */
  made?: unknown;
  /** The item that would be deleted. */
  deleted?: unknown;
}

/** A preview, and what confirms it. */
export interface PreviewedChange {
  preview: ChangePreview;
  /** Carries the change out, once, with the same arguments. */
  confirm: string;
  /** The end of `confirm`, ten minutes later. */
  confirmUntil: string;
}

/**
 * Shows what a change would do. The operation itself runs, in a transaction that is rolled back: what it refuses is refused here, and nothing
 * is left behind. Nothing is sent or told, and no provider is asked.
 * @throws everything that the operation throws
 */
export async function previewChange<T>(ctx: Context, change: AgentChange<T>): Promise<PreviewedChange> {
  const { target } = change;
  const made = new Set<string>();
  const seen = await rehearse(ctx, async (inside) => {
    const { ids } = inside.engine;
    const next = (now: number) => {
      const id = ids.next(now);
      made.add(id);
      return id;
    };
    const on: Context = { ...inside, engine: { ...inside.engine, ids: { next } } };
    const before = target && (await textOf(target, on));
    const version = before === undefined ? '' : versionOf(before);
    const result = change.print(await change.run(expecting(on, target, version)));
    const after = target && (await textOf(target, on).catch(missing));
    return { before, after, result, version };
  });
  const read = (text: string | undefined) => text && withoutIds(text, made);
  const [before, after, result] = [read(seen.before), read(seen.after), read(seen.result)];
  return { preview: previewOf(target, before, after, result), ...(await newConfirm(ctx, change, seen.version)) };
}

/**
 * Carries out a change that was previewed with the same arguments by the same actor. A `confirm` works once: repeated, it gets the result of
 * the first time.
 * @returns the JSON text of the result; null for none
 * @throws CommerceError `conflict` if what changes has changed since the preview, or the preview is older than ten minutes; `validation` for a
 * `confirm` of another call; everything that the operation throws
 */
export async function carryOut<T>(ctx: Context, change: AgentChange<T>, confirm: unknown): Promise<string | null> {
  const { tool, target } = change;
  const { version, name } = await readConfirm(ctx, change, confirm);
  try {
    const outcome = await once<T>(
      ctx,
      {
        key: name,
        route: `mcp ${tool}`,
        // The name is of this preview alone, whose arguments are signed.
        fingerprint: name,
        print: (result) => ({ status: 200, body: change.print(result) ?? null }),
        printError: () => undefined,
      },
      (inside) => change.run(expecting(inside, target, version)),
    );
    return 'result' in outcome ? (change.print(outcome.result) ?? null) : outcome.replay.body;
  } catch (error) {
    const isGone = target !== undefined && error instanceof CommerceError && error.kind === 'notFound';
    if (!isGone && !(error instanceof CommerceError && error.reason === 'stale')) throw error;
    throw new CommerceError('conflict', `it has changed since the preview: ${askAgain}`, { reason: 'stale' });
  }
}

type Target = NonNullable<AgentChange<unknown>['target']>;

/** The context of a change that only the previewed version allows. */
function expecting(ctx: Context, target: Target | undefined, version: string): Context {
  return target ? { ...ctx, expected: { id: target.id, versions: [version] } } : ctx;
}

async function textOf(target: Target, ctx: Context): Promise<string> {
  const read = await target.read(ctx);
  return typeof read === 'string' ? read : JSON.stringify(read);
}

function missing(error: unknown): undefined {
  if (error instanceof CommerceError && error.kind === 'notFound') return undefined;
  throw error;
}

/** The value of a text without the ids that the rehearsal made: the operation makes others. */
function withoutIds(text: string, made: ReadonlySet<string>): Record<string, unknown> {
  return JSON.parse(text, (_, value) => (typeof value === 'string' && made.has(value) ? undefined : value));
}

type Item = Record<string, unknown>;

function previewOf(
  target: Target | undefined,
  before: Item | '' | undefined,
  after: Item | '' | undefined,
  result: Item | '' | undefined,
): ChangePreview {
  if (!target || !before) return { made: result };
  const of = Object.fromEntries(['id', ...target.shown].map((field) => [field, before[field]]));
  if (!after) return { of, deleted: before };
  const changes = changedFields(before, after);
  // An operation whose result is the resource itself makes nothing else.
  return result && result.id !== target.id ? { of, changes, made: result } : { of, changes };
}
