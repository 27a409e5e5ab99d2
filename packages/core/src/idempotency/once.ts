import { sql } from 'kysely';
import type { Context, Engine, Once, TxContext } from '../engine/context.ts';
import { breathe } from '../kernel/breathe.ts';
import { CommerceError, quote } from '../kernel/errors.ts';
import { prepared, preparedChange } from '../storage/prepared.ts';
import { reading, runTransaction, storageError, turnOf } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { IdempotentRequestTable } from '../storage/tables/idempotency.ts';

/** Lifetime of a first answer, in milliseconds. */
export const keptFor = 24 * 60 * 60 * 1000;

/** An answer as stored: the result as the caller's interface printed it. */
export interface KeptAnswer {
  status: number;
  /** Without secrets, because it is stored. */
  body: string | null;
}

/** A request that can be sent repeatedly and is run once. */
export interface OnceRequest<T> {
  /** The sender's name for the request, 1 to 255 characters, unique per API key and route. */
  key: string;
  /** Kind of the request; the same key can be used once for each kind. */
  route: string;
  /** Digest of the input. A function if it is known only after the whole input was read, as with files; it returns undefined until then. */
  fingerprint: string | (() => string | undefined);
  print(result: T): KeptAnswer;
  /** The answer to keep for a refusal; undefined for a temporary fault, after which the request is run again. */
  printError(error: CommerceError): KeptAnswer | undefined;
}

/**
 * Runs an operation once, even if its request is sent often and to several processes. The answer is written in the operation's own
 * transaction and repeated for 24 hours. A refused request gets the same refusal again.
 * @param run the operation, which must use the context that it receives
 * @throws CommerceError `conflict` if the key was used for a different request; and everything that `run` throws
 */
export async function once<T>(
  ctx: Context,
  request: OnceRequest<T>,
  run: (ctx: Context) => Promise<T>,
): Promise<{ result: T } | { replay: KeptAnswer }> {
  const attempt = new Attempt(ctx, request as OnceRequest<unknown>);
  const early =
    typeof request.fingerprint === 'string'
      ? await reading(ctx.engine.storage, (db) => attempt.answered(db))
      : undefined;
  if (early) return { replay: early };
  try {
    const result = await run({ ...ctx, once: attempt });
    if (attempt.isKept) return { result };
    // The operation wrote nothing, so no transaction kept its answer.
    const first = await attempt.keep(request.print(result));
    return first ? { replay: first } : { result };
  } catch (error) {
    if (error instanceof AnsweredBefore) {
      // Read in a transaction, because the first answer might not be committed yet and other reads would miss it.
      const replay = await inTransaction(ctx, (db) => attempt.answered(db));
      if (replay) return { replay };
    }
    // The key belongs to the other request, whose refund recognises it.
    const isKeyUsed = error instanceof CommerceError && error.reason === 'idempotencyKeyUsed';
    const refusal = error instanceof CommerceError && !isKeyUsed ? request.printError(error) : undefined;
    const first = refusal && (await attempt.keep(refusal));
    if (first) return { replay: first };
    throw error;
  }
}

/** Thrown to roll back a request because another copy of it was answered. */
class AnsweredBefore extends Error {
  override readonly name = 'AnsweredBefore';
}

async function inTransaction<T>({ engine, store }: Context, work: (db: Db) => Promise<T>): Promise<T> {
  const { storage } = engine;
  try {
    const endTurn = await turnOf(storage, store.id);
    try {
      return await runTransaction(storage, work);
    } finally {
      endTurn();
    }
  } catch (error) {
    throw storageError(storage, error);
  }
}

type AnswerName = Pick<IdempotentRequestTable, 'api_key_id' | 'route' | 'key'>;

const keptAnswer = prepared<
  AnswerName & { store_id: string; now: number },
  Pick<IdempotentRequestTable, 'fingerprint' | 'status' | 'body'>
