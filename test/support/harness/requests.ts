import {
  type Commerce,
  type Context,
  createApiKey,
  type Reason,
  reasons,
  refusalCodes,
  type Scope,
  scopes,
} from '@commerce/core';
import type { Answer, App } from '@commerce/server';
import { expect } from 'vitest';
import { expectDocumented } from './contract.ts';
import { snapshot } from './denied.ts';

export interface Sending {
  key?: string;
  headers?: Record<string, string>;
  /** A text or bytes are sent unchanged, anything else as JSON. */
  body?: unknown;
  /** The body's media type; null sends none. */
  type?: string | null;
}

export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The parsed body; undefined without one. */
  json: unknown;
}

export const requestId = 'request-of-a-test';

/** Sends `GET /path` and similar requests to the application, without a socket. */
export async function ask(app: App, line: string, sending: Sending = {}): Promise<TestResponse> {
  const [method = '', url = ''] = line.split(' ');
  const { body, type = body === undefined ? null : 'application/json' } = sending;
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''));
  const headers = {
    ...(sending.key === undefined ? {} : { authorization: `Bearer ${sending.key}` }),
    ...(type === null ? {} : { 'content-type': type }),
    ...sending.headers,
  };
  let isRead = false;
  const readBody = async () => {
    // As over a socket.
    if (isRead) throw new Error('the body was read before');
    isRead = true;
    return bytes;
  };
  const answer = toTestResponse(await app.handle({ method, url, headers, readBody }, requestId));
  await expectDocumented(method, url, answer.status, answer.headers, answer.text);
  return answer;
}

function toTestResponse({ status, headers = {}, body, kept }: Answer): TestResponse {
  const text = String(body ?? kept?.plain ?? '');
  const { 'Content-Type': type = 'application/json' } = headers;
  const isJson = text !== '' && type.startsWith('application/json');
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** A key of the store; every scope by default. */
export async function newKey(shop: Context, ...some: Scope[]): Promise<string> {
  const { key } = await createApiKey(shop, { name: 'key of a test', scopes: some.length > 0 ? some : [...scopes] });
  return key;
}

export interface Refusal {
  status: number;
  code: string;
  /** The fields of the details, in their order; no details by default. */
  fields?: string[];
  message?: RegExp;
  headers?: Record<string, string>;
}

/**
 * The whole error envelope: its content, nothing else, and the headers if they are named. It is one comparison, because some tests call it
 * tens of thousands of times.
 */
export function expectEnvelope(
  answer: Pick<TestResponse, 'status' | 'json'> & { headers?: Record<string, string> },
  { status, code, fields = [], message = /./, headers }: Refusal,
): void {
  const { error, ...beside } = Object(answer.json) as {
    error?: { details?: Record<string, unknown>[]; reason?: Reason };
  };
  const { details = [], reason, ...rest } = Object(error) as NonNullable<typeof error>;
  const seen = {
    status: answer.status,
    error: rest,
    order: Object.keys(rest),
    isKnownReason: reason === undefined || reasons.includes(reason),
    beside,
    fields: details.map((detail) => detail.field),
    headers: headers && answer.headers,
  };
  expect(seen).toEqual({
    status,
    error: { code, message: expect.stringMatching(message) },
    order: ['code', 'message'],
    isKnownReason: true,
    beside: {},
    fields,
    headers,
  });
  for (const detail of details) {
    const { code, limits, ...words } = detail;
    expect(Object.keys(words)).toEqual(['field', 'reason', 'message']);
    if (code !== undefined) expect(refusalCodes).toContain(code);
    if (limits !== undefined) expect(limits).toBeTypeOf('object');
    expect(detail.reason).toBe(detail.message);
    expect(detail.reason).not.toBe('');
  }
}

/** Refused is three assertions: the answer, no change in any table, no event. */
export async function expectRefused(
  commerce: Commerce,
  send: () => Promise<TestResponse>,
  refusal: Refusal,
): Promise<TestResponse> {
  const before = await snapshot(commerce);
  const answer = await send();
  expectEnvelope(answer, { headers: {}, ...refusal });
  const after = await snapshot(commerce);
  expect(after.events).toEqual(before.events);
  expect(after).toEqual(before);
  return answer;
}
