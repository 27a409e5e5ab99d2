import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { type List, maxListBytes } from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import { isFresh, itemTag } from '../etag.ts';
import type { Answer } from '../http.ts';

/** Form of the answer to an operation's result: status, text, and the schema that describes it. */
export interface AnswerForm {
  status: 200 | 201 | 202 | 204;
  /** How the schema is wrapped: `{item}`, `{items, total}`, `{items}`, as it is, or no body at all; or a text that is sent as it is made. */
  wrap: 'item' | 'list' | 'items' | 'plain' | 'nothing' | 'stream';
  /** Headers of a text that is sent as it is made. */
  headers?: Record<string, string>;
  /** Schema of the wrapped resource; absent with nothing. */
  schema?: SchemaName;
  /** Whether the answer has an ETag, which `If-Match` takes: resources have versions, records of a deed do not. */
  versioned: boolean;
  print(result: unknown): string | undefined;
}

/** A single item, wrapped as the interface has it: from its stored text, or from an object. */
export function item(schema: SchemaName): AnswerForm {
  return { status: 200, wrap: 'item', schema, versioned: true, print: printItem };
}

/** An item just created. */
export function created(schema: SchemaName): AnswerForm {
  return { ...item(schema), status: 201 };
}

/** An item that never changes, so that it needs no version. */
export function record(schema: SchemaName, status: 200 | 201 | 202 = 200): AnswerForm {
  return { ...item(schema), status, versioned: false };
}

/** An item whose work has only begun. */
export function accepted(schema: SchemaName): AnswerForm {
  return { ...item(schema), status: 202, versioned: false };
}

/** A text of any length, sent while it is made. */
export function streamed(type: string, fileName: string): AnswerForm {
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, wrap: 'stream', headers, versioned: false, print: () => undefined };
}

/** A page of a list with its total: as core printed it, or from objects; of 4 MiB at most, and then with fewer items than `limit`. */
export function list(schema: SchemaName): AnswerForm {
  return { status: 200, wrap: 'list', schema, versioned: false, print: printList };
}

/** All items created at once. */
export function createdItems(schema: SchemaName): AnswerForm {
  return {
    status: 201,
    wrap: 'items',
    schema,
    versioned: false,
    print: (items) => JSON.stringify({ items }),
  };
}

export function plain(schema: SchemaName): AnswerForm {
  return { status: 200, wrap: 'plain', schema, versioned: false, print: printPlain };
}

/** The answer of a deletion. */
export const nothing: AnswerForm = { status: 204, wrap: 'nothing', versioned: false, print: () => undefined };

function printItem(value: unknown): string {
  return `{"item":${printPlain(value)}}`;
}

/** Objects are printed one by one, up to as many bytes as lists have that core has printed. */
function printList(value: unknown): string {
  if (typeof value === 'string') return value;
  const { items, ...rest } = value as List<unknown>;
  const texts: string[] = [];
  let length = 0;
  for (const one of items) {
    if (length >= maxListBytes) break;
    const text = JSON.stringify(one);
    length += Buffer.byteLength(text);
    texts.push(text);
  }
  const more = JSON.stringify(rest).slice(1);
  return `{"items":[${texts.join(',')}]${more === '}' ? more : `,${more}`}`;
}

function printPlain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The answer to an operation's result. */
export function answerOf({ status, versioned, print }: AnswerForm, result: unknown): Answer {
  const body = print(result);
  if (body === undefined) return { status };
  return versioned ? { status, headers: { ETag: itemTag(body) }, body } : { status, body };
}

/** The answer to a GET: 304 where the client has that version already. */
export function answerOfRead(form: AnswerForm, result: unknown, requestHeaders: IncomingHttpHeaders): Answer {
  if (form.headers) return { status: form.status, headers: { ...form.headers }, stream: result as Readable };
  const answer = answerOf(form, result);
  const { headers } = answer;
  return headers?.ETag !== undefined && isFresh(requestHeaders, headers.ETag) ? { status: 304, headers } : answer;
}
