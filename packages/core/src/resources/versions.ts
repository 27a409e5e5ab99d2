import { hash } from 'node:crypto';
import type { TxContext } from '../context.ts';
import { CommerceError, quote } from '../errors.ts';

/** The version of a resource, from its text as it is answered: another one as soon as anything in it is another. */
export function versionOf(json: string): string {
  return hash('sha256', json, 'base64url').slice(0, 27);
}

/**
 * Holds a change to the version that its caller has seen (`Context.expected`). Called with the resource already kept from
 * changing, so that nobody comes between.
 * @param json the resource as it is answered
 * @throws CommerceError `conflict` when it has another version by now
 */
export function requireVersion(tx: TxContext, id: string, json: () => string): void {
  const { expected } = tx;
  if (expected?.id !== id) return;
  const version = versionOf(json());
  if (expected.versions.includes(version)) return;
  const wanted = expected.versions.map((wanted) => quote(wanted)).join(', ');
  throw new CommerceError(
    'conflict',
    `it has changed: its version is ${quote(version)} by now, not ${wanted}; get it again and see whether the change still fits`,
  );
}
