import { audit } from '../../audit/entry.ts';
import type { Context, Engine } from '../../engine/context.ts';
import type { MailKind } from '../../engine/mail-kinds.ts';
import { refuseInUnit, transact } from '../../engine/transaction.ts';
import { invoicePdf } from '../../invoices/print.ts';
import { toTimestamp } from '../../kernel/clock.ts';
import { CommerceError } from '../../kernel/errors.ts';
import { storable } from '../../kernel/parse.ts';
import {
  type ClaimedMail,
  cancelMail,
  claimMail,
  keepContent,
  recordAttempt,
  releaseMail,
  storesWithDueMail,
} from '../../mail/claims.ts';
import type { MailAttempt } from '../../mail/fields.ts';
import type { Letter } from '../../mail/letters/letter.ts';
import { writeFromTemplate } from '../../mail/letters/template.ts';
import { writeLetter } from '../../mail/letters/write.ts';
import { type MailContent, messageIdOf } from '../../mail/mails.ts';
import { sendsMail } from '../../mail/queue.ts';
import { mailWaitAfter } from '../../mail/schedule.ts';
import { templateFor } from '../../mail/templates.ts';
import { mailSenders } from '../../mail/wake.ts';
import { SmtpFailure, sendBySmtp } from '../../network/smtp.ts';
import { reading, storageError } from '../../storage/run.ts';
import { smtpServerOf } from '../../stores/mail-settings.ts';
import { requireStore } from '../../stores/stores.ts';
import { factsOf } from './facts.ts';

export interface MailSenderOptions {
  /** Called for faults on our side, such as an unreachable database. */
  onError?(error: unknown): void;
}

/** Mails of one store that are sent at once, and stores whose mails are. */
const perStore = 2;
const maxStores = 16;

/** Characters of an answer, or of an error, that are kept. */
const keptAnswer = 500;

/** Milliseconds that a stop waits for servers to take what is being sent. */
const stopGrace = 5_000;

/** Mails of a store after which another store has its turn. */
const mailsInTurn = 20;

/** Milliseconds between looks for mails that are due. */
const interval = 5000;

/** Milliseconds for which a store rests after its mail server could not be reached: each further mail would wait as long. */
const rest = 30_000;

/** The outcome of one attempt. */
type Outcome = 'succeeded' | 'failed' | 'retrying' | 'unreachable' | 'released';

const systemActor = { type: 'system', id: null } as const;

/** Sends the mails of all stores. The trouble of one store's mail server is its own. */
export class MailSender {
  readonly #engine: Engine;
  readonly #onError: (error: unknown) => void;
  readonly #stopping = new AbortController();
  #isStopping = false;
  /** Stores that wait for a place, those whose mails are being sent, and those that got new ones meanwhile. */
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  readonly #restingUntil = new Map<string, number>();
  readonly #timer: NodeJS.Timeout;
  #looking: Promise<void> = Promise.resolve();

  constructor(engine: Engine, { onError = () => {} }: MailSenderOptions = {}) {
    this.#engine = engine;
    this.#onError = onError;
    mailSenders(engine).add(this);
    this.#timer = setInterval(() => this.#look(), interval);
    this.#timer.unref();
    this.#look();
  }

  /** Called after a commit that queued mail of a store. */
  wake(storeId: string): void {
    this.#start(storeId);
  }

