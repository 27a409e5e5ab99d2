import { hash } from 'node:crypto';
import { CommerceError, type Context, type KeptAnswer, once, type RefusalCode } from '@commerce/core';
import { statusOf, toErrorAnswer } from '../errors.ts';
import { itemTag } from '../etag.ts';
import type { Answer } from '../http.ts';
import { type AnswerForm, answerOf } from '../routes/answers.ts';
import type { Route } from '../routes/router.ts';

/** Printable ASCII, because the key is in a header. */
const keyPattern = /^[\x21-\x7e](?:[\x20-\x7e]{0,253}[\x21-\x7e])?$/;

/** Minimum characters with a storefront key, which strangers share: with a short one they would get each other's answers. */
const minPublicKey = 16;

/**
 * Answers a POST with an `Idempotency-Key`: its first answer below 500 is repeated to every later request with that key.
 * @param run the operation, called with its context
 * @throws CommerceError `validation` for a malformed key; `conflict` when the key was used for another request
 */
export async function answerOnce(
  ctx: Context,
  route: Route,
  key: string | string[] | undefined,
  fingerprint: string | (() => string | undefined),
  run: (ctx: Context) => Promise<unknown>,
): Promise<Answer> {
  if (typeof key !== 'string' || !keyPattern.test(key)) {
    const reason = 'must be 1 to 255 printable ASCII characters';
    throw new CommerceError('validation', `Idempotency-Key ${reason}`, {
      details: [{ field: 'Idempotency-Key', reason, code: codeOfKey(key) }],
    });
  }
  if (ctx.actor.isPublic && key.length < minPublicKey) {
    const reason = `must be random, with at least ${minPublicKey} characters, because all buyers share the storefront key`;
    throw new CommerceError('validation', `Idempotency-Key ${reason}`, {
      details: [{ field: 'Idempotency-Key', reason, code: 'TOO_SHORT', limits: { min: minPublicKey, max: 255 } }],
    });
  }
  const outcome = await once(
    ctx,
    {
      key,
      route: `${route.method} ${route.path}`,
      fingerprint,
      print: (result) => ({ status: route.answer.status, body: withoutSecrets(route.answer, result) }),
      printError,
    },
    run,
  );
  if ('result' in outcome) return answerOf(route.answer, outcome.result);
  const { status, body } = outcome.replay;
  const headers: Record<string, string> = { 'Idempotent-Replayed': 'true' };
  if (body === null) return { status, headers };
  if (route.answer.versioned && status < 300) headers.ETag = itemTag(body);
  return { status, headers, body };
}

function codeOfKey(key: string | string[] | undefined): RefusalCode {
  if (!key) return 'REQUIRED';
  return key.length > 255 ? 'TOO_LONG' : 'WRONG_TYPE';
}

/** Digest of path and body: a request that differs in either is another request. */
export function fingerprintOf(path: string, body: Uint8Array | undefined): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${path}\n`), body ?? Buffer.alloc(0)]), 'base64url');
}

function printError(error: CommerceError): KeptAnswer | undefined {
  // A limit ends: the same request can succeed later.
  if (statusOf[error.kind] >= 500 || error.kind === 'rateLimited') return undefined;
  const { status, body } = toErrorAnswer(error, '');
  return { status, body: body ?? null };
}

/** Fields that are secrets in every answer. */
const secrets = ['key', 'secret'];

/** The stored answer: without secrets, because a secret is shown only once. */
function withoutSecrets({ print, shownOnce = [] }: AnswerForm, result: unknown): string | null {
  const body = print(result);
  if (body === undefined) return null;
  const hidden = [...secrets, ...shownOnce];
  if (!hidden.some((field) => body.includes(`"${field}":`))) return body;
  const answer = JSON.parse(body);
  for (const field of hidden) delete answer.item?.[field];
  return JSON.stringify(answer);
}