>((db, p) =>
  db
    .selectFrom('idempotent_requests')
    .select(['fingerprint', 'status', 'body'])
    .where('store_id', '=', p('store_id'))
    .where('api_key_id', '=', p('api_key_id'))
    .where('route', '=', p('route'))
    .where('key', '=', p('key'))
    .where('expires_at', '>', p('now')),
);

const claimKey = prepared<IdempotentRequestTable & { now: number }, { key: string }>((db, p) => {
  const columns = {
    fingerprint: p('fingerprint'),
    status: p('status'),
    body: p('body'),
    expires_at: p('expires_at'),
  };
  return db
    .insertInto('idempotent_requests')
    .values({ store_id: p('store_id'), api_key_id: p('api_key_id'), route: p('route'), key: p('key'), ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['store_id', 'api_key_id', 'route', 'key'])
        .doUpdateSet(columns)
        .where('idempotent_requests.expires_at', '<=', p('now')),
    )
    .returning('key');
});

const keepAnswer = preparedChange<AnswerName & { store_id: string } & KeptAnswer>((db, p) =>
  db
    .updateTable('idempotent_requests')
    .set({ status: p('status'), body: p('body') })
    .where('store_id', '=', p('store_id'))
    .where('api_key_id', '=', p('api_key_id'))
    .where('route', '=', p('route'))
    .where('key', '=', p('key')),
);

class Attempt implements Once {
  readonly #ctx: Context;
  readonly #request: OnceRequest<unknown>;
  isKept = false;

  constructor(ctx: Context, request: OnceRequest<unknown>) {
    this.#ctx = ctx;
    this.#request = request;
  }

