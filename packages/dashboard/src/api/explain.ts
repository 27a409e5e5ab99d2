import { t } from '../words/words.ts';
import type { ApiError, Detail } from './errors.ts';
import type { Scope } from './types.ts';

// Refusals in the words of people. Sentences of the interface are for developers, and only shown as technical details.

type Reasons = typeof t.kit.reasons;
type Because = typeof t.kit.refusals.because;
type Area = Scope extends `${infer Subject}.${string}` ? Subject : never;

const known = <T extends object>(of: T, name: string | undefined): name is keyof T & string =>
  name !== undefined && Object.hasOwn(of, name);

/** What is wrong with a field. */
export function reasonOf({ said, code, limits = {} }: Pick<Detail, 'said' | 'code' | 'limits'>): string {
  const { reasons } = t.kit;
  return said ?? reasons[known<Reasons>(reasons, code) ? code : 'OTHER'](limits);
}

/** What a scope permits: `order.read` is "view orders". */
export function permissionOf(scope: string): string {
  const areas: Record<Area, string> = t.kit.areas;
  const { permissions } = t.kit;
  const [area, action] = scope.split('.');
  if (!known(areas, area) || (action !== 'read' && action !== 'write' && action !== 'delete')) return scope;
  return permissions[action](areas[area]);
}

/**
 * A title and a sentence for an error.
 * @param what names the data that could not be loaded, such as "the orders"
 */
export function explain(error: ApiError, what?: string): [title: string, hint: string] {
  const { refusals } = t.kit;
  const [title, hint] = general(error, what);
  if (!error.isAnswer) return [title, error.message];
  const said = [...new Set(error.details.map(reasonOf))];
  for (const name of [error.reason, error.code]) {
    if (known<Because>(refusals.because, name)) return [title, refusals.because[name]];
  }
  return [title, error.status === 400 && said.length > 0 ? said.join(' ') : hint];
}

function general(error: ApiError, what: string | undefined): [title: string, hint: string] {
  const { refusals } = t.kit;
  switch (error.status) {
    case 0:
      return error.code === 'FAULT' ? [refusals.failed, refusals.fault] : [refusals.offline, refusals.noAnswerHint];
    case 401:
      return [refusals.signedOut, refusals.signedOutHint];
    case 403:
      return [refusals.forbidden, missingPermission(error)];
    case 404:
      return [refusals.notFound, refusals.notFoundHint];
    case 409:
      return [refusals.conflict, refusals.conflictHint];
    case 413:
      return [refusals.tooLarge, refusals.tooLargeHint];
    case 415:
      return [refusals.unsupported, refusals.unsupportedHint];
    case 429:
      return [refusals.tooMany, refusals.tooManyHint(error.retryAfter ?? 1)];
    case 503:
      return [refusals.busy, refusals.busyHint];
    default:
      if (error.status < 500) return [refusals.invalid, refusals.invalidHint];
      return [what ? refusals.couldNotLoad(what) : refusals.failed, refusals.failedHint];
  }
}

/** Names the missing permission, which the interface only has as a scope in its message. */
function missingPermission({ message }: ApiError): string {
  const scopes = message.match(/\b[a-zA-Z]+\.(?:read|write|delete)\b/g) ?? [];
  const [first] = scopes.map(permissionOf).filter((words, i) => words !== scopes[i]);
  return first ? t.kit.permissions.missing(first) : t.kit.permissions.refused;
}
