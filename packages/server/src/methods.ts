import { CommerceError } from '@commerce/core';
import type { AppRequest, RequestFacts } from './http.ts';

/** The refusal of a method that a path does not have, with the available methods as `Allow`. */
export function onlyAllows(request: AppRequest, facts: RequestFacts, methods: string): CommerceError {
  facts.headers = { ...facts.headers, Allow: methods };
  return new CommerceError('methodNotAllowed', `${request.method} is not allowed here; use ${methods}`);
}