  get name(): string {
    return JSON.stringify(Object.values(this.#name()));
  }

  get print(): string | undefined {
    return this.#fingerprint();
  }

  keptElsewhere(): void {
    this.isKept = true;
  }

  async begin(tx: TxContext): Promise<void> {
    if (this.isKept) return;
    if (!(await this.#insert(tx.db, tx.now, { status: 0, body: null }))) throw new AnsweredBefore('answered before');
  }

  async end(tx: TxContext, result: unknown): Promise<void> {
    if (this.isKept) return;
    await keepAnswer(tx.db, { ...this.#name(), ...this.#request.print(result) });
  }

  committed(): void {
    this.isKept = true;
  }

  /** Stores an answer that no transaction wrote. @returns the first answer if another copy was faster */
  async keep(answer: KeptAnswer): Promise<KeptAnswer | undefined> {
    const { engine } = this.#ctx;
    if (this.#fingerprint() === undefined) return undefined;
    return inTransaction(this.#ctx, async (db) =>
      (await this.#insert(db, engine.clock.now(), answer)) ? undefined : this.answered(db),
    );
  }

  /**
   * The first answer to this request; undefined if it has none.
   * @throws CommerceError `conflict` if the key was used for a different request
   */
  async answered(db: Db): Promise<KeptAnswer | undefined> {
    const [row] = await keptAnswer(db, { ...this.#name(), now: this.#ctx.engine.clock.now() });
    if (!row) return undefined;
    if (row.fingerprint !== this.#fingerprint()) {
      throw new CommerceError(
        'conflict',
        `Idempotency-Key: ${quote(this.#request.key)} was used for another request within the last 24 hours; use a new key for a new request`,
        { reason: 'idempotencyKeyUsed' },
      );
    }
    return { status: row.status, body: row.body };
  }

  /** Claims the key, also over an expired answer. @returns false if another request holds it */
  async #insert(db: Db, now: number, answer: KeptAnswer): Promise<boolean> {
    const fingerprint = this.#fingerprint() ?? '';
    const claimed = await claimKey(db, { ...this.#name(), fingerprint, ...answer, expires_at: now + keptFor, now });
    return claimed.length > 0;
  }

  #fingerprint(): string | undefined {
    const { fingerprint } = this.#request;
    return typeof fingerprint === 'string' ? fingerprint : fingerprint();
  }

  #name(): AnswerName & { store_id: string } {
    const { store, actor } = this.#ctx;
    const { route, key } = this.#request;
    return { store_id: store.id, api_key_id: idOf(actor), route, key };
  }
}

/** The id of the key or the user who sends the request: two of them can use the same `Idempotency-Key`. */
function idOf({ type, id, session, isPublic }: Context['actor']): string {
  if (type === 'user') return id ?? session?.id ?? '';
  // What an application calls its users must not be the id of a key.
  if (type === 'embedder' && (id !== null || isPublic)) return `${isPublic ? 'public' : 'embedder'}:${id ?? ''}`;
  return type === 'apiKey' ? (id ?? '') : '';
}

const batch = 200;

/** Deletes expired answers of all stores, up to 200 in each transaction, so other writers do not wait long. */
export async function forgetAnswers(engine: Engine): Promise<void> {
  const { storage, clock } = engine;
  const now = clock.now();
  for (let isFull = true; isFull; ) {
    const expired = await storage.reads
      .selectFrom('idempotent_requests')
      .select(['store_id', 'api_key_id', 'route', 'key'])
      .where('expires_at', '<=', now)
      .orderBy('expires_at')
      .orderBy('store_id')
      .limit(batch)
      .execute();
    if (expired.length === 0) return;
    // One transaction for each store, whose rows are on one server. The rows of several stores could be on as many servers.
    for (const storeId of new Set(expired.map(({ store_id }) => store_id))) {
      const ofStore = expired.filter(({ store_id }) => store_id === storeId);
      await runTransaction(storage, async (db) => {
        for (const row of ofStore) await forgetExpired(db, { ...row, now });
      });
    }
    isFull = expired.length === batch;
    await breathe();
  }
}

const forgetExpired = preparedChange<
  Pick<IdempotentRequestTable, 'store_id' | 'api_key_id' | 'route' | 'key'> & { now: number }
>((db, p) =>
  db
    .deleteFrom('idempotent_requests')
    .where('store_id', '=', p('store_id'))
    .where('api_key_id', '=', p('api_key_id'))
    .where('route', '=', p('route'))
    .where('key', '=', p('key'))
    // A new request could have claimed the key in the meantime.
    .where('expires_at', '<=', p('now')),
);

/** Deletes the kept answers that name a person who is being anonymised, and all about mails that were sent again, and invoices, which name one. */
export async function forgetAnswersAbout(tx: TxContext, id: string): Promise<void> {
  // Reads every answer of the store, which can be all answers of a busy day.
  for (let after: [string, string, string] | undefined = ['', '', '']; after; ) {
    const rows: (AnswerName & { isAbout: number })[] = await answersAfter(tx, id, after);
    for (const { isAbout, ...name } of rows) {
      if (isAbout === 1) await dropAnswer(tx.db, { store_id: tx.store.id, ...name });
    }
    const last = rows.at(-1);
    after = last && [last.api_key_id, last.route, last.key];
    if (after) await breathe();
  }
}

function answersAfter(tx: TxContext, id: string, after: readonly [string, string, string]) {
  return tx.db
    .selectFrom('idempotent_requests')
    .select(['api_key_id', 'route', 'key'])
    .select(
      sql<number>`case when body like ${`%${id}%`} or body like '%"resentOf":"%' or body like '%"buyer":{%' then 1 else 0 end`.as(
        'isAbout',
      ),
    )
    .where('store_id', '=', tx.store.id)
    .where(({ eb, refTuple, tuple }) => eb(refTuple('api_key_id', 'route', 'key'), '>', tuple(...after)))
    .orderBy('api_key_id')
    .orderBy('route')
    .orderBy('key')
    .limit(batch)
    .execute();
}

const dropAnswer = preparedChange<AnswerName & { store_id: string }>((db, p) =>
  db
    .deleteFrom('idempotent_requests')
    .where('store_id', '=', p('store_id'))
    .where('api_key_id', '=', p('api_key_id'))
    .where('route', '=', p('route'))
    .where('key', '=', p('key')),
);
