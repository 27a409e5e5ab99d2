import type { SchemaName } from '@commerce/core/schemas';
import type { AppRequest } from '../http.ts';
import { isJson, type JsonBody, type JsonLimits, parseJson, readJson } from './input.ts';

// The schemas are loaded by the first strict request: those of answers are needed by no other.

/** @throws CommerceError `validation` for parameters that the query does not have */
export async function refuseUnknownQuery(query: SchemaName | undefined, search: string): Promise<void> {
  if (search === '') return;
  const { refuseUnknownInQuery } = await import('@commerce/core/schemas');
  refuseUnknownInQuery(query, new URLSearchParams(search).keys());
}

/** Like `readJson`. @throws CommerceError `validation` for fields that the body does not have */
export async function readJsonStrictly(
  request: AppRequest,
  body: SchemaName,
  { answer, ...limits }: JsonLimits & { answer?: SchemaName | undefined } = {},
): Promise<JsonBody> {
  const read = await readJson(request, limits);
  const { refuseUnknownInBody } = await import('@commerce/core/schemas');
  refuseUnknownInBody(body, read.value, answer);
  return read;
}

/** @throws CommerceError `validation` if a request that takes no body has one with fields */
export async function refuseAnyField(request: AppRequest): Promise<void> {
  const bytes = isJson(request) ? await request.readBody() : undefined;
  if (!bytes || bytes.length === 0) return;
  const { refuseUnknownInBody } = await import('@commerce/core/schemas');
  refuseUnknownInBody(undefined, parseJson(bytes));
}
