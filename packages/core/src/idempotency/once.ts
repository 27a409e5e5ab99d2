import { sql } from 'kysely';
import { breathe } from '../breathe.ts';
import type { Context, Engine, TxContext } from '../context.ts';
import { CommerceError, quote } from '../errors.ts';
import { preparedChange } from '../storage/prepared.ts';
import { reading, runTransaction, storageError } from '../storage/run.ts';
import type { Db } from '../storage/storage.ts';
import type { IdempotentRequestTable } from './table.ts';

/** How long a first answer is kept. */
const keptFor = 24 * 60 * 60 * 1000;

/** An answer as it is kept: whatever the caller's interface makes of a result. */
export interface KeptAnswer {
  status: number;
  /** Without secrets: it is stored. */
  body: string | null;
}

/** A request that may be sent again and is carried out once. */
export interface OnceRequest<T> {
  /** What its sender calls it; of 1 to 255 characters, per API key and route. */
  key: string;
  /** What kind of request it is: the same key may be used for one of each. */
  route: string;
  /**
   * A digest of what is asked for. A function where it is known only once the input was read to its end, as with files; it
   * then gives undefined as long as that is not so.
   */
  fingerprint: string | (() => string | undefined);
  print(result: T): KeptAnswer;
  /** What is kept of a refusal; undefined for a fault that may pass, after which the request is carried out anew. */
  printError(error: CommerceError): KeptAnswer | undefined;
}

/** What a transaction does so that its request is carried out once; see `transact`. */
export interface Once {
  /** First of all: from here on, whoever else has this request waits, or finds that it was answered. */
  begin(tx: TxContext): Promise<void>;
  /** Last of all: the answer becomes part of the transaction, so that there is no moment in which one is without the other. */
  end(tx: TxContext, result: unknown): Promise<void>;
  committed(): void;
}

/**
 * Carries out an operation once, however often and wherever its request is sent: the answer is written in the transaction of
 * the work itself, and from then on, for a day, that answer is given again. A request that was refused is refused alike.
 * @param run the operation, to be called with the context it is given
 * @throws CommerceError `conflict` when the key was used for something else; whatever the operation throws
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
    // The operation had nothing to write.
    const first = await attempt.keep(request.print(result));
    return first ? { replay: first } : { result };
  } catch (error) {
    if (error instanceof AnsweredBefore) {
      // In a transaction: what was found there may not be committed yet, and reads outside would not see it.
      const replay = await written(ctx, (db) => attempt.answered(db));
      if (replay) return { replay };
    }
    const refusal = error instanceof CommerceError ? request.printError(error) : undefined;
    const first = refusal && (await attempt.keep(refusal));
    if (first) return { replay: first };
    throw error;
  }
}

/** Another copy of the request was answered; what this one did is undone. */
class AnsweredBefore extends Error {
  override readonly name = 'AnsweredBefore';
}

async function written<T>({ engine, store }: Context, work: (db: Db) => Promise<T>): Promise<T> {
  const { storage } = engine;
  try {
    const endTurn = await storage.takeTurn(store.id);
    try {
      return await runTransaction(storage, work);
    } finally {
      endTurn();
    }
  } catch (error) {
    throw storageError(storage, error);
  }
}

class Attempt implements Once {
  readonly #ctx: Context;
  readonly #request: OnceRequest<unknown>;
  isKept = false;

  constructor(ctx: Context, request: OnceRequest<unknown>) {
    this.#ctx = ctx;
    this.#request = request;
  }

  async begin(tx: TxContext): Promise<void> {
    if (this.isKept) return;
    if (!(await this.#insert(tx.db, tx.now, { status: 0, body: null }))) throw new AnsweredBefore('answered before');
  }

  async end(tx: TxContext, result: unknown): Promise<void> {
    if (this.isKept) return;
    const { storeId, apiKeyId, route, key } = this.#names();
    await tx.db
      .updateTable('idempotent_requests')
      .set(this.#request.print(result))
      .where('store_id', '=', storeId)
      .where('api_key_id', '=', apiKeyId)
      .where('route', '=', route)
      .where('key', '=', key)
      .execute();
  }

  committed(): void {
    this.isKept = true;
  }

  /** Keeps an answer that no transaction wrote; gives the first one where another copy was faster. */
  async keep(answer: KeptAnswer): Promise<KeptAnswer | undefined> {
    const { engine } = this.#ctx;
    if (this.#fingerprint() === undefined) return undefined;
    return written(this.#ctx, async (db) =>
      (await this.#insert(db, engine.clock.now(), answer)) ? undefined : this.answered(db),
    );
  }

  /**
   * What this request was answered with, if it was.
   * @throws CommerceError `conflict` when the key stands for another request
   */
  async answered(db: Db): Promise<KeptAnswer | undefined> {
    const { storeId, apiKeyId, route, key } = this.#names();
    const row = await db
      .selectFrom('idempotent_requests')
      .select(['fingerprint', 'status', 'body'])
      .where('store_id', '=', storeId)
      .where('api_key_id', '=', apiKeyId)
      .where('route', '=', route)
      .where('key', '=', key)
      .where('expires_at', '>', this.#ctx.engine.clock.now())
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.fingerprint !== this.#fingerprint()) {
      throw new CommerceError(
        'conflict',
        `Idempotency-Key: ${quote(key)} was used for another request within the last 24 hours; a new request needs a new key`,
      );
    }
    return { status: row.status, body: row.body };
  }

  /** Whether the row is ours; what has expired gives way. */
  async #insert(db: Db, now: number, answer: KeptAnswer): Promise<boolean> {
    const { storeId, apiKeyId, route, key } = this.#names();
    const kept = { fingerprint: this.#fingerprint() ?? '', ...answer, expires_at: now + keptFor };
    const row: IdempotentRequestTable = { store_id: storeId, api_key_id: apiKeyId, route, key, ...kept };
    const inserted = await db
      .insertInto('idempotent_requests')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['store_id', 'api_key_id', 'route', 'key'])
          .doUpdateSet(kept)
          .where('idempotent_requests.expires_at', '<=', now),
      )
      .returning('key')
      .executeTakeFirst();
    return inserted !== undefined;
  }

  #fingerprint(): string | undefined {
    const { fingerprint } = this.#request;
    return typeof fingerprint === 'string' ? fingerprint : fingerprint();
  }

  #names() {
    const { store, actor } = this.#ctx;
    const { route, key } = this.#request;
    return { storeId: store.id, apiKeyId: actor.type === 'apiKey' ? (actor.id ?? '') : '', route, key };
  }
}

const batch = 200;

/** Removes the answers that need not be kept any longer, of all stores and few at a time, so that nobody waits for long. */
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
    await runTransaction(storage, async (db) => {
      for (const row of expired) await forgetExpired(db, { ...row, now });
    });
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
    // It may have been given to another request meanwhile.
    .where('expires_at', '<=', p('now')),
);

/** Drops the kept answers that name a person who is to be forgotten. */
export async function forgetAnswersAbout(tx: TxContext, id: string): Promise<void> {
  // Each of the store's answers is looked into, and there may be those of a busy day.
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

type AnswerName = Pick<IdempotentRequestTable, 'api_key_id' | 'route' | 'key'>;

function answersAfter(tx: TxContext, id: string, after: readonly [string, string, string]) {
  return tx.db
    .selectFrom('idempotent_requests')
    .select(['api_key_id', 'route', 'key'])
    .select(sql<number>`case when body like ${`%${id}%`} then 1 else 0 end`.as('isAbout'))
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
