import type { SchemaName } from '@commerce/core/schemas';
import { etagOf } from '../etag.ts';
import type { Answer } from '../http.ts';

/** What an operation's result is answered as: the status, the text, and the schema that describes it. */
export interface AnswerForm {
  status: 200 | 201 | 202 | 204;
  /** How the schema is wrapped: `{item}`, `{items, total}`, `{items}`, as it is, or no body at all. */
  wrap: 'item' | 'list' | 'items' | 'plain' | 'nothing';
  /** What is wrapped; absent with nothing. */
  schema?: SchemaName;
  /** Whether the answer has an ETag, which `If-Match` takes: a resource of its own, not a record of what was done. */
  versioned: boolean;
  print(result: unknown): string | undefined;
}

/** A single item, wrapped as the interface has it: from its stored text, or from an object. */
export function item(schema: SchemaName): AnswerForm {
  return { status: 200, wrap: 'item', schema, versioned: true, print: printItem };
}

/** An item that was just made. */
export function created(schema: SchemaName): AnswerForm {
  return { ...item(schema), status: 201 };
}

/** An item that cannot be changed, so that it needs no version. */
export function record(schema: SchemaName, status: 200 | 202 = 200): AnswerForm {
  return { ...item(schema), status, versioned: false };
}

/** A page of a list with its total: as core printed it, or from objects. */
export function list(schema: SchemaName): AnswerForm {
  return { status: 200, wrap: 'list', schema, versioned: false, print: printPlain };
}

/** All that were made at once. */
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

function printPlain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The answer that an operation's result is. */
export function answerOf({ status, versioned, print }: AnswerForm, result: unknown): Answer {
  const body = print(result);
  if (body === undefined) return { status };
  return versioned ? { status, headers: { ETag: etagOf(body) }, body } : { status, body };
}
