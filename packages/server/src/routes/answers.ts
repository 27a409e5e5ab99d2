import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { type AnonymisedCustomer, type InvoiceFile, type List, maxListBytes } from '@commerce/core';
import type { SchemaName } from '@commerce/core/schemas';
import { isFresh, itemTag } from '../etag.ts';
import type { Answer } from '../http.ts';

/** Form of the answer to an operation's result: status, text, and the schema that describes it. */
export interface AnswerForm {
  status: 200 | 201 | 202 | 204;
  /**
   * Wrapping of the schema: `{item}`, `{items, total}`, `{items}`, plain, or no body at all; or a file, or a text that is sent while it is
   * created.
   */
  wrap: 'item' | 'list' | 'items' | 'plain' | 'nothing' | 'stream' | 'file';
  /** Headers of a file, and of a text that is sent while it is created. */
  headers?: Record<string, string>;
  /** Schema of the wrapped resource; absent with nothing. */
  schema?: SchemaName;
  /** Further fields of the body, with their schemas: of a list, those that a query can ask for. */
  also?: Readonly<Record<string, SchemaName>>;
  /** True if the answer has an ETag for `If-Match`: resources have versions, records of an action do not. */
  versioned: boolean;
  /** The `Cache-Control` of an answer that any cache may keep; answers without it are kept by no cache. */
  cacheControl?: string;
  /** Fields of the item, besides `key` and `secret`, that only the first answer shows: they are not stored for an `Idempotency-Key`. */
  shownOnce?: readonly string[];
  print(result: unknown): string | undefined;
  /** The part of the result that is the item, if the body has more. */
  itemIn?(result: unknown): unknown;
}

/** A single item, wrapped for the interface: from its stored text, or from an object. */
export function item(schema: SchemaName): AnswerForm {
  return { status: 200, wrap: 'item', schema, versioned: true, print: printItem };
}

/** A customer who was anonymised, with what is kept. */
export const anonymisedCustomer: AnswerForm = {
  ...item('Customer'),
  also: { kept: 'Kept' },
  print(result) {
    const { kept, ...customer } = result as AnonymisedCustomer;
    return JSON.stringify({ item: customer, kept });
  },
  itemIn: (result) => ({ ...(result as AnonymisedCustomer), kept: undefined }),
};

/** An item just created. */
export function created(schema: SchemaName): AnswerForm {
  return { ...item(schema), status: 201 };
}

/** An item that never changes and needs no version. */
export function record(schema: SchemaName, status: 200 | 201 | 202 = 200): AnswerForm {
  return { ...item(schema), status, versioned: false };
}

/** An item that anyone may see, and that caches may keep for some seconds. */
export function cached(form: AnswerForm, seconds: number): AnswerForm {
  return { ...form, cacheControl: `public, max-age=${seconds}` };
}

/** An item with fields that are never shown again. */
export function shownOnce(form: AnswerForm, ...fields: string[]): AnswerForm {
  return { ...form, shownOnce: fields };
}

/** An item whose work has only begun. */
export function accepted(schema: SchemaName): AnswerForm {
  return { ...item(schema), status: 202, versioned: false };
}

/** A text of any length, sent while it is created. */
export function streamed(type: string, fileName: string): AnswerForm {
  const headers = {
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${fileName}"`,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  return { status: 200, wrap: 'stream', headers, versioned: false, print: () => undefined };
}

/** A file that is made at once: a text, or bytes with a name. */
export function file(type: string, more: Record<string, string> = {}): AnswerForm {
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    ...more,
  };
  return { status: 200, wrap: 'file', headers, versioned: false, print: () => undefined };
}

/** A page of a list with its total, as core's text or from objects. It has at most 4 MiB, and then fewer items than `limit`. */
export function list(schema: SchemaName): AnswerForm {
  return { status: 200, wrap: 'list', schema, versioned: false, print: printList };
}

/** A page of products, with the facets that the query asks for. */
export const productList: AnswerForm = { ...list('ListedProduct'), also: { facets: 'ProductFacets' } };

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

/** Prints objects one by one, up to the same maximum of bytes as core's lists. */
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
export function answerOf({ status, versioned, cacheControl, print, itemIn }: AnswerForm, result: unknown): Answer {
  const body = print(result);
  if (body === undefined) return { status };
  if (!versioned) return { status, body };
  return {
    status,
    headers: {
      ETag: itemTag(itemIn ? printItem(itemIn(result)) : body),
      ...(cacheControl && { 'Cache-Control': cacheControl }),
    },
    body,
  };
}

/** The answer to a GET: 304 if the client already has that version. */
export function answerOfRead(form: AnswerForm, result: unknown, requestHeaders: IncomingHttpHeaders): Answer {
  if (form.wrap === 'file') return answerWithFile(form, result as string | InvoiceFile);
  if (form.headers) return { status: form.status, headers: { ...form.headers }, stream: result as Readable };
  return freshAnswer(answerOf(form, result), requestHeaders);
}

/** The answer, or 304 if the client already has that version. */
export function freshAnswer(answer: Answer, requestHeaders: IncomingHttpHeaders): Answer {
  const { headers } = answer;
  return headers?.ETag !== undefined && isFresh(requestHeaders, headers.ETag) ? { status: 304, headers } : answer;
}

function answerWithFile({ status, headers }: AnswerForm, result: string | InvoiceFile): Answer {
  if (typeof result === 'string') return { status, headers: { ...headers }, body: result };
  const { fileName, bytes } = result;
  return {
    status,
    headers: {
      ...headers,
      'Content-Disposition': `attachment; filename="${fileName}"`,
      'Content-Length': String(bytes.length),
    },
    stream: Readable.from([bytes]),
  };
}