  /** Stops: begins no mail, and waits for those that are being sent. After some seconds, gives them back. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    mailSenders(this.#engine).delete(this);
    this.#isStopping = true;
    await this.#looking;
    // A mail that is broken off after the server has taken it would be sent twice.
    const abort = setTimeout(() => this.#stopping.abort(), stopGrace);
    await Promise.all(this.#running.values());
    clearTimeout(abort);
  }

  #look(): void {
    this.#looking = this.#looking.then(async () => {
      if (this.#isStopping) return;
      try {
        for (const storeId of await storesWithDueMail(this.#engine)) this.#start(storeId);
      } catch (error) {
        this.#onError(error);
      }
    });
  }

  #start(storeId: string): void {
    if ((this.#restingUntil.get(storeId) ?? 0) > performance.now()) return;
    this.#restingUntil.delete(storeId);
    if (this.#running.has(storeId)) this.#again.add(storeId);
    else this.#waiting.add(storeId);
    this.#fill();
  }

  /** Gives free places to the stores that wait, in their order. */
  #fill(): void {
    for (const storeId of this.#waiting) {
      if (this.#isStopping || this.#running.size >= maxStores) return;
      this.#waiting.delete(storeId);
      const run = this.#run(storeId).then((isDone) => {
        this.#running.delete(storeId);
        if (this.#again.delete(storeId) || !isDone) this.#start(storeId);
        this.#fill();
      });
      this.#running.set(storeId, run);
    }
  }

  /** @returns false if more mails of the store might be due */
  async #run(storeId: string): Promise<boolean> {
    let left = mailsInTurn;
    const worker = async () => {
      while (left-- > 0 && !this.#isStopping && (this.#restingUntil.get(storeId) ?? 0) <= performance.now()) {
        const claim = await claimMail(this.#engine, storeId);
        if (!claim) return true;
        const outcome = await attemptMail(this.#engine, claim, this.#stopping.signal);
        if (outcome === 'unreachable') this.#restingUntil.set(storeId, performance.now() + rest);
      }
      return false;
    };
    try {
      const ends = await Promise.all(Array.from({ length: perStore }, worker));
      return ends.every((isDone) => isDone);
    } catch (error) {
      this.#onError(error);
      // A fault on our side, such as a full disk: not again at once.
      this.#restingUntil.set(storeId, performance.now() + rest);
      return true;
    }
  }
}

/**
 * Attempts each due mail of all stores once, and waits for the attempts.
 * @returns their number
 */
export async function sendDueMails(engine: Engine): Promise<number> {
  refuseInUnit(engine, 'sendDueMails talks to mail servers');
  let attempts = 0;
  for (const storeId of await storesWithDueMail(engine)) {
    for (let claim = await claimMail(engine, storeId); claim; claim = await claimMail(engine, storeId)) {
      attempts++;
      await attemptMail(engine, claim);
    }
  }
  return attempts;
}

/** True if the order of a mail is not to be paid any more: it was paid, or cancelled. */
async function isSettled({ storage }: Engine, { store_id, order_id }: ClaimedMail): Promise<boolean> {
  if (order_id === null) return false;
  const row = await reading(storage, (db) =>
    db
      .selectFrom('orders')
      .select(['status', 'payment_status'])
      .where('store_id', '=', store_id)
      .where('id', '=', order_id)
      .executeTakeFirst(),
  );
  return row !== undefined && (row.status !== 'pending' || row.payment_status === 'succeeded');
}

/** Writes a claimed mail out, unless that was done before, and sends it once. */
async function attemptMail(engine: Engine, claim: ClaimedMail, signal?: AbortSignal): Promise<Outcome> {
  if (claim.kind === 'order.payment_waiting' && (await isSettled(engine, claim))) {
    await cancelMail(engine, claim);
    return 'released';
  }
  const startedAt = engine.clock.now();
  const started = performance.now();
  let answer: Pick<MailAttempt, 'responseCode' | 'error' | 'response'>;
  let failure: SmtpFailure | undefined;
  try {
    const response = await send(engine, claim, signal);
    answer = { responseCode: codeOf(response), error: null, response: storable(response, keptAnswer) };
  } catch (error) {
    if (signal?.aborted) {
      await releaseMail(engine, claim);
      return 'released';
    }
    failure = error instanceof SmtpFailure ? error : undefined;
    // Faults of our database are not the mail's.
    const fault = storageError(engine.storage, error);
    if (fault instanceof CommerceError && fault.kind === 'unavailable' && fault.reason === undefined) throw fault;
    answer = {
      responseCode: failure?.code ?? null,
      error: storable((error as Error).message, keptAnswer),
      response: null,
    };
  }
  const attempt = { at: toTimestamp(startedAt), latencyMs: Math.round(performance.now() - started), ...answer };
  const now = engine.clock.now();
  if (answer.error === null) {
    await recordAttempt(engine, claim, attempt, { status: 'succeeded', dueAt: null, sentAt: now });
    return 'succeeded';
  }
  const wait = failure?.isFinal ? undefined : mailWaitAfter(claim.attempts + 1, claim.started_at ?? now, now);
  const status = wait === undefined ? 'failed' : 'pending';
  await recordAttempt(engine, claim, attempt, { status, dueAt: wait === undefined ? null : now + wait, sentAt: null });
  return failure?.isOfServer ? 'unreachable' : status === 'failed' ? 'failed' : 'retrying';
}

