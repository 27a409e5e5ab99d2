import { isUtf8 } from 'node:buffer';
import { CommerceError } from '@commerce/core';
import type { AppRequest } from '../http.ts';

/** JSON of a body, parsed and as its bytes. */
export interface JsonBody {
  value: unknown;
  bytes: Buffer;
}

/**
 * Reads the JSON of a request.
 * @throws CommerceError `unsupportedMediaType`, `tooLarge`; `validation` for invalid JSON
 */
export async function readJson(request: AppRequest): Promise<JsonBody> {
  const type = request.headers['content-type'];
  if (type === undefined || !/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) {
    throw new CommerceError(
      'unsupportedMediaType',
      `the body must be sent as application/json, not ${type ?? 'without a type'}`,
    );
  }
  const bytes = await request.readBody();
  if (!isUtf8(bytes)) throw malformed('the body must be UTF-8');
  try {
    return { value: JSON.parse(bytes.toString('utf8')), bytes };
  } catch (error) {
    throw malformed(`the body must be a JSON object: ${(error as Error).message}`);
  }
}

function malformed(message: string): CommerceError {
  return new CommerceError('validation', message, { details: [{ field: 'body', reason: message }] });
}
