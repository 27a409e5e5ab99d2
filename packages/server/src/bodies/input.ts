import { isUtf8 } from 'node:buffer';
import { CommerceError, isDeeper } from '@commerce/core';
import type { AppRequest } from '../http.ts';

/** JSON of a body, parsed and as bytes. */
export interface JsonBody {
  value: unknown;
  bytes: Buffer;
}

/** Limits of a body that comes without a key. */
export interface JsonLimits {
  /** Maximum bytes. */
  max?: number;
  /** Maximum nesting of objects and arrays, checked before anything is parsed. */
  maxDepth?: number;
}

/**
 * Reads the JSON of a request.
 * @throws CommerceError `unsupportedMediaType`, `tooLarge`; `validation` for invalid JSON
 */
export async function readJson(request: AppRequest, { max, maxDepth }: JsonLimits = {}): Promise<JsonBody> {
  if (!isJson(request)) {
    const type = request.headers['content-type'];
    throw new CommerceError(
      'unsupportedMediaType',
      `the body must be sent as application/json, not ${type ?? 'without a type'}`,
    );
  }
  const bytes = await request.readBody(max);
  if (max !== undefined && bytes.length > max) {
    throw new CommerceError('tooLarge', `the body must have at most ${max} bytes`);
  }
  return { value: parseJson(bytes, maxDepth), bytes };
}

/** @throws CommerceError `validation` */
export function parseJson(bytes: Buffer, maxDepth?: number): unknown {
  if (!isUtf8(bytes)) throw malformed('the body must be UTF-8');
  if (maxDepth !== undefined && isDeeper(bytes, maxDepth)) {
    throw malformed(`the body must be nested at most ${maxDepth} deep`);
  }
  try {
    // Some programs begin every text with a byte order mark.
    return JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''));
  } catch (error) {
    throw malformed(`the body must be a JSON object: ${(error as Error).message}`);
  }
}

export function isJson({ headers }: AppRequest): boolean {
  return /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(headers['content-type'] ?? '');
}

function malformed(message: string): CommerceError {
  return new CommerceError('validation', message, {
    details: [{ field: 'body', reason: message, code: 'WRONG_TYPE' }],
  });
}