async function send(engine: Engine, claim: ClaimedMail, signal: AbortSignal | undefined): Promise<string> {
  const store = await requireStore(engine, claim.store_id);
  const ctx: Context = { engine, store, actor: systemActor, requestId: null };
  const { mail } = store.settings;
  if (mail.from === null || !sendsMail(mail)) {
    throw new SmtpFailure('the store has no mail server now', { code: null, isFinal: false, isOfServer: true });
  }
  const server = await smtpServerOf(engine, store.id);
  const content = await contentOf(ctx, claim, mail.from);
  const { domain, subject, text, html } = content;
  const attachments = [...content.attachments, ...(await invoiceFiles(ctx, content.invoiceIds ?? []))];
  return sendBySmtp(
    server,
    {
      messageId: messageIdOf(claim.id, domain),
      date: new Date(claim.created_at),
      from: { name: store.name, address: mail.from },
      replyTo: mail.replyTo,
      to: claim.recipient,
      ...{ subject, text, html, attachments },
    },
    { guard: engine.smtpGuard, hello: domain, signal },
  );
}

/** The PDF files of invoices. One that was removed since is left out. */
async function invoiceFiles(ctx: Context, ids: readonly string[]): Promise<{ filename: string; content: Buffer }[]> {
  const files = [];
  for (const id of ids) {
    try {
      const { fileName, bytes } = await invoicePdf(ctx, id);
      files.push({ filename: fileName, content: bytes });
    } catch (error) {
      if (!(error instanceof CommerceError && error.kind === 'notFound')) throw error;
    }
  }
  return files;
}

/** The letter as it was written out for the first attempt, or as it is written out now. */
async function contentOf(ctx: Context, claim: ClaimedMail, from: string): Promise<MailContent> {
  if (claim.content !== null) return JSON.parse(claim.content) as MailContent;
  const { data, attachments, invoiceIds } = await factsOf(ctx, claim);
  const letter = await letterOf(
    ctx,
    claim,
    () => writeLetter(data),
    (template) => writeFromTemplate(template, data),
  );
  const content: MailContent = {
    ...letter,
    domain: from.slice(from.lastIndexOf('@') + 1),
    attachments: attachments.map(({ filename, content: text }) => ({ filename, content: text })),
    ...(invoiceIds.length > 0 && { invoiceIds }),
  };
  const isKept = await keepContent(ctx.engine, claim, content);
  if (!isKept) throw new SmtpFailure('the mail was forgotten', { code: null, isFinal: true, isOfServer: false });
  return content;
}

/** The letter in the shop's own words; in the built-in ones if it has none, or if they fail. */
async function letterOf(
  ctx: Context,
  { kind, locale }: ClaimedMail,
  builtIn: () => Letter,
  own: (template: { subject: string; text: string }) => Promise<Letter>,
): Promise<Letter> {
  const template = await reading(ctx.engine.storage, (db) => templateFor(db, ctx.store.id, kind as MailKind, locale));
  if (!template) return builtIn();
  try {
    return await own(template);
  } catch (error) {
    await transact(ctx, async (tx) => {
      const changes = { kind, locale: template.locale, reason: storable((error as Error).message, keptAnswer) };
      audit(tx, { action: 'mailTemplate.failed', resourceType: 'store', resourceId: tx.store.id, changes });
    });
    return builtIn();
  }
}

/** The code at the beginning of an answer. */
function codeOf(response: string): number | null {
  const code = Number(response.slice(0, 3));
  return Number.isInteger(code) && code > 0 ? code : null;
}
